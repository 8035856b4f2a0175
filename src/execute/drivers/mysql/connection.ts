/** A connection of mysql2, and its socket, which the driver keeps to itself. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type mysql2 from 'mysql2';
import type { ConnectionOptions } from 'mysql2';
import type { Connection } from '../../../model/engines.ts';
import { type ResultRoom, TooLarge } from '../../connection/session.ts';
import { connectTimeout, socketThatGivesUp, tlsOptions } from '../address.ts';
import { guardSocket } from '../guard-socket.ts';
import { leastRowBytes } from './row-packets.ts';

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
 * The driver reads a packet that no statement has asked for outside of its own `try`. The socket ends without an error: knex drops the
 * listeners for errors of a connection that it closes.
 */
export const guard = (socket: Duplex): void =>
  guardSocket(
    socket,
    () => undefined,
    () => socket.destroy(),
  );

/** Errors without a number come from the driver, those below a thousand from the operating system, about the socket. */
export const isOfServer = (error: unknown): boolean =>
  error instanceof Error && Number(Reflect.get(error, 'errno')) >= 1000;

export function unlessOfServer(error: unknown): void {
  if (!isOfServer(error)) throw error;
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

/**
 * Ends the connection where a row is larger than its room. The driver keeps each packet in memory until the packet is whole, and may keep 64
 * of them for one row.
 * @returns a function that ends the watch
 */
export function watchRowSize(client: mysql2.Connection, room: Pick<ResultRoom, 'fits'>): () => void {
  const socket = socketOf(client);
  const parser = Object(Reflect.get(client, 'packetParser'));
  const took = () => {
    if (!room.fits(announcedBytes(parser))) socket.destroy(new TooLarge());
  };
  socket.on('data', took);
  return () => socket.off('data', took);
}

/** A packet of this length goes on in the next one. */
const fullPacket = 0xffffff;

/** Bytes of the row that the driver gathers, as far as its packets have announced them, or its cells. */
function announcedBytes(parser: object): number {
  const [length, received, parts, chunks] = ['length', 'bufferLength', 'largePacketParts', 'buffer'].map((name) =>
    Reflect.get(parser, name),
  );
  if (typeof length !== 'number' || typeof received !== 'number' || !Array.isArray(parts) || !Array.isArray(chunks))
    throw new TypeError('the driver gathers packets in another way');
  const bytes = parts.length * fullPacket + (received > 0 ? length : 0);
  if (bytes < fullPacket) return bytes;
  // The number of the packet comes before its bytes.
  const head: unknown = parts[0] ?? chunks[0]?.subarray(1);
  return head instanceof Buffer ? Math.max(bytes, leastRowBytes(head.subarray(0, headBytes))) : bytes;
}

/** Bytes of a row that are looked through for long cells: each chunk would be looked through again. */
const headBytes = 4096;

export function clientOf(raw: unknown): mysql2.Connection {
  if (isConnection(raw)) return raw;
  throw new TypeError('not a connection of this driver');
}

/** The driver's types declare its connection as an interface only. */
function isConnection(raw: unknown): raw is mysql2.Connection {
  return typeof raw === 'object' && raw !== null && 'threadId' in raw && 'query' in raw && 'destroy' in raw;
}
