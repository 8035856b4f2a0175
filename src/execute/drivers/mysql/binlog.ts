/** Reads a server's binary log as a stream, on a connection of its own. */

import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql2 from 'mysql2';
import type { Connection } from '../../../model/engines.ts';
import type { BinlogSource, BinlogStart, LogListener, LogStream } from '../../../model/feed.ts';
import { plain } from '../../../model/rows.ts';
import { inTurn } from '../../../values/in-turn.ts';
import { socketThatGivesUp } from '../address.ts';
import { interceptSocket, paceSocket } from '../socket.ts';
import { hangUp, optionsOf, socketOf } from './connection.ts';
import { MysqlDriver } from './driver.ts';
import { PacketHeads } from './packet-heads.ts';

/** Milliseconds between two checks for new bytes. After three checks without any, the stream counts as lost. */
const checkIntervalMs = 1000;
const maxSilentChecks = 3;

/** Timeout in milliseconds for opening the stream. That includes taking a snapshot, which may wait for a lock. */
const openTimeoutMs = 5000;

/** Opens the stream; throws the driver's error. The listener may be called before the stream is returned. */
export async function openBinlog(address: Connection, source: BinlogSource, listener: LogListener): Promise<LogStream> {
  let socket: Socket | null = null;
  const client = mysql2.createConnection(
    optionsOf(address, () => {
      socket = socketThatGivesUp();
      return socket;
    }),
  );
  /** Resets the connection, because the server notices a reset at once, but a normal close only at its second write to the socket. */
  const close = () => {
    socket?.resetAndDestroy();
    hangUp(client);
  };
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    client.on('error', reject);
    timer = setTimeout(() => reject(new Error(`no stream of the binary log in ${openTimeoutMs} ms`)), openTimeoutMs);
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
    new MysqlDriver(address).run(client, plain(text), maxAnswerBytes).catch((error: unknown) => {
      refused = error;
      return null;
    }),
  );
  const start = source.begin(answers);
  if (start === null) throw refused;
  return start;
}

const maxAnswerBytes = 16 * 1024 * 1024;

/** Takes the socket over from the driver, which offers no command to read the log, and would keep a large event in memory. */
function stream(
  client: mysql2.Connection,
  hangUp: () => void,
  start: BinlogStart,
  listener: LogListener,
): Promise<LogStream> {
  const socket = socketOf(client);
  const reader = start.reader((transaction) => listener.committed(transaction));
  return new Promise((resolve, reject) => {
    let state: 'opening' | 'open' | 'closed' = 'opening';
    let silentChecks = 0;
    let position = start.start;
    const close = () => {
      state = 'closed';
      clearInterval(timer);
      stopPacing();
      hangUp();
    };
    const end = (cause: unknown) => {
      const was = state;
      if (was !== 'closed') close();
      if (was === 'opening') reject(cause);
      else if (was === 'open') listener.ended(cause);
    };
    const timer = setInterval(() => {
      if (++silentChecks > maxSilentChecks) end(new Error('the stream of the binary log is silent'));
    }, checkIntervalMs);
    const heads = new PacketHeads((packet) => {
      if (state === 'closed') return;
      if (packet[0] !== ok) throw refusal(packet);
      if (state === 'opening') resolve({ start, ask: () => undefined, close });
      state = 'open';
      reader.read(packet.subarray(1));
    });
    client.on('error', end);
    interceptSocket(socket, (chunk) => {
      silentChecks = 0;
      try {
        heads.read(chunk);
        if (state === 'closed' || reader.position === position) return null;
        position = reader.position;
        listener.reached(position);
      } catch (error) {
        end(error);
      }
      return null;
    });
    const stopPacing = paceSocket(socket);
    socket.write(dumpCommand(start));
  });
}

/** The first byte of a packet with an event. Any other packet is an error, or the end of the stream. */
const ok = 0x00;
const error = 0xff;

function refusal(packet: Buffer): Error {
  if (packet[0] !== error) return new Error('the server has ended the stream of its binary log');
  return Object.assign(new Error(packet.toString('utf8', 9)), {
    errno: packet.readUInt16LE(1),
    sqlState: packet.toString('latin1', 4, 9),
  });
}

/** A random server id, because we read the log as a replica does. If we used a real replica's id, the server would end its stream. */
function serverId(usedIds: readonly number[]): number {
  const id = randomInt(2 ** 31, 2 ** 32);
  return usedIds.includes(id) ? serverId(usedIds) : id;
}

/** The command that starts the stream: COM_BINLOG_DUMP from a position, or COM_BINLOG_DUMP_GTID, which skips the given transactions. */
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
