import type { Connection, Submittable } from 'pg';
import { interceptSocket } from '../intercept-socket.ts';

export interface LogHandler {
  /** The stream has begun. */
  started(connection: Connection): void;
  /** The first bytes of a message, at most `keep`. They are valid during the call only. */
  message(bytes: Buffer): void;
  /** All messages that have arrived are read. */
  caughtUp(): void;
  ended(error: unknown): void;
}

const copyData = 0x64;
const copyBoth = 0x57;
/** Notices, settings, notifications. */
const passing = [0x4e, 0x53, 0x41];
const headBytes = 5;
const nothing = Buffer.alloc(0);

/**
 * The messages of a START_REPLICATION. Only the start of each is kept: the driver would hold every row whole, and one may have a
 * gigabyte.
 */
export class LogMessages implements Submittable {
  readonly #text: string;
  readonly #keep: number;
  readonly #handler: LogHandler;
  /** The head of a message that has not arrived whole. */
  #head: Buffer = nothing;
  /** Bytes of the current message that have not arrived. */
  #left = 0;
  /** The start of the current message; null: it is of no interest. */
  #kept: Buffer | null = null;

  constructor(text: string, keep: number, handler: LogHandler) {
    this.#text = text;
    this.#keep = keep;
    this.#handler = handler;
  }

  submit(connection: Connection): void {
    interceptSocket(connection.stream, (chunk) => this.#read(chunk, connection));
    connection.query(this.#text);
  }

  handleError(error: unknown): void {
    this.#handler.ended(error);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#handler.ended(new Error('the server has ended the stream'));
  }

  /** Returns the bytes of a message that ends the stream, with all after it; null while it goes on. */
  #read(chunk: Buffer, connection: Connection): Buffer | null {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const part = chunk.subarray(at, at + this.#left);
        at += part.length;
        this.#take(part);
        continue;
      }
      const more = chunk.subarray(at, at + headBytes - this.#head.length);
      const head = this.#head.length === 0 ? more : Buffer.concat([this.#head, more]);
      at += more.length;
      if (head.length < headBytes) {
        // Kept bytes must not hold their chunk.
        this.#head = Buffer.from(head);
        break;
      }
      this.#head = nothing;
      const code = head[0] ?? 0;
      if (code !== copyData && code !== copyBoth && !passing.includes(code))
        return Buffer.concat([head, chunk.subarray(at)]);
      this.#left = head.readUInt32BE(1) - 4;
      this.#kept = code === copyData ? nothing : null;
      if (code === copyBoth) this.#handler.started(connection);
    }
    this.#handler.caughtUp();
    return null;
  }

  #take(part: Buffer): void {
    this.#left -= part.length;
    if (this.#kept === null) return;
    const more = part.subarray(0, Math.max(0, this.#keep - this.#kept.length));
    if (this.#kept.length === 0 && this.#left === 0) this.#kept = more;
    // A part that waits for the rest would hold its chunk.
    else if (more.length > 0) this.#kept = Buffer.concat([this.#kept, more]);
    if (this.#left === 0) this.#handler.message(this.#kept);
  }
}
