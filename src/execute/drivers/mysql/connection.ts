/** Connections of mysql2, and access to their sockets, which the driver does not expose. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type mysql2 from 'mysql2';
import type { ConnectionOptions } from 'mysql2';
import type { Connection } from '../../../model/engines.ts';
import { type ResultRoom, TooLarge } from '../../connection/session.ts';
import { connectTimeout, socketThatGivesUp, tlsOptions } from '../address.ts';
import { guardSocket } from '../socket.ts';
import { leastRowBytes } from './row-packets.ts';

/** @param open creates the socket */
export function optionsOf(address: Connection, open: () => Socket = socketThatGivesUp) {
  const { host, port } = { host: address.host ?? '127.0.0.1', port: address.port };
  return {
    database: address.database,
    user: address.user ?? 'root',
    connectTimeout,
    charset: 'utf8mb4',
    // Exact values need all four options: without them, the driver parses big integers, dates and JSON, and loses precision.
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    // Each connection keeps only its last prepared statement, so they do not pile up on the server.
    maxPreparedStatements: 1,
    ...(address.password === null ? {} : { password: address.password }),
    ...(address.socketPath === null ? { host, port } : { socketPath: address.socketPath }),
    stream() {
      const socket = open();
      guard(socket);
      const { socketPath: path } = address;
      return socket.connect(path === null ? { host, port, keepAlive: true, noDelay: true } : { path });
    },
    ...(address.tls === null ? {} : { ssl: tlsOptions(address.tls) }),
  } satisfies ConnectionOptions;
}

/**
 * Keeps the process alive when the server sends a packet that no statement has requested: the driver throws on it. The socket is
 * destroyed without an error, because after knex has closed a connection nobody listens for one.
 */
export const guard = (socket: Duplex): void =>
  guardSocket(
    socket,
    () => undefined,
    () => socket.destroy(),
  );

/** Whether the server has sent this error. Driver errors have no number; numbers below 1000 are the system's socket errors. */
export const isOfServer = (error: unknown): boolean =>
  error instanceof Error && Number(Reflect.get(error, 'errno')) >= 1000;

export function unlessOfServer(error: unknown): void {
  if (!isOfServer(error)) throw error;
}

/** Closes the connection and its socket. The driver only sends a goodbye, which a hanging or blocked server would not read. */
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

/**
 * Ends the connection if a row does not fit into `room`. The driver keeps all packets of a row in memory until it is complete: up to 64
 * of 16 MB each.
 * @returns a function that stops watching
 */
export function watchRowSize(client: mysql2.Connection, room: Pick<ResultRoom, 'fits'>): () => void {
  const socket = socketOf(client);
  const parser = Object(Reflect.get(client, 'packetParser'));
  const onData = () => {
    if (!room.fits(announcedBytes(parser))) socket.destroy(new TooLarge());
  };
  socket.on('data', onData);
  return () => socket.off('data', onData);
}

/** A packet of this length is continued in the next packet. */
const fullPacket = 0xffffff;

/** The size of the row that the driver is receiving, as far as packet headers and cell lengths tell. */
function announcedBytes(parser: object): number {
  const [length, received, parts, chunks] = ['length', 'bufferLength', 'largePacketParts', 'buffer'].map((name) =>
    Reflect.get(parser, name),
  );
  if (typeof length !== 'number' || typeof received !== 'number' || !Array.isArray(parts) || !Array.isArray(chunks))
    throw new TypeError('the driver gathers packets in another way');
  const bytes = parts.length * fullPacket + (received > 0 ? length : 0);
  if (bytes < fullPacket) return bytes;
  // The first chunk begins with one byte for the packet's sequence number; the row follows.
  const head: unknown = parts[0] ?? chunks[0]?.subarray(1);
  return head instanceof Buffer ? Math.max(bytes, leastRowBytes(head.subarray(0, headBytes))) : bytes;
}

/** We search only this many bytes of a row for long cells, because the search repeats with each chunk. */
const headBytes = 4096;

export function clientOf(raw: unknown): mysql2.Connection {
  if (isConnection(raw)) return raw;
  throw new TypeError('not a connection of this driver');
}

/** A structural check: the driver's types have no class for a connection. */
function isConnection(raw: unknown): raw is mysql2.Connection {
  return typeof raw === 'object' && raw !== null && 'threadId' in raw && 'query' in raw && 'destroy' in raw;
}
