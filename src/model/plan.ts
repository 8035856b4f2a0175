/** The vocabulary of plans: reads and writes in terms of tables, before any SQL. Pure. */
import type { RecordsFormat } from './http.ts';
import type { SearchIndex } from './search-index.ts';
import type { Column, SearchSettings, Table } from './table.ts';
import type { BoundValue, Json } from './value.ts';
import type { Query } from './words.ts';

/** The full-text index that serves this search: over exactly its columns, in its language. */
export function indexFor({ column, language }: Search, settings: SearchSettings): SearchIndex | null {
  const { columns, index } = settings;
  const isOverIt = column === null || (columns.length === 1 && columns[0]?.name === column.name);
  return isOverIt && language === settings.language ? index : null;
}

/** A condition over converted values. The values of a comparison already have the column's type. */
export type Where =
  | { readonly op: 'all'; readonly of: readonly Where[] }
  | { readonly op: 'any'; readonly of: readonly Where[] }
  /** Every record that `of` does not match, also where a NULL makes it undecided. */
  | { readonly op: 'not'; readonly of: Where }
  | Comparison;

/**
 * A comparison with one column. `beyond`: the value that was sent is none that the column can hold, or may be none. A column that has
 * been widened since the catalogue was read may hold it.
 */
export type Comparison = { readonly beyond?: true } & Condition;

type Condition =
  | { readonly op: 'in'; readonly column: Column; readonly values: readonly BoundValue[] }
  | { readonly op: 'null'; readonly column: Column }
  /** In the sort order of the column; NULL is neither before nor after any value. */
  | { readonly op: RangeOp; readonly column: Column; readonly value: BoundValue }
  /** On the shown text. `pattern`: with `%` and `_` as in LIKE, and `|` as the escape character. */
  | { readonly op: 'like'; readonly column: Column; readonly pattern: string; readonly folds: boolean };

export type RangeOp = 'gt' | 'gte' | 'lt' | 'lte';

/** The columns a condition compares, each once. */
export function columnsOf(where: Where): readonly Column[] {
  const all =
    where.op === 'all' || where.op === 'any'
      ? where.of.flatMap(columnsOf)
      : where.op === 'not'
        ? columnsOf(where.of)
        : [where.column];
  return all.filter((column, at) => all.findIndex((other) => other.name === column.name) === at);
}

/** Whether the condition leaves out a value, as the type of its column cannot hold it. */
export function leavesOut(where: Where): boolean {
  if (where.op === 'all' || where.op === 'any') return where.of.some(leavesOut);
  return where.op === 'not' ? leavesOut(where.of) : where.beyond === true;
}

/** One full-text search, over one column or (null) over all searched columns. */
export interface Search {
  readonly column: Column | null;
  readonly query: Query;
  /** `native`: by the engine's full text, as far as it can express this query; else by LIKE. */
  readonly by: 'like' | 'native';
  /** A text search configuration, where the engine has them. */
  readonly language: string;
}

/** The rank of a record in a search: a column of the answer that no table has. */
export interface Rank {
  /** Its name on the wire: `rank`, or `rank title`. */
  readonly label: string;
  readonly search: Search;
}

export type Shown = Column | Rank;

export function isRank(shown: Shown): shown is Rank {
  return 'search' in shown;
}

/** The most hits that are ranked: of more only the first ones in the order of the key are. */
export const mostRanked = 1000;
/** A table without a key of at most so many records, by its estimate, is sorted for each page. */
export const mostSorted = 100_000;
/** So many records of an order are tried for frequent words before all hits are sorted. */
export const mostWalked = 10_000;

export interface Sort {
  readonly by: Shown;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
}

/** A record's position in an order, as for a cursor: its stored value for each entry of the sort. */
export type Cursor = readonly (BoundValue | null)[];

