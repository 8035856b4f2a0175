/** The vocabulary of plans: reads and writes of tables, before any SQL. Pure. */
import type { RecordsFormat } from './http.ts';
import type { SearchIndex } from './search-index.ts';
import type { Column, SearchSettings, Table } from './table.ts';
import type { BoundValue, Json } from './value.ts';
import type { Query } from './words.ts';

/** The full-text index for this search, which must have exactly its columns and its language; null if there is none. */
export function indexFor({ column, language }: Search, settings: SearchSettings): SearchIndex | null {
  const { columns, index } = settings;
  const isOverIt = column === null || (columns.length === 1 && columns[0]?.name === column.name);
  return isOverIt && language === settings.language ? index : null;
}

/** A condition over converted values. The values of a comparison already have the column's type. */
export type Where =
  | { readonly op: 'all'; readonly of: readonly Where[] }
  | { readonly op: 'any'; readonly of: readonly Where[] }
  /** Every record that `of` does not match, including records where a NULL leaves `of` undecided. */
  | { readonly op: 'not'; readonly of: Where }
  | Comparison;

/**
 * A comparison with one column. `beyond`: the client sent a value that the column's type (perhaps) cannot hold. The column may hold it
 * by now, if it was widened after the catalogue was read.
 */
export type Comparison = { readonly beyond?: true } & Condition;

type Condition =
  | { readonly op: 'in'; readonly column: Column; readonly values: readonly BoundValue[] }
  | { readonly op: 'null'; readonly column: Column }
  /** Compares in the sort order of the column. NULL never matches. */
  | { readonly op: RangeOp; readonly column: Column; readonly value: BoundValue }
  /** Compares the text that the API shows. `pattern`: with `%` and `_` as in LIKE, and `|` as the escape character. */
  | { readonly op: 'like'; readonly column: Column; readonly pattern: string; readonly folds: boolean };

export type RangeOp = 'gt' | 'gte' | 'lt' | 'lte';

/** The columns that a condition compares, each once. */
export function columnsOf(where: Where): readonly Column[] {
  const all =
    where.op === 'all' || where.op === 'any'
      ? where.of.flatMap(columnsOf)
      : where.op === 'not'
        ? columnsOf(where.of)
        : [where.column];
  return all.filter((column, at) => all.findIndex((other) => other.name === column.name) === at);
}

/** Whether the condition has a `beyond` value: by the catalogue, its column (perhaps) cannot hold it. */
export function mayExceedType(where: Where): boolean {
  if (where.op === 'all' || where.op === 'any') return where.of.some(mayExceedType);
  return where.op === 'not' ? mayExceedType(where.of) : where.beyond === true;
}

/** One full-text search, over one column or (null) over all columns of the table's search settings. */
export interface Search {
  readonly column: Column | null;
  readonly query: Query;
  /** `native`: by the engine's full-text search, if that can express the query; else by LIKE. */
  readonly by: 'like' | 'native';
  /** The text search configuration; unused on engines without any. */
  readonly language: string;
  /** The rank must depend on the record alone. MySQL's full-text rank also depends on other rows, which the caller may have no right to see. */
  readonly ranksAlone?: true;
}

/** The rank of a record in a search, which the answer shows like a column. */
export interface Rank {
  /** The name in the answer: `rank`, or `rank title` for a search in the column `title`. */
  readonly label: string;
  readonly search: Search;
}

export type Shown = Column | Rank;

export function isRank(shown: Shown): shown is Rank {
  return 'search' in shown;
}

/** Limit of ranked hits. If a search has more, only the first in key order are ranked. */
export const maxRankedHits = 1000;
/** A table without a key is sorted by whole rows for each page, unless the planner estimates more records than this. */
export const maxSortedRecords = 100_000;
/** For frequent words: how many records to check in sort order for hits, before all hits are sorted instead. */
export const maxWalkedRecords = 10_000;

export interface Sort {
  readonly by: Shown;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
}

/** An order by a column. */
export type ColumnSort = Sort & { readonly by: Column };

/** A record's position in an order: its stored value for each entry of the sort. */
export type Cursor = readonly (BoundValue | null)[];

