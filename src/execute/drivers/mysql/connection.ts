/** A connection of mysql2, and its socket, which the driver keeps to itself. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type mysql2 from 'mysql2';
import type { ConnectionOptions } from 'mysql2';
import type { Connection } from '../../../model/engines.ts';
import { connectTimeout, socketThatGivesUp, tlsOptions } from '../address.ts';

/** @param open makes the socket of a connection over TCP */
export function optionsOf(address: Connection, open: () => Socket = socketThatGivesUp) {
  const { host, port } = { host: address.host ?? '127.0.0.1', port: address.port };
  return {
    database: address.database,
    user: address.user ?? 'root',
    connectTimeout,
    charset: 'utf8mb4',
    // Exact values as text: without all four options, big integers, dates and JSON are parsed and lose precision.
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    // The server keeps the last prepared statement of each connection.
    maxPreparedStatements: 1,
    ...(address.password === null ? {} : { password: address.password }),
    ...(address.socketPath === null
      ? { host, port, stream: () => open().connect({ host, port, keepAlive: true, noDelay: true }) }
      : { socketPath: address.socketPath }),
    ...(address.tls === null ? {} : { ssl: tlsOptions(address.tls) }),
  } satisfies ConnectionOptions;
}

/** Errors without a number come from the driver, those below a thousand from the operating system, about the socket. */
export function unlessOfServer(error: unknown): void {
  if (!(error instanceof Error && Number(Reflect.get(error, 'errno')) >= 1000)) throw error;
}

/** The driver only sends a goodbye. A server that waits for its rows to be read, or hangs, would not receive it. */
export function hangUp(client: Pick<mysql2.Connection, 'destroy'>): void {
  client.destroy();
  const socket: unknown = Reflect.get(client, 'stream');
  if (socket instanceof Duplex) socket.destroy();
}

export function socketOf(client: mysql2.Connection): Duplex {
  const socket: unknown = Reflect.get(client, 'stream');
  if (socket instanceof Duplex) return socket;
  throw new TypeError('the driver has no socket');
}

export function clientOf(raw: unknown): mysql2.Connection {
  if (isConnection(raw)) return raw;
  throw new TypeError('not a connection of this driver');
}

/** The driver's types declare its connection as an interface only. */
function isConnection(raw: unknown): raw is mysql2.Connection {
  return typeof raw === 'object' && raw !== null && 'threadId' in raw && 'query' in raw && 'destroy' in raw;
}
