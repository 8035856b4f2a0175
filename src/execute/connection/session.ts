import type { Knex } from 'knex';
import type { Answer, JsonRowWriter, Lines, Statement } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';

/** The interface of one driver. `raw` is its connection; only the driver that made it looks inside. */
export interface Driver {
  /** knex's settings for making connections. */
  readonly knex: Pick<Knex.Config, 'client' | 'connection'>;
  /** Whether the engine has a single session. */
  readonly single: boolean;
  /** Whether a running statement can be cancelled. Where it cannot, calls wait for its end despite their deadline. */
  readonly interruptible: boolean;
  /**
   * Runs one statement. Rows past `maxBytes` are dropped: the statement is cancelled, and `TooLarge` thrown.
   * @param into takes the rows where the driver exposes the bytes it receives; the answer then has none
   */
  run(raw: unknown, statement: Statement, maxBytes: number, into?: JsonRowWriter): Promise<Answer>;
  /**
   * Runs one statement and yields its rows as they arrive, with backpressure; at least one batch. Null where the driver only
   * returns whole results.
   */
  readonly stream: ((raw: unknown, statement: Statement, signal: AbortSignal) => AsyncIterable<Batch>) | null;
  /**
   * Runs one statement and yields its rows as `lines` writes them, with backpressure; at least one batch. Null where the driver
   * does not expose the bytes it receives.
   */
  readonly lines:
    | ((raw: unknown, statement: Statement, lines: Lines, signal: AbortSignal) => AsyncIterable<LineBatch>)
    | null;
  /** Runs a COPY … TO STDOUT and yields its bytes as they arrive. Null where the engine has no COPY. */
  readonly copy: ((raw: unknown, text: string, signal: AbortSignal) => AsyncIterable<Copied>) | null;
  /** Runs session settings, several statements in one text where the engine allows that. */
  setup(raw: unknown, text: string): Promise<void>;
  /**
   * Notes what the server shows of a new session. The address may lead to another server later, where somebody else's session has the
   * same number: `cancel`, `end` and `activity` leave that one alone.
   */
  identify(raw: unknown): Promise<void>;
  /**
   * Cancels the running statement on the server, over a separate connection; discard the session afterwards. Throws if the
   * server does not respond in time, not if it refuses or does not show the session.
   */
  cancel(raw: unknown): Promise<void>;
  /** Ends the session on the server in the same way, and rolls its transaction back: a lost line may not tell the server. */
  end(raw: unknown): Promise<void>;
  /**
   * Asks the server, over a separate connection, what this session does: `ended` where it shows no such session. Throws if the server
   * cannot be asked.
   */
  activity(raw: unknown): Promise<Activity>;
  /**
   * Whether another connection sees a setting of this session: a pooler hands one session of the server to several programs. False
   * where it cannot be known.
   */
  leaksSettings(raw: unknown): Promise<boolean>;
  /** Probes the server over a separate connection. Throws as `cancel` does. */
  reach(): Promise<void>;
  /** Whether the connection is lost with this error. The driver itself may notice only a moment later. */
  isLost(error: unknown): boolean;
  /** Whether the server has ended the statement alone, as after `cancel`, which may be late. */
  isCancelled(error: unknown): boolean;
  /** Closes the connection without a goodbye. */
  destroy(raw: unknown): void;
}

/** `busy` also where the server does not say whether a statement runs. */
export type Activity = 'busy' | 'idle' | 'ended';

/** `length` bytes at the start of a buffer that nothing else uses. The room behind them is for rewriting in place. */
export interface Copied {
  readonly bytes: Buffer;
  readonly length: number;
}

/** Connections to one database, lent and returned. */
export interface Pool {
  /** Throws `PoolTimeout` where none is free in time. */
  acquire(): Promise<unknown>;
  release(raw: unknown): Promise<void>;
  /** Never lends this session again: its statement has not ended, or it is lost. Release it all the same. */
  discard(raw: unknown): void;
  usage(): Usage;
  close(): Promise<void>;
}

/** The limit of connections, how many are used and idle, and how many calls wait for one. */
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

/** The statement took too long by our clock (`statementTimeout`, `totalBudget`). */
export class StatementTimeout extends Error {
  readonly milliseconds: number;
  /** Whether the server has confirmed the cancellation: then the statement had no effect. */
  isEnded = false;

  /** @param milliseconds the time that was waited */
  constructor(message: string, milliseconds: number) {
    super(message);
    this.milliseconds = milliseconds;
  }
}

/** The result's columns have other types than the catalogue: the table has changed since it was read. */
export class SchemaChanged extends Error {}

/** A pooler gives the session to other programs, too: settings would stay in it. */
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

/** The limit of bytes of a result. */
export class ResultRoom {
  readonly #maxBytes: number;
  readonly #over: () => void;
  #bytes = 0;
  isOver = false;

  /** @param over called once, when the limit is exceeded */
  constructor(maxBytes: number, over: () => void) {
    this.#maxBytes = maxBytes;
    this.#over = over;
  }

  /**
   * Counts a row and returns whether it still fits.
   * @param bytes of the row
   * @param made bytes written for all rows before it
   */
  has(bytes: number, made = 0): boolean {
    this.#bytes += bytes;
    if (this.isOver) return false;
    this.isOver = this.#bytes > this.#maxBytes || made > this.#maxBytes;
    if (this.isOver) this.#over();
    return !this.isOver;
  }

  /**
   * Whether a row that has not arrived whole will fit: a driver keeps it in memory until it has. Where it will not, the connection has
   * to be ended.
   * @param bytes that the server has announced
   */
  fits(bytes: number): boolean {
    if (this.#bytes + bytes <= this.#maxBytes) return true;
    if (!this.isOver) this.#over();
    this.isOver = true;
    return false;
  }
}

/** The most bytes of a row of a download, where it has to be in memory as a whole: some five copies of it are. */
const mostRowBytes = 64 * 1024 * 1024;
/** A download passes its rows on one by one, and has room for each of them. */
export const roomForEach: Pick<ResultRoom, 'fits'> = { fits: (bytes) => bytes <= mostRowBytes };

/** Approximate bytes of a row on the wire, as `maxBytes` counts them. */
export function weigh(row: readonly unknown[]): number {
  let bytes = 0;
  for (const cell of row) {
    if (typeof cell === 'string') bytes += cell.length + 3;
    else bytes += cell instanceof Uint8Array ? cell.length + 3 : 5;
  }
  return bytes;
}

/** Encoders and comparisons fit the types of the catalogue only; a column retyped to text would otherwise inject JSON. */
export function checkTypes(are: readonly string[], { types = [] }: Statement): void {
  if (types.every((type, at) => type === '' || are[at] === type)) return;
  throw new SchemaChanged('the result has other types than the catalogue');
}
