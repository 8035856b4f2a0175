/** The vocabulary of plans: what is to be read or written, in the words of tables, before any SQL. Pure. */
import type { RecordsFormat } from './http.ts';
import type { Column, SearchIndex, SearchSettings, Table } from './table.ts';
import type { Bound } from './value.ts';

/** The full-text index that serves this search: over exactly its columns, in its language. */
export function indexFor({ column, language }: Search, settings: SearchSettings): SearchIndex | null {
  const { columns, index } = settings;
  const isOverIt = column === null || (columns.length === 1 && columns[0]?.name === column.name);
  return isOverIt && language === settings.language ? index : null;
}

/** A condition over converted values. Values of one comparison are already of the column's type. */
export type Where =
  | { readonly op: 'all'; readonly of: readonly Where[] }
  | { readonly op: 'any'; readonly of: readonly Where[] }
  /** Every record that `of` does not find, also where a NULL leaves it open. */
  | { readonly op: 'not'; readonly of: Where }
  | Comparison;

/** What is asked of one column. */
export type Comparison =
  | { readonly op: 'in'; readonly column: Column; readonly values: readonly Bound[] }
  | { readonly op: 'null'; readonly column: Column }
  /** By the order in which `sort` puts the column; NULL is on no side of anything. */
  | { readonly op: RangeOp; readonly column: Column; readonly value: Bound }
  /** Of the text that is shown. `pattern`: with `%` and `_` as in LIKE, and `|` before what stands for itself. */
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

/** What a search asks of a text. `or` of nothing is found nowhere. */
export type Query =
  | { readonly op: 'and' | 'or'; readonly of: readonly Query[] }
  | { readonly op: 'not'; readonly of: Query }
  | Words;

/** What is looked for in one piece; case is folded only by the engine. */
export type Words =
  /** `text` may hold blanks: it was quoted. `prefix`: a word may go on after it. */
  | { readonly op: 'word'; readonly text: string; readonly prefix: boolean }
  /** Words that follow one another. */
  | { readonly op: 'phrase'; readonly of: readonly { readonly text: string; readonly prefix: boolean }[] };

/** The words a query looks for, in its order. `wanted`: without those that it wants absent. */
export function wordsOf(query: Query, which: 'all' | 'wanted' = 'all'): readonly Words[] {
  switch (query.op) {
    case 'and':
    case 'or':
      return query.of.flatMap((part) => wordsOf(part, which));
    case 'not':
      return which === 'all' ? wordsOf(query.of) : [];
    default:
      return [query];
  }
}

/** The texts it looks for, one after the other. */
export function textsOf(words: Words): readonly string[] {
  return words.op === 'word' ? [words.text] : words.of.map(({ text }) => text);
}

export function hasPrefix(words: Words): boolean {
  return words.op === 'word' ? words.prefix : words.of.some(({ prefix }) => prefix);
}

/** One question of full text, over one column or (null) over all that are searched. */
export interface Search {
  readonly column: Column | null;
  readonly query: Query;
  /** `native`: by the engine's full text, as far as it can say this query; else by LIKE. */
  readonly by: 'like' | 'native';
  /** A text search configuration, where the engine has them. */
  readonly language: string;
}

/** How well a record answers a search: a column of the answer that no table has. */
export interface Rank {
  /** Its name on the wire: `rank`, or `rank title`. */
  readonly label: string;
  readonly search: Search;
}

export type Shown = Column | Rank;

export function isRank(shown: Shown): shown is Rank {
  return 'search' in shown;
}

export interface Sort {
  readonly by: Shown;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
}

/** Where a record stands in an order: its value for each entry of the sort, as it is stored. */
export type Place = readonly (Bound | null)[];

export interface Read {
  readonly effect: 'read';
  readonly table: Table;
  /** What each record shows, in order; a column may stand here twice. */
  readonly columns: readonly Shown[];
  /** What they look like in the answer. */
  readonly format: RecordsFormat;
  /** Whether records that show the same bytes are one. Then it shows no rank, and sorts by what it shows. */
  readonly distinct: boolean;
  readonly where: Where;
  /** All of them must hold. */
  readonly searches: readonly Search[];
  readonly sort: readonly Sort[];
  /** Only the records that stand after it in this order; the total does not depend on it. */
  readonly after: Place | null;
  /** Whether the place of the last record is wanted. */
  readonly place: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly total: boolean;
}

/** One record of a write. `values[i]` belongs to `columns[i]`; null is an explicit NULL. */
export interface WriteRecord {
  /** Its place in the call, from 0. */
  readonly row: number;
  readonly columns: readonly Column[];
  readonly values: readonly (Bound | null)[];
  /** The key columns and values that find it; null for an insert. A null inside never finds a record. */
  readonly key: RecordKey | null;
}

export interface RecordKey {
  readonly columns: readonly Column[];
  readonly values: readonly (Bound | null)[];
}

export interface Write {
  readonly effect: 'write';
  readonly method: 'insert' | 'update' | 'upsert';
  readonly table: Table;
  readonly records: readonly WriteRecord[];
  /** What is shown of each record after all are written; null: nothing is. */
  readonly returned: readonly Column[] | null;
  /** Everything is done and then undone. */
  readonly dryRun: boolean;
}

export interface Delete {
  readonly effect: 'delete';
  readonly table: Table;
  readonly where: Where;
  /** What is shown of each deleted record, and of how many at most, the first by their key; null: nothing is. */
  readonly returned: { readonly columns: readonly Column[]; readonly limit: number } | null;
}

/** What a table is, from the server itself: how large, and how many records. */
export interface Describe {
  readonly effect: 'describe';
  readonly table: Table;
  /** Finds all records, to count them; null where only the columns are asked for. */
  readonly count: Read | null;
}

/** In bytes. */
export interface Sizes {
  readonly kind: 'BASE TABLE' | 'VIEW' | 'MATERIALIZED VIEW' | 'FOREIGN TABLE';
  readonly table: number;
  readonly indexes: number;
  readonly database: number;
}

export type Plan = Read | Write | Delete | Describe;
