import type { Knex } from 'knex';
import type { Answer, JsonRowWriter, Lines, Statement } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';

/** The interface of a driver. `raw` is a driver's connection, which other code only passes on. */
export interface Driver {
  /** The settings that knex needs to make connections. */
  readonly knex: Pick<Knex.Config, 'client' | 'connection'>;
  /** Whether the engine has only one session. */
  readonly single: boolean;
  /** Whether a running statement can be cancelled. If it can't, calls wait until it ends, even beyond their deadline. */
  readonly interruptible: boolean;
  /**
   * Runs one statement. If its rows exceed `maxBytes`, it is cancelled and `TooLarge` is thrown. Null means no limit, for answers that are
   * certain to be a few short cells.
   * @param into receives the rows if the driver exposes the bytes it receives; the answer then contains none
   */
  run(raw: unknown, statement: Statement, maxBytes: number | null, into?: JsonRowWriter): Promise<Answer>;
  /**
   * Runs one statement and yields its rows as they arrive, with backpressure; at least one batch, maybe empty. Null if the driver
   * only returns whole results.
   */
  readonly stream: ((raw: unknown, statement: Statement, signal: AbortSignal) => AsyncIterable<Batch>) | null;
  /**
   * Runs one statement and yields its rows in the format of the writer `lines`, with backpressure; at least one batch, maybe empty.
   * Null if the driver does not expose the bytes it receives.
   */
  readonly lines:
    | ((raw: unknown, statement: Statement, lines: Lines, signal: AbortSignal) => AsyncIterable<LineBatch>)
    | null;
  /** Runs a COPY … TO STDOUT and yields its bytes as they arrive. Null if the engine has no COPY. */
  readonly copy: ((raw: unknown, text: string, signal: AbortSignal) => AsyncIterable<CopyChunk>) | null;
  /** Runs session settings; several statements in one text if the engine allows that. */
  setup(raw: unknown, text: string): Promise<void>;
  /**
   * Remembers how to recognize a new session. After a failover, another client's session on the new server may have the same number:
   * `cancel`, `end` and `activity` must leave that session alone.
   */
  identify(raw: unknown): Promise<void>;
  /**
   * Cancels the running statement on the server, over a separate connection; discard the session afterwards. Throws if the server
   * does not respond in time, but not if it refuses, or has no such session.
   */
  cancel(raw: unknown): Promise<void>;
  /** Like `cancel`, but ends the session and rolls back its transaction, because a server may take long to notice a lost connection. */
  end(raw: unknown): Promise<void>;
  /**
   * Asks the server, over a separate connection, what this session does: `ended` if it has no such session. Throws if the server
   * does not respond.
   */
  activity(raw: unknown): Promise<Activity>;
  /**
   * Whether another connection sees the settings of this session, because a pooler shares one session of the server between programs.
   * False if the driver cannot tell.
   */
  leaksSettings(raw: unknown): Promise<boolean>;
  /** Probes the server over a separate connection. Throws as `cancel` does. */
  reach(): Promise<void>;
  /** Whether this error means that the connection is lost. The driver itself may notice only a moment later. */
  isLost(error: unknown): boolean;
  /** Whether this error means that the statement was cancelled, and the session lives on. A late cancel can hit the next statement. */
  isCancelled(error: unknown): boolean;
  /** Closes the connection at once, without waiting for the server. */
  destroy(raw: unknown): void;
}

/** What a session is doing. It counts as `busy` if the server does not tell whether a statement runs. */
export type Activity = 'busy' | 'idle' | 'ended';

/** Bytes of a COPY: the first `length` bytes of a buffer that no other code uses. The rest is room for rewriting them in place. */
export interface CopyChunk {
  readonly bytes: Buffer;
  readonly length: number;
}

/** How many connections there may be, how many are in use or idle, and how many calls wait for one. */
export interface Usage {
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Some rows of a result, and the driver's names for the types of its columns. */
export interface Batch {
  readonly types: readonly string[];
  readonly cells: readonly (readonly Cell[])[];
}

/** Some lines of a result, and the types of its columns. */
export interface LineBatch {
  readonly types: readonly string[];
  readonly bytes: readonly Uint8Array[];
}

/** The result is larger than `limits.responseBytes`. */
export class TooLarge extends Error {}

/** The statement took too long by our clock: longer than `statementTimeout`, or than the budget of a total. */
export class StatementTimeout extends Error {
  readonly milliseconds: number;
  /** Whether the server has confirmed that the statement was cancelled, and so had no effect. */
  isEnded = false;

  /** @param milliseconds the timeout */
  constructor(message: string, milliseconds: number) {
    super(message);
    this.milliseconds = milliseconds;
  }
}

/** The types of a result differ from the catalogue: the table has changed since we read it. */
export class SchemaChanged extends Error {}

/** A pooler also lends the session to other programs, which would run with our session settings. */
export class SharedSession extends Error {}

/** No connection was free within `pool.acquireTimeout`. */
export class PoolTimeout extends Error {}

/** No connection was established and initialized in time, although the pool had room for one. */
export class ConnectTimeout extends PoolTimeout {
  readonly milliseconds: number;

  constructor(message: string, milliseconds: number, cause?: unknown) {
    super(message, { cause });
    this.milliseconds = milliseconds;
  }
}

/** Counts a result's bytes towards their limit. */
export class ResultRoom {
  readonly #maxBytes: number;
  readonly #onExceeded: () => void;
  #bytes = 0;
  isOver = false;

  /** @param onExceeded called once, when the limit is exceeded */
  constructor(maxBytes: number, onExceeded: () => void) {
    this.#maxBytes = maxBytes;
    this.#onExceeded = onExceeded;
  }

  /**
   * Counts a row and returns whether it still fits.
   * @param bytes the size of the row
   * @param written the bytes that a writer has produced from the rows so far: escapes can make the output larger than the rows
   */
  has(bytes: number, written = 0): boolean {
    this.#bytes += bytes;
    if (this.isOver) return false;
    this.isOver = this.#bytes > this.#maxBytes || written > this.#maxBytes;
    if (this.isOver) this.#onExceeded();
    return !this.isOver;
  }

  /**
   * Whether a row that has only partly arrived will fit: the driver keeps it in memory until it is complete. If it does not fit, the caller
   * must end the connection.
   * @param bytes the size that the server has announced
   */
  fits(bytes: number): boolean {
    if (this.#bytes + bytes <= this.#maxBytes) return true;
    if (!this.isOver) this.#onExceeded();
    this.isOver = true;
    return false;
  }
}

/** Limit of bytes per row of a download. The whole row is in memory, in about five copies. */
const maxRowBytes = 64 * 1024 * 1024;
/** The limit for a download. It applies to each row, because we pass rows on one by one. */
export const roomForEach: Pick<ResultRoom, 'fits'> = { fits: (bytes) => bytes <= maxRowBytes };

/** The approximate size of a row on the wire in bytes, as counted towards `maxBytes`. */
export function weigh(row: readonly unknown[]): number {
  let bytes = 0;
  for (const cell of row) {
    if (typeof cell === 'string') bytes += cell.length + 3;
    else bytes += cell instanceof Uint8Array ? cell.length + 3 : 5;
  }
  return bytes;
}

/** Throws if a result's types differ from the plan. Encoders rely on the types: a column retyped to text could inject JSON. */
export function checkTypes(actual: readonly string[], { types = [] }: Statement): void {
  if (types.every((type, at) => type === '' || actual[at] === type)) return;
  throw new SchemaChanged('the result has other types than the catalogue');
}