export interface Read {
  readonly effect: 'read';
  readonly table: Table;
  /** The columns of each record, in order; a column may appear twice. */
  readonly columns: readonly Shown[];
  /** The format of the records in the answer. */
  readonly format: RecordsFormat;
  /** Whether records with the same shown bytes are merged. Then it shows no rank, and sorts by shown columns. */
  readonly distinct: boolean;
  readonly where: Where;
  /** All of them must match. */
  readonly searches: readonly Search[];
  readonly sort: readonly Sort[];
  /** Records that the sort leaves equal are sorted by where they are stored, or by all columns: the table has no key. */
  readonly breaksTies?: true;
  /** Only the records after it in this order; the total does not depend on it. */
  readonly after: Cursor | null;
  /** Whether to return the cursor of the last record. */
  readonly withCursor: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly total: boolean;
}

/** Whether the records are in the order of a rank. */
export const isByRank = ({ sort: [first] }: Read): boolean => first !== undefined && isRank(first.by);

/** The same in the order of its columns alone. */
export const byColumns = (read: Read): Read => ({ ...read, sort: read.sort.filter(({ by }) => !isRank(by)) });

/** One record of a write. `values[i]` belongs to `columns[i]`; null is an explicit NULL. */
export interface WriteRecord {
  /** Its index in the call, from 0. */
  readonly row: number;
  readonly columns: readonly Column[];
  readonly values: readonly (BoundValue | null)[];
  /** The key columns and values that find it; null for an insert. A null inside never finds a record. */
  readonly key: RecordKey | null;
}

export interface RecordKey {
  readonly columns: readonly Column[];
  readonly values: readonly (BoundValue | null)[];
}

export interface Write {
  readonly effect: 'write';
  readonly method: 'insert' | 'update' | 'upsert';
  readonly table: Table;
  readonly records: readonly WriteRecord[];
  /** The columns to return of each record, read after all are written; null: none. */
  readonly returned: readonly Column[] | null;
  /** Everything is done and then rolled back. */
  readonly dryRun: boolean;
}

export interface Delete {
  readonly effect: 'delete';
  readonly table: Table;
  readonly where: Where;
  /** The columns to return of deleted records, and the limit of records, the first by their key; null: none. */
  readonly returned: { readonly columns: readonly Column[]; readonly limit: number } | null;
  /** Everything is done and then rolled back. */
  readonly dryRun: boolean;
}

/** The description of a table by the server: its size, and the number of its records. */
export interface Describe {
  readonly effect: 'describe';
  readonly table: Table;
  /** Matches all records, to count them; null where only the columns are wanted. */
  readonly count: Read | null;
}

/** One end of a range of values. */
export interface Edge {
  /** As the API shows it. */
  readonly at: Json;
  /** Matches the records whose value is below it. */
  readonly below: Where;
}

/** The most characters of a text that is a group of its own. A value is in the answer twice, and in the filters of other calls. */
export const mostInGroup = 1000;

/** Each value of the column is a group. */
export interface ByValue {
  readonly is: 'value';
  /** At most so many groups, the first by their count or by their value. */
  readonly limit: number;
  readonly sort: 'count' | 'value';
}

/** The groups are adjacent ranges of the column's values. */
export interface ByRange {
  readonly is: 'range';
  /** Matches the records that the ranges have to cover: those with a finite value. */
  readonly finite: Where;
  /**
   * The edges between the ranges, ascending, for the least and the greatest value as the API shows them. Throws a 409 where they
   * would be too many.
   */
  edges(least: string, greatest: string): readonly Edge[];
}

/** The numbers of records in groups by one column. */
export interface Aggregate<By extends ByValue | ByRange = ByValue | ByRange> {
  readonly effect: 'aggregate';
  readonly table: Table;
  readonly column: Column;
  /** All records that are counted, also those with NULL in the column. */
  readonly records: Read;
  readonly by: By;
}

/** Only so many records are counted: the first that match, or those among the first of the table that match. */
export interface Sample {
  readonly of: 'matching' | 'table';
  readonly records: number;
}

/** In bytes. */
export interface Sizes {
  readonly kind: 'BASE TABLE' | 'VIEW' | 'MATERIALIZED VIEW' | 'FOREIGN TABLE';
  readonly table: number;
  readonly indexes: number;
  readonly database: number;
}

export type Plan = Read | Write | Delete | Describe | Aggregate;

/** The condition that the filters of a call make; null where it has none. */
export function filterOf(plan: Plan): Where | null {
  if (plan.effect === 'aggregate') return plan.records.where;
  return 'where' in plan ? plan.where : null;
}
