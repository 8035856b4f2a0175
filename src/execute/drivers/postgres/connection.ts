import { Duplex } from 'node:stream';
import pg from 'pg';
import type { Connection } from '../../../model/engines.ts';
import { connectTimeout, socketThatGivesUp, tlsOptions } from '../address.ts';
import { guardSocket } from '../socket.ts';
import { MessageLengths } from './message-lengths.ts';

export const configOf = (address: Connection) =>
  ({
    host: address.socketPath ?? address.host ?? '127.0.0.1',
    port: address.port,
    user: address.user ?? 'postgres',
    database: address.database,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    stream: openSocket,
    application_name: 'datastore-gateway',
    ...(address.password === null ? {} : { password: address.password }),
    ...(address.tls === null ? {} : { ssl: tlsOptions(address.tls) }),
  }) satisfies pg.ClientConfig;

/** Opens a guarded socket. The driver calls this as a method of its connection, and replaces the socket if TLS begins. */
function openSocket(this: pg.Connection): Duplex {
  const guard = (socket: Duplex) => {
    const lengths = new MessageLengths();
    guardSocket(socket, (chunk) => lengths.check(chunk));
  };
  const socket = socketThatGivesUp();
  guard(socket);
  this.once('sslconnect', () => guard(this.stream));
  return socket;
}

/** Sends a goodbye, and closes the socket without waiting for an answer, which a hanging server would never send. */
export function hangUp(client: pg.Client): void {
  client.end().catch(() => undefined);
  socketOf(client).destroy();
}

/** A connection's socket, which we pause: the protocol has no other backpressure for a result that is fetched in one go. */
export function socketOf(client: pg.Client): Duplex {
  const connection: unknown = Reflect.get(client, 'connection');
  const stream: unknown = typeof connection === 'object' && connection !== null && Reflect.get(connection, 'stream');
  if (stream instanceof Duplex) return stream;
  throw new TypeError('the driver has no socket');
}

export function clientOf(raw: unknown): pg.Client {
  if (raw instanceof pg.Client) return raw;
  throw new TypeError('not a connection of this driver');
}
