import type { Knex } from 'knex';
import type { Answer, JsonRowWriter, Lines, Statement } from '../../model/rows.ts';
import type { Cell } from '../../model/value.ts';

/** How one driver is spoken to. `raw` is its connection, which only the member that made it looks into. */
export interface Driver {
  /** What knex must know to make connections. */
  readonly knex: Pick<Knex.Config, 'client' | 'connection'>;
  /** Whether the engine has but one session. */
  readonly single: boolean;
  /** Whether a running statement can be ended. Where it cannot, it is waited for, whatever our clock says. */
  readonly interruptible: boolean;
  /**
   * Runs one statement. Rows past `maxBytes` are not kept: the statement is cancelled, and `TooLarge` thrown.
   * @param into takes the rows where the driver shows the bytes that it receives; the answer has none then
   */
  run(raw: unknown, statement: Statement, maxBytes: number, into?: JsonRowWriter): Promise<Answer>;
  /**
   * Runs one statement and gives its rows as they come, no faster than they are taken; at least one batch. Null where the
   * driver only gives results whole.
   */
  readonly stream: ((raw: unknown, statement: Statement, signal: AbortSignal) => AsyncIterable<Batch>) | null;
  /**
   * Runs one statement and gives its rows as `lines` writes them, no faster than they are taken; at least one batch. Null where
   * the driver does not show the bytes that it receives.
   */
  readonly lines:
    | ((raw: unknown, statement: Statement, lines: Lines, signal: AbortSignal) => AsyncIterable<Written>)
    | null;
  /** Runs a COPY … TO STDOUT and gives its bytes as they come. Null where the engine has none. */
  readonly copy: ((raw: unknown, text: string, signal: AbortSignal) => AsyncIterable<Copied>) | null;
  /** Runs session settings, several statements in one text where the engine takes them. */
  setup(raw: unknown, text: string): Promise<void>;
  /**
   * Ends the running statement on the server, over a connection of its own; the session must be discarded after it. Throws
   * where the server says nothing in time, not where it refuses.
   */
  cancel(raw: unknown): Promise<void>;
  /** Asks the server, over a connection of its own, whether it still has this session. Throws where it cannot be asked. */
  hasEnded(raw: unknown): Promise<boolean>;
  /** Asks the server for anything, over a connection of its own. Throws as `cancel` does. */
  reach(): Promise<void>;
  /** Whether the connection is lost with this error. It may take a moment until the driver itself knows. */
  isLost(error: unknown): boolean;
  /** Drops the connection without ceremony. */
  destroy(raw: unknown): void;
}

/** What came is at the beginning of bytes that nobody else uses: behind it is room for what is done with it. */
export interface Copied {
  readonly bytes: Buffer;
  readonly length: number;
}

/** Connections to one database, lent and given back. */
export interface Pool {
  /** Throws `Busy` where none is free in time. */
  acquire(): Promise<unknown>;
  release(raw: unknown): Promise<void>;
  /** It is never lent again: what it was doing has not ended, or it is lost. Give it back all the same. */
  discard(raw: unknown): void;
  usage(): Usage;
  close(): Promise<void>;
}

/** How many connections there may be and are, and how many calls wait for one. */
export interface Usage {
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Some rows of a result, and what the driver calls the types of its columns. */
export interface Batch {
  readonly types: readonly string[];
  readonly cells: readonly (readonly Cell[])[];
}

/** Some lines of a result, and the types of its columns. */
export interface Written {
  readonly types: readonly string[];
  readonly bytes: readonly Uint8Array[];
}

/** The result is larger than it may be (`limits.responseBytes`). */
export class TooLarge extends Error {}

/** Our clock ended the statement (`statementTimeout`, `totalBudget`), or a greeting. */
export class StatementTimeout extends Error {
  readonly milliseconds: number;
  /** Whether the server has said that it ended it: then nothing of it is done. */
  isEnded = false;

  /** @param milliseconds that it was waited for */
  constructor(message: string, milliseconds: number) {
    super(message);
    this.milliseconds = milliseconds;
  }
}

/** The result's columns are of other types than the catalogue says: the table has changed since it was read. */
export class SchemaChanged extends Error {}

/** No connection was free within `pool.acquireTimeout`. */
export class PoolTimeout extends Error {}

/** No connection came to be within `pool.acquireTimeout`, although there was room for one. */
export class ConnectTimeout extends PoolTimeout {
  readonly milliseconds: number;

  constructor(message: string, milliseconds: number, cause: unknown) {
    super(message, { cause });
    this.milliseconds = milliseconds;
  }
}

/** How much a result may be. */
export class Room {
  readonly #maxBytes: number;
  readonly #over: () => void;
  #bytes = 0;
  isOver = false;

  /** @param over is called once, when more comes than there is room for */
  constructor(maxBytes: number, over: () => void) {
    this.#maxBytes = maxBytes;
    this.#over = over;
  }

  /**
   * Whether a row is still to be kept.
   * @param bytes of the row
   * @param made bytes that were made of all the rows before it
   */
  has(bytes: number, made = 0): boolean {
    this.#bytes += bytes;
    if (this.isOver) return false;
    this.isOver = this.#bytes > this.#maxBytes || made > this.#maxBytes;
    if (this.isOver) this.#over();
    return !this.isOver;
  }
}

/** Bytes a row takes on the wire, nearly: what `maxBytes` counts. */
export function weigh(row: readonly unknown[]): number {
  let bytes = 0;
  for (const cell of row) {
    if (typeof cell === 'string') bytes += cell.length + 3;
    else bytes += cell instanceof Uint8Array ? cell.length + 3 : 5;
  }
  return bytes;
}

/** Encoders and comparisons are made for the types of the catalogue; a column retyped to text would otherwise inject JSON. */
export function checkTypes(are: readonly string[], { types = [] }: Statement): void {
  if (types.every((type, at) => type === '' || are[at] === type)) return;
  throw new SchemaChanged('the result has other types than the catalogue');
}
