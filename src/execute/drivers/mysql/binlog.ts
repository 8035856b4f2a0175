/** The stream of a binary log, over a connection of its own. */

import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql2 from 'mysql2';
import type { Connection } from '../../../model/engines.ts';
import type { BinlogSource, BinlogStart, LogListener, LogStream } from '../../../model/feed.ts';
import { plain } from '../../../model/rows.ts';
import { inTurn } from '../../../values/in-turn.ts';
import { socketThatGivesUp } from '../address.ts';
import { interceptSocket } from '../intercept-socket.ts';
import { paced } from '../paced.ts';
import { hangUp, optionsOf, socketOf } from './connection.ts';
import { mysql } from './driver.ts';
import { PacketHeads } from './packet-heads.ts';

/** Milliseconds between two looks at whether bytes have come; after three looks in vain the stream has ended. */
const lookInterval = 1000;
const mostLooks = 3;

/** Milliseconds until the server must have said where its log is. A snapshot may wait for a lock. */
const openTimeout = 5000;

/** The listener may be called before the stream is returned. */
export async function openBinlog(address: Connection, source: BinlogSource, listener: LogListener): Promise<LogStream> {
  let socket: Socket | null = null;
  const client = mysql2.createConnection(
    optionsOf(address, () => {
      socket = socketThatGivesUp();
      return socket;
    }),
  );
  /** The server notices the end of a connection when it writes for the second time, a reset at once. */
  const close = () => {
    socket?.resetAndDestroy();
    hangUp(client);
  };
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    client.on('error', reject);
    timer = setTimeout(() => reject(new Error(`no stream of the binary log in ${openTimeout} ms`)), openTimeout);
  });
  try {
    const start = await Promise.race([begin(client, address, source), failed]);
    await Promise.race([sleep(start.early), failed]);
    return await stream(client, close, start, listener);
  } catch (error) {
    close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function begin(client: mysql2.Connection, address: Connection, source: BinlogSource): Promise<BinlogStart> {
  let refused: unknown = new Error('the server does not show where its binary log is');
  const answers = await inTurn(source.statements, (text) =>
    mysql(address)
      .run(client, plain(text), mostBytes)
      .catch((error: unknown) => {
        refused = error;
        return null;
      }),
  );
  const start = source.begin(answers);
  if (start === null) throw refused;
  return start;
}

const mostBytes = 16 * 1024 * 1024;

/** Takes the socket from the driver, which has no such command in its interface, and would keep all of a large event. */
function stream(
  client: mysql2.Connection,
  hangUp: () => void,
  start: BinlogStart,
  listener: LogListener,
): Promise<LogStream> {
  const socket = socketOf(client);
  const reader = start.reader((transaction) => listener.committed(transaction));
  return new Promise((resolve, reject) => {
    let is: 'opening' | 'open' | 'closed' = 'opening';
    let looks = 0;
    let position = start.start;
    const close = () => {
      is = 'closed';
      clearInterval(timer);
      unpaced();
      hangUp();
    };
    const end = (cause: unknown) => {
      const was = is;
      if (was !== 'closed') close();
      if (was === 'opening') reject(cause);
      else if (was === 'open') listener.ended(cause);
    };
    const timer = setInterval(() => {
      if (++looks > mostLooks) end(new Error('the stream of the binary log is silent'));
    }, lookInterval);
    const heads = new PacketHeads((packet) => {
      if (is === 'closed') return;
      if (packet[0] !== ok) throw refusal(packet);
      if (is === 'opening') resolve({ start, ask: () => undefined, close });
      is = 'open';
      reader.read(packet.subarray(1));
    });
    client.on('error', end);
    interceptSocket(socket, (chunk) => {
      looks = 0;
      try {
        heads.read(chunk);
        if (is === 'closed' || reader.position === position) return null;
        position = reader.position;
        listener.reached(position);
      } catch (error) {
        end(error);
      }
      return null;
    });
    const unpaced = paced(socket);
    socket.write(dumpCommand(start));
  });
}

/** The first byte of a packet with an event. Others are an error, or the end. */
const ok = 0x00;
const error = 0xff;

function refusal(packet: Buffer): Error {
  if (packet[0] !== error) return new Error('the server has ended the stream of its binary log');
  return Object.assign(new Error(packet.toString('utf8', 9)), {
    errno: packet.readUInt16LE(1),
    sqlState: packet.toString('latin1', 4, 9),
  });
}

/** The number of another replica would end that replica's stream. */
function serverId(taken: readonly number[]): number {
  const id = randomInt(2 ** 31, 2 ** 32);
  return taken.includes(id) ? serverId(taken) : id;
}

/** COM_BINLOG_DUMP, or COM_BINLOG_DUMP_GTID from the beginning of the log. */
function dumpCommand({ file, offset, gtids, replicas }: BinlogStart): Buffer {
  const id = serverId(replicas);
  const body =
    gtids === null
      ? [Buffer.of(0x12), int(offset), short(0), int(id), Buffer.from(file)]
      : [Buffer.of(0x1e), short(throughGtid), int(id), int(0), int(4), int(0), int(gtids.length), gtids];
  const bytes = Buffer.concat([Buffer.alloc(4), ...body]);
  bytes.writeUIntLE(bytes.length - 4, 0, 3);
  return bytes;
}

const throughGtid = 4;

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
