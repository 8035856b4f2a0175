import type { Connection, Submittable } from 'pg';
import { interceptSocket } from '../socket.ts';

export interface LogHandler {
  /** Called when the stream has begun. */
  started(connection: Connection): void;
  /** Gets the first bytes of a message, at most `keep`. They are valid during the call only. */
  message(bytes: Buffer): void;
  /** Called when all messages of a chunk have been read. */
  caughtUp(): void;
  ended(error: unknown): void;
}

const copyData = 0x64;
const copyBoth = 0x57;
/** Messages to skip: NoticeResponse, ParameterStatus, NotificationResponse. */
const skipped = [0x4e, 0x53, 0x41];
const headBytes = 5;
const noBytes = Buffer.alloc(0);

/**
 * Reads the messages after START_REPLICATION, and keeps only the start of each. The driver would keep each changed row in memory, and
 * a row may have a gigabyte.
 */
export class LogMessages implements Submittable {
  readonly #text: string;
  readonly #keep: number;
  readonly #handler: LogHandler;
  /** The part of a message's header that has arrived. */
  #head: Buffer = noBytes;
  /** How many bytes of the current message are still to come. */
  #missing = 0;
  /** The beginning of the current message; null if we skip the message. */
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

  /** Returns null while the stream goes on. At its end, returns the message that ends it, and all bytes after that. */
  #read(chunk: Buffer, connection: Connection): Buffer | null {
    let at = 0;
    while (at < chunk.length) {
      if (this.#missing > 0) {
        const part = chunk.subarray(at, at + this.#missing);
        at += part.length;
        this.#take(part);
        continue;
      }
      const more = chunk.subarray(at, at + headBytes - this.#head.length);
      const head = this.#head.length === 0 ? more : Buffer.concat([this.#head, more]);
      at += more.length;
      if (head.length < headBytes) {
        // Copy the bytes, so that they do not keep the whole chunk in memory.
        this.#head = Buffer.from(head);
        break;
      }
      this.#head = noBytes;
      const code = head[0] ?? 0;
      if (code !== copyData && code !== copyBoth && !skipped.includes(code))
        return Buffer.concat([head, chunk.subarray(at)]);
      this.#missing = head.readUInt32BE(1) - 4;
      this.#kept = code === copyData ? noBytes : null;
      if (code === copyBoth) this.#handler.started(connection);
    }
    this.#handler.caughtUp();
    return null;
  }

  #take(part: Buffer): void {
    this.#missing -= part.length;
    if (this.#kept === null) return;
    const more = part.subarray(0, Math.max(0, this.#keep - this.#kept.length));
    if (this.#kept.length === 0 && this.#missing === 0) this.#kept = more;
    // Copy a part that has to wait for the rest of its message, so that it does not keep the chunk in memory.
    else if (more.length > 0) this.#kept = Buffer.concat([this.#kept, more]);
    if (this.#missing === 0) this.#handler.message(this.#kept);
  }
}
