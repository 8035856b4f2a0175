import type { Blame, Catalog, Outage, Server } from './catalog.ts';
import type { Delete, Read, Shown, Sizes, Where } from './plan.ts';
import type { Answer, Copying, Encoder, Statement } from './rows.ts';
import type { Column, Table } from './table.ts';
import type { Bound, Cell } from './value.ts';

/** One row of values, a value per column; null is NULL. */
export type Values = readonly (Bound | null)[];

/**
 * What one kind of engine can do, as pure functions. Differences between engines are facts here; nobody else asks which
 * engine it is.
 */
export interface Dialect {
  /** Told to every new session, so that no setting of a server, role or database changes what we read or write. */
  readonly sessionSetup: (statementTimeout: number) => readonly string[];
  search(read: Read): Statement;
  /** The same where records may be read slowly: nobody waits for the table meanwhile, also where it has no transactions. */
  unlocked(read: Read): Statement;
  /**
   * A COPY statement whose bytes are, line for line, what the encoders write, but for the columns that it says; null where the
   * engine has none, where a value has to be bound, or where the text of a column has no exact SQL.
   */
  copy(read: Read, delimiter: string): Copying | null;
  /** `search` as a COPY in text format: much faster to read. Null where the engine has none, or where a value has to be bound. */
  copyRows(read: Read): string | null;
  count(read: Read): Statement;
  /** The planner's guess for `count`. */
  estimate(read: Read): Statement;
  estimated(answer: Answer): number;
  /** Deletes what matches. Where `returning.delete`, its result is what `plan.returned` asks for, in the order of the key. */
  delete(plan: Delete): Statement;
  /** What the server knows of the table's size. */
  sizes(table: Table): Statement;
  sized(answer: Answer): Sizes;
  /** Reads no record, but tells whether these columns still are of the types the catalogue says. */
  check(table: Table, columns: readonly Column[]): Statement;

  /** Locks the records with these keys, in key order, and gives their key columns as they are stored. */
  lock(table: Table, columns: readonly Column[], keys: readonly Values[]): Statement;
  /** Where `returning.insert`, its result is these columns of the new records, in the order of `rows`. */
  insert(table: Table, columns: readonly Column[], rows: readonly Values[], returned: readonly Column[]): Statement;
  /** Sets `columns` of the records found by `key`; a row is its key's values followed by the values to set. */
  update(table: Table, key: readonly Column[], columns: readonly Column[], rows: readonly Values[]): Statement;
  /** Sets `columns` of what matches. */
  change(table: Table, where: Where, columns: readonly Column[], values: Values): Statement;
  /** Which statements can tell what they have done, after triggers and defaults. */
  readonly returning: { readonly insert: boolean; readonly delete: boolean };
  /** Columns of the records that match; `lock`: held until the transaction ends. */
  records(table: Table, columns: readonly Column[], where: Where, how: Listing): Statement;
  /** Makes the engine check at once what it would check at the commit only; null where there is no such thing. */
  readonly settle: Statement | null;
  /** How to know what became of a commit whose answer was lost; null where no server can tell. */
  readonly outcome: Outcome | null;
  readonly limits: { readonly bindings: number; readonly insertRows: number; readonly updateRows: number };

  encoder(shown: Shown): Encoder;
  /** What an encoder is to be given for the bytes that a server has sent for a cell. */
  cell(bytes: Uint8Array): Cell;
  blame(error: unknown): Blame;

  /** The queries that read what the tables look like: as many whatever the number of tables. */
  catalogQueries(tables: readonly { readonly schema: string | null; readonly name: string }[]): readonly Statement[];
  /** Their answers, in the same order → the catalogue. A query that was refused for lack of rights gives null. */
  catalog(answers: readonly (Answer | null)[]): Catalog;
}

export interface Outcome {
  /** A query for what the transaction under way is known by. */
  readonly id: string;
  /** Ends the transaction where it still runs, and gives `committed`, `aborted`, null for never, or another word for not yet. */
  ask(id: string): Statement;
}

/** How many records are listed, and how. */
export interface Listing {
  /** Ascending, NULLs last. */
  readonly order: readonly Column[];
  readonly limit: number | null;
  readonly lock: boolean;
}

/** A member of the family: asks a server what it is, and is then the dialect that server speaks. */
export interface Family {
  readonly serverQuery: string;
  server(answer: Answer): Server;
  dialect(server: Server): Dialect;
  /** A driver's error that kept it from connecting, or ended a connection → why. */
  outage(error: unknown): Outage;
}
