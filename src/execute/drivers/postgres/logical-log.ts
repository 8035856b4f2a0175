import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Connection } from '../../../model/engines.ts';
import type { DecodingSource, DecodingStart, LogListener, LogStream } from '../../../model/feed.ts';
import { plain } from '../../../model/rows.ts';
import { configOf, hangUp } from './connection.ts';
import { PostgresDriver } from './driver.ts';
import { LogMessages } from './log-messages.ts';

/**
 * If we hang, the server ends the stream and drops the slot after `wal_sender_timeout`. Creating a slot waits for running transactions;
 * without `lock_timeout` the server would go on waiting after we have disconnected.
 */
const options = '-c wal_sender_timeout=5s -c lock_timeout=5s';
/** Milliseconds without a message after which the stream counts as lost; the server sends one at least every 2.5 s. */
const silenceTimeoutMs = 7500;
/** Limit of bytes for each answer before the stream begins. */
const maxAnswerBytes = 64 * 1024;
/** Milliseconds for which we collect commits, to confirm them together. */
const confirmDelayMs = 10;
/** Includes transactions without changed rows, which the default leaves out, because they may be DDL. */
const messages = `("include-xids" 'on', "skip-empty-xacts" 'off', "include-timestamp" 'off')`;

/**
 * Decodes the server's log through a temporary replication slot, which ends with the connection. The plugin `test_decoding` needs no
 * publication: with one, updates of tables without a primary key would fail.
 * @throws the driver's error if the slot cannot be created
 */
export async function openLogicalLog(
  address: Connection,
  source: DecodingSource,
  listener: LogListener,
): Promise<LogStream> {
  const client = new pg.Client({
    ...configOf(address),
    ...{ replication: 'database', application_name: source.name, options },
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // A random name, because slot names are unique on the server.
    const slot = `datastore_gateway_${randomBytes(6).toString('hex')}`;
    const run = (text: string) => new PostgresDriver(address).run(client, plain(text), maxAnswerBytes);
    await run(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL test_decoding NOEXPORT_SNAPSHOT`);
    const { cells } = await run(source.query);
    const start = source.begin((cells[0] ?? []).map(String));
    if (start === null) throw new Error('the server does not say where its log is');
    const log = new LogicalLog(client, start, listener);
    await log.read(slot);
    return log;
  } catch (cause) {
    hangUp(client);
    throw cause;
  }
}

class LogicalLog implements LogStream {
  readonly start: DecodingStart;
  readonly #client: pg.Client;
  readonly #listener: LogListener;
  #reached: number;
  #socket: Duplex | null = null;
  #isOver = false;
  #heardAt = performance.now();
  #confirmed = 0;
  #confirmTimer: NodeJS.Timeout | null = null;
  readonly #watch: NodeJS.Timeout;

  constructor(client: pg.Client, start: DecodingStart, listener: LogListener) {
    this.start = start;
    this.#client = client;
    this.#listener = listener;
    this.#reached = start.start;
    this.#watch = setInterval(() => {
      if (performance.now() - this.#heardAt > silenceTimeoutMs)
        this.#endWith(new Error(`the server sent nothing for ${silenceTimeoutMs} ms`));
    }, silenceTimeoutMs / 5).unref();
  }

  /** Resolves when the stream has begun. */
  read(slot: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const handler = {
        started: ({ stream }: pg.Connection) => {
          this.#socket = stream;
          resolve();
        },
        message: (bytes: Buffer) => this.#heard(bytes),
        caughtUp: () => this.#confirmSoon(),
        ended: (cause: unknown) => {
          reject(cause);
          this.#endWith(cause);
        },
      };
      const text = `START_REPLICATION SLOT ${slot} LOGICAL 0/0 ${messages}`;
      this.#client.query(new LogMessages(text, offsets.data + this.start.keep, handler));
    });
  }

  ask(): void {
    this.#confirm(true);
  }

  close(): void {
    this.#isOver = true;
    if (this.#confirmTimer !== null) clearTimeout(this.#confirmTimer);
    clearInterval(this.#watch);
    hangUp(this.#client);
  }

  #endWith(cause: unknown): void {
    if (this.#isOver) return;
    this.close();
    this.#listener.ended(cause);
  }

  #heard(bytes: Buffer): void {
    this.#heardAt = performance.now();
    const position = bytes.readUInt32BE(offsets.position) * 2 ** 32 + bytes.readUInt32BE(offsets.position + 4);
    if (bytes[0] === data) {
      const transaction = this.start.read(bytes.subarray(offsets.data), position);
      if (transaction === null) return;
      this.#listener.committed(transaction);
    }
    this.#reached = Math.max(this.#reached, position);
    this.#listener.reached(this.#reached);
    // Confirm at once if the server asks for it: a server that shuts down waits for that.
    if (bytes[0] === keepalive && bytes[offsets.isAnswerWanted] !== 0) this.#confirm(false);
  }

  /** With `synchronous_standby_names = '*'`, commits wait for us. We confirm several together: each message costs the server. */
  #confirmSoon(): void {
    if (this.#reached <= this.#confirmed || this.#confirmTimer !== null) return;
    this.#confirmTimer = setTimeout(() => {
      this.#confirmTimer = null;
      if (this.#reached > this.#confirmed) this.#confirm(false);
    }, confirmDelayMs).unref();
  }

  /** Confirms everything received so far. The server keeps its log until we confirm, so without this its disk would fill up. */
  #confirm(isAsking: boolean): void {
    this.#confirmed = this.#reached;
    const bytes = Buffer.alloc(39);
    bytes.write('d');
    bytes.writeUInt32BE(38, 1);
    bytes.write('r', 5);
    // The positions written, flushed and applied. The client's clock follows, and may stay 0.
    for (const at of [6, 14, 22]) bytes.writeBigUInt64BE(BigInt(this.#reached), at);
    bytes[38] = isAsking ? 1 : 0;
    this.#socket?.write(bytes);
  }
}

const [data, keepalive] = ['w'.charCodeAt(0), 'k'.charCodeAt(0)];
/** Offsets in a message: the log position, the flag of a keepalive that asks for a confirmation, and the plugin's data. */
const offsets = { position: 1, isAnswerWanted: 17, data: 25 };
