import type { Connection, Submittable } from 'pg';
import type { Copied } from '../../connection/session.ts';
import type { Flow } from '../flow.ts';
import { interceptSocket } from '../intercept-socket.ts';

const copyData = 0x64;
const copyDone = 0x63;
/** Messages that may come between rows: CopyOutResponse, notices, settings, notifications. */
const passing = [0x48, 0x4e, 0x53, 0x41];
const headBytes = 5;

/**
 * The bytes of a COPY … TO STDOUT. Each row is a message; the payloads of one chunk are moved together in place.
 * (pg-copy-streams makes several objects per row, and takes four times as long.)
 */
export class CopyOut implements Submittable {
  readonly #text: string;
  readonly #flow: Flow<Copied>;
  /** The beginning of a message whose head is not complete. */
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of the current message that have not arrived, and whether it is a row. */
  #left = 0;
  #isRow = false;

  constructor(text: string, flow: Flow<Copied>) {
    this.#text = text;
    this.#flow = flow;
  }

  /** Reads the socket until the rows have ended; later bytes go to the driver again. */
  submit(connection: Connection): void {
    interceptSocket(connection.stream, (chunk) => this.#unwrap(chunk));
    connection.query(this.#text);
  }

  handleError(error: unknown): void {
    this.#flow.fail(error);
  }

  handleReadyForQuery(): void {
    this.#flow.end();
  }

  handleCommandComplete(): void {}

  /** Returns the bytes after the last row; null while there are more rows. */
  #unwrap(chunk: Buffer): Buffer | null {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = Buffer.alloc(0);
    let at = Math.min(this.#left, bytes.length);
    let kept = this.#isRow ? at : 0;
    this.#left -= at;
    let after: Buffer | null = null;
    while (at < bytes.length) {
      const code = bytes[at] ?? 0;
      if (bytes.length - at < headBytes) {
        this.#rest = Buffer.from(bytes.subarray(at));
        break;
      }
      this.#isRow = code === copyData;
      if (!this.#isRow && !passing.includes(code)) {
        after = bytes.subarray(code === copyDone ? at + headBytes : at);
        break;
      }
      const start = at + headBytes;
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      at = Math.min(end, bytes.length);
      this.#left = end - at;
      if (!this.#isRow) continue;
      bytes.copyWithin(kept, start, at);
      kept += at - start;
    }
    // The bytes after the last row belong to the driver, which may keep them.
    const own = after === null ? bytes : bytes.subarray(0, bytes.length - after.length);
    if (kept > 0) this.#flow.push({ bytes: own, length: kept }, kept);
    return after;
  }
}
