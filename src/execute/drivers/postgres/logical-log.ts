import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Connection } from '../../../model/engines.ts';
import type { DecodingSource, DecodingStart, LogListener, LogStream } from '../../../model/feed.ts';
import { plain } from '../../../model/rows.ts';
import { configOf, hangUp } from './connection.ts';
import { postgres } from './driver.ts';
import { LogMessages } from './log-messages.ts';

/**
 * The server ends the stream of a client that hangs, and its slot, after `wal_sender_timeout`. A new slot waits for running
 * transactions; without `lock_timeout` the server would not notice that its client has gone meanwhile.
 */
const options = '-c wal_sender_timeout=5s -c lock_timeout=5s';
/** Milliseconds without a message after which the stream counts as lost; the server sends one every 2.5 s. */
const silence = 7500;
/** Bytes of the server's answers before the stream begins. */
const mostBytes = 64 * 1024;
/** Milliseconds until a commit is confirmed. */
const confirmAfter = 10;
/** Unlike the default, empty transactions are sent: they have changed definitions. */
const messages = `("include-xids" 'on', "skip-empty-xacts" 'off', "include-timestamp" 'off')`;

/**
 * Decodes the server's log by a temporary slot, which ends with the connection. `test_decoding` needs no publication: that would
 * make updates of tables without a key fail.
 * @throws the driver's error, where the slot cannot be made
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
    // A name that no other slot has.
    const slot = `datastore_gateway_${randomBytes(6).toString('hex')}`;
    const run = (text: string) => postgres(address).run(client, plain(text), mostBytes);
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
  #later: NodeJS.Timeout | null = null;
  readonly #watch: NodeJS.Timeout;

  constructor(client: pg.Client, start: DecodingStart, listener: LogListener) {
    this.start = start;
    this.#client = client;
    this.#listener = listener;
    this.#reached = start.start;
    this.#watch = setInterval(() => {
      if (performance.now() - this.#heardAt > silence)
        this.#over(new Error(`the server sent nothing for ${silence} ms`));
    }, silence / 5).unref();
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
          this.#over(cause);
        },
      };
      const text = `START_REPLICATION SLOT ${slot} LOGICAL 0/0 ${messages}`;
      this.#client.query(new LogMessages(text, heads.data + this.start.keep, handler));
    });
  }

  ask(): void {
    this.#confirm(true);
  }

  close(): void {
    this.#isOver = true;
    if (this.#later !== null) clearTimeout(this.#later);
    clearInterval(this.#watch);
    hangUp(this.#client);
  }

  #over(cause: unknown): void {
    if (this.#isOver) return;
    this.close();
    this.#listener.ended(cause);
  }

  #heard(bytes: Buffer): void {
    this.#heardAt = performance.now();
    const position = bytes.readUInt32BE(heads.position) * 2 ** 32 + bytes.readUInt32BE(heads.position + 4);
    if (bytes[0] === data) {
      const transaction = this.start.read(bytes.subarray(heads.data), position);
      if (transaction === null) return;
      this.#listener.committed(transaction);
    }
    this.#reached = Math.max(this.#reached, position);
    this.#listener.reached(this.#reached);
    // A server that shuts down waits until the position that it has just sent is confirmed.
    if (bytes[0] === keepalive && bytes[heads.isAnswerWanted] !== 0) this.#confirm(false);
  }

  /** Commits wait for this, if every connection is configured as a synchronous standby. One for each costs the server too much. */
  #confirmSoon(): void {
    if (this.#reached <= this.#confirmed || this.#later !== null) return;
    this.#later = setTimeout(() => {
      this.#later = null;
      if (this.#reached > this.#confirmed) this.#confirm(false);
    }, confirmAfter).unref();
  }

  /** Says that everything so far was received: what a slot has not confirmed fills the server's disk. */
  #confirm(isAsking: boolean): void {
    this.#confirmed = this.#reached;
    const bytes = Buffer.alloc(39);
    bytes.write('d');
    bytes.writeUInt32BE(38, 1);
    bytes.write('r', 5);
    // Written, flushed, applied. The time of the client, which follows, may be 0.
    for (const at of [6, 14, 22]) bytes.writeBigUInt64BE(BigInt(this.#reached), at);
    bytes[38] = isAsking ? 1 : 0;
    this.#socket?.write(bytes);
  }
}

const [data, keepalive] = ['w'.charCodeAt(0), 'k'.charCodeAt(0)];
/** Places in a message: its position, the plugin's data, and in a keepalive whether the server waits for a confirmation. */
const heads = { position: 1, isAnswerWanted: 17, data: 25 };
