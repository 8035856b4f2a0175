import { Duplex } from 'node:stream';
import type pg from 'pg';
import type { Connection } from '../../../model/engines.ts';
import { connectTimeout, socketThatGivesUp, tlsOptions } from '../address.ts';
import { guardSocket } from '../guard-socket.ts';
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

/** The driver calls it as a method of its connection, which replaces the socket where the server takes TLS. */
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

/** Sends a goodbye without waiting for an answer: a server that hangs would never give one. */
export function hangUp(client: pg.Client): void {
  client.end().catch(() => undefined);
  socketOf(client).destroy();
}

/** Not reading the socket makes the server wait. The protocol has no other backpressure for a portal that is fetched whole. */
export function socketOf(client: pg.Client): Duplex {
  const connection: unknown = Reflect.get(client, 'connection');
  const stream: unknown = typeof connection === 'object' && connection !== null && Reflect.get(connection, 'stream');
  if (stream instanceof Duplex) return stream;
  throw new TypeError('the driver has no socket');
}