export interface Read {
  readonly effect: 'read';
  readonly table: Table;
  /** The columns of each record, in order; a column may appear twice. */
  readonly columns: readonly Shown[];
  readonly format: RecordsFormat;
  /** Whether records that look the same in the answer are merged. Such a read shows no rank, and sorts by shown columns only. */
  readonly distinct: boolean;
  readonly where: Where;
  /** The full-text searches, all of which a record must match. */
  readonly searches: readonly Search[];
  readonly sort: readonly Sort[];
  /** The table has no key: records that are equal in the sort are sorted by their address (ctid), or by all columns. */
  readonly breaksTies?: true;
  /** The position after which the page begins; null for the first page. The total does not depend on it. */
  readonly after: Cursor | null;
  /** Whether to return the cursor of the last record. */
  readonly withCursor: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly total: boolean;
}

/** Whether the records are sorted by rank first. */
export const isByRank = ({ sort: [first] }: Read): boolean => first !== undefined && isRank(first.by);

/** The same read, sorted by its columns only, without ranks. */
export const byColumns = <R extends Read>(read: R): R => ({ ...read, sort: read.sort.filter(({ by }) => !isRank(by)) });

/** One record of a write. `values[i]` belongs to `columns[i]`; null is an explicit NULL. */
export interface WriteRecord {
  /** The record's index in the call, from 0. */
  readonly row: number;
  readonly columns: readonly Column[];
  readonly values: readonly (BoundValue | null)[];
  /** The columns and values that find the record; null for an insert. A key with a NULL in it finds no record. */
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
  /** The columns to return of each record, read after all are written; null to return no records. */
  readonly returned: readonly Column[] | null;
  /** Whether to roll back at the end, instead of committing. */
  readonly dryRun: boolean;
}

export interface Delete {
  readonly effect: 'delete';
  readonly table: Table;
  readonly where: Where;
  /** The columns to return of deleted records, at most `limit` of them in key order; null to return no records. */
  readonly returned: { readonly columns: readonly Column[]; readonly limit: number } | null;
  /** Whether to roll back at the end, instead of committing. */
  readonly dryRun: boolean;
}

/** Asks the server for a table's sizes, and for the number of its records. */
export interface Describe {
  readonly effect: 'describe';
  readonly table: Table;
  /** A read of all records, to count them; null if the call asks for the columns only. */
  readonly count: Read | null;
}

/** One end of a range of values. */
export interface Edge {
  /** The value as the API shows it. */
  readonly at: Json;
  /** A condition for records with a value below this edge. */
  readonly below: Where;
}

/** In characters. Longer texts get no group of their own, because an answer has each value twice, and clients send it back as a filter. */
export const maxGroupCharacters = 1000;

/** Each value of the column is a group. */
export interface ByValue {
  readonly is: 'value';
  /** The most groups to return: the first in the order of `sort`. */
  readonly limit: number;
  readonly sort: 'count' | 'value';
}

/** The groups are adjacent ranges of the column's values. */
export interface ByRange {
  readonly is: 'range';
  /** A condition for records with a finite value, which the ranges have to cover. */
  readonly finite: Where;
  /**
   * Computes the edges of the ranges, ascending, from the least and the greatest value as the API shows them. Throws a 409 if there
   * would be too many.
   */
  edges(least: string, greatest: string): readonly Edge[];
}

/** Counts records in groups, by one column. */
export interface Aggregate<By extends ByValue | ByRange = ByValue | ByRange> {
  readonly effect: 'aggregate';
  readonly table: Table;
  readonly column: Column;
  /** The records to count, including those with NULL in the column. */
  readonly records: Read;
  readonly by: By;
}

/** Limits a count to `records` records: the first that match, or the matching ones among the first of the table. */
export interface Sample {
  readonly of: 'matching' | 'table';
  readonly records: number;
}

/** The sizes of a table, its indexes and its database, in bytes; null for a caller with a row filter. */
export interface Sizes {
  readonly kind: 'BASE TABLE' | 'VIEW' | 'MATERIALIZED VIEW' | 'FOREIGN TABLE';
  readonly table: number | null;
  readonly indexes: number | null;
  readonly database: number | null;
}
