/**
 * The vocabulary. Stations do not import one another; what travels between them is named here.
 * Pure: no effects, no driver, no `node:*`.
 */
import type { LosslessNumber } from 'lossless-json';

/** A JSON value as a client sent it. A number that a double cannot hold to the digit arrives as a `LosslessNumber`. */
export type Json = null | boolean | number | string | LosslessNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * What a column holds, as far as conversion, comparison and rendering need to know it. The same kinds on every engine;
 * each decides how a value enters (`actions/values.ts`) and leaves (`dialects/encode.ts`).
 */
export type Type =
  /** `zero`: holds 0, although below `min` (MySQL's YEAR). */
  | {
      readonly kind: 'int';
      readonly wire: IntWire;
      readonly min: bigint;
      readonly max: bigint;
      readonly zero?: true;
    }
  | {
      readonly kind: 'decimal';
      readonly precision: number | null;
      readonly scale: number | null;
      readonly nan: boolean;
    }
  /** `scale`: MySQL's FLOAT(7,2) rounds to so many fractional digits. */
  | { readonly kind: 'float'; readonly bits: 32 | 64; readonly nan: boolean; readonly scale?: number }
  | { readonly kind: 'bool' }
  /** `length` in characters, null where there is none. `padded`: CHAR(n). `nul`: the engine can hold U+0000. */
  | { readonly kind: 'text'; readonly length: number | null; readonly padded: boolean; readonly nul: boolean }
  /** ENUM (`many: false`) and SET. On MySQL the values include '', the engine's mark of an invalid one. */
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly many: boolean }
  /** `infinite`: the engine has years BC, years after 9999 and infinity (PostgreSQL). */
  | { readonly kind: 'date'; readonly infinite: boolean }
  /**
   * `digits`: fractional digits the column keeps. `span`: MySQL's TIME is a signed duration up to 838:59:59; `brim`: the last
   * second with its fractions, too (MariaDB).
   */
  | { readonly kind: 'time'; readonly digits: number; readonly span: boolean; readonly brim?: boolean }
  /** `least`: without a zone, 3 fractional digits are shown even where they are zero; 0: none that is. */
  | {
      readonly kind: 'timestamp';
      readonly digits: number;
      readonly zoned: boolean;
      readonly infinite: boolean;
      readonly least?: 0;
    }
  | { readonly kind: 'json'; readonly binary: boolean }
  | { readonly kind: 'binary'; readonly length: number | null }
  | { readonly kind: 'bits'; readonly length: number | null; readonly varying: boolean }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'array'; readonly of: Type }
  /**
   * Types whose text only the engine understands: interval, inet, money … `wire` is the name shown. `digits`: fractional
   * digits it keeps, and rounds to. `form`: what the text must be, where the engine would take anything else for NULL.
   */
  | {
      readonly kind: 'opaque';
      readonly wire: string;
      readonly comparable: boolean;
      readonly digits?: number;
      readonly form?: 'inet4' | 'inet6';
    };

export type IntWire = 'int2' | 'int4' | 'int8' | 'numeric';

export interface Column {
  /** Its name in the table. SQL uses this one, quoted. */
  readonly name: string;
  /** Its name on the wire: `as` of the configuration, else `name`; `_id` for the column shown as such. */
  readonly label: string;
  readonly type: Type;
  /** What the driver calls the type of such a column in a result: an answer of another type means the table has changed. */
  readonly resultType: string;
  /** The engine's own name of the type, fit for a cast (PostgreSQL) or for a message (MySQL). */
  readonly native: string;
  /** The type as the engine prints it for people, lengths included. */
  readonly declared: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  /** MySQL: the engine numbers new records here, and tells the number it gave to the last one. */
  readonly autoIncrement?: true;
  /** Cannot be written: generated, identity ALWAYS, or `readOnly` in the configuration. */
  readonly readOnly: boolean;
  /** Collation and character set of a text column, where the engine has them per column. */
  readonly collation: string | null;
  readonly charset: string | null;
  /** `exact`: `=` of the engine already is byte equality. `folds`: it is not, and must be narrowed. `engine`: asked for. */
  readonly equality: 'exact' | 'folds' | 'engine';
  /** The data dictionary entry, shown in `fields[].info`. */
  readonly info: JsonObject | null;
}

/** An index over whole columns and all rows. */
export interface Index {
  readonly name: string;
  /** All that it holds, as the table calls them. */
  readonly columns: readonly string[];
  readonly unique: boolean;
}

/** What is told of a table beside its records. */
export interface About {
  readonly aliases: readonly string[];
  /** The indexes that hold visible columns only; the one that says most comes first. */
  readonly indexes: readonly Index[];
  /** Whether the table has columns that nobody may see: its size would tell of them. */
  readonly hides: boolean;
}

export interface UniqueKey {
  /** The constraint's or index's name in the database; only ever compared, never shown. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** A table or view as one resource shows it: only what a caller may see, and what SQL needs to reach it. */
export interface Table {
  readonly resource: string;
  readonly database: string;
  readonly schema: string | null;
  readonly name: string;
  /** Visible columns in the order of the wire: `_id` first where there is one. */
  readonly columns: readonly Column[];
  /** Identifies a record for update, upsert and the order of pages. Empty: there is no key. May be a hidden column. */
  readonly key: readonly Column[];
  /** `proved` by a unique index; `claimed` by the configuration (a view); `none`. Only keys that are not `none` write. */
  readonly keyIs: 'proved' | 'claimed' | 'none';
  readonly uniqueKeys: readonly UniqueKey[];
  /** False on MyISAM, Aria, MEMORY: ROLLBACK keeps what was written. */
  readonly transactional: boolean;
  readonly allowPartial: boolean;
  readonly search: SearchSettings;
  readonly about: About;
}

/** How `q` is answered for a table. */
export interface SearchSettings {
  readonly mode: 'like' | 'native' | 'auto';
  readonly columns: readonly Column[];
  readonly language: string;
  /** What a call may ask for instead; null where the engine has no languages, or none are used. */
  readonly languages: readonly string[] | null;
  /** The full-text index over exactly these columns; null where there is none. */
  readonly index: SearchIndex | null;
}

/** The full-text index that serves this search: over exactly its columns, in its language. */
export function indexFor({ column, language }: Search, settings: SearchSettings): SearchIndex | null {
  const { columns, index } = settings;
  const isOverIt = column === null || (columns.length === 1 && columns[0]?.name === column.name);
  return isOverIt && language === settings.language ? index : null;
}

/** A full-text index: how SQL must spell it, and which words it can find. */
export interface SearchIndex {
  /** PostgreSQL: the tsvector expression, verbatim, or the index is not used. Unused on MySQL. */
  readonly expression: string;
  /** Whether the index can find every record that has this word: `auto` uses it only then. */
  answers(word: string): boolean;
  /** Whether the engine leaves this word out of the index: too short, or a stop word. */
  ignores(word: string): boolean;
}

/** A value converted to its column's type, in one canonical spelling; bytes for binary columns. */
export type Bound = string | Uint8Array;

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

/** Whether conversion lets a text of this type pass that the server may refuse. */
export function isJudgedByServer(type: Type): boolean {
  return type.kind === 'array' ? isJudgedByServer(type.of) : type.kind === 'opaque';
}

/** Whether equality and order of the type are its values' own; JSON has none, nor has a type known as text only. */
export function isComparable(type: Type): boolean {
  if (type.kind === 'array') return isComparable(type.of);
  return type.kind !== 'json' && (type.kind !== 'opaque' || type.comparable);
}

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

/** A value as the driver hands it over: server text, or bytes, or a small exact number. Never a Date, never parsed JSON. */
export type Cell = string | number | Uint8Array | null;

/** Turns one column's cells into text. Both are total over what the engine can send. */
export interface Encoder {
  /** The cell as a JSON token. */
  json(cell: Cell): string;
  /** The cell as plain text (what `q` looks in, what keys compare by); null for NULL. */
  plain(cell: Cell): string | null;
  /** The cell as csv and tsv show it (contract 3.9); null for nothing at all. */
  copy(cell: Cell): string | null;
}

/** A member of `fields` in an answer. */
export interface Field {
  readonly id: string;
  readonly type: string;
  readonly info?: JsonObject;
}

/** Records still in the driver's text, with an encoder per column. */
export interface Rows {
  readonly fields: readonly Field[];
  readonly encoders: readonly Encoder[];
  readonly cells: readonly (readonly Cell[])[];
}

/** One SQL statement and its bindings, in the placeholders of its engine. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | Uint8Array | null)[];
  /** The types that the first columns of its result must have, as `Column.resultType`; '' stands for any. */
  readonly types?: readonly string[];
}

/** What a statement gave. `found` counts the rows a write met, changed or not. */
export interface Answer {
  /** The names of the result's columns, as the server says them. */
  readonly names: readonly string[];
  /** What the driver calls the types of the result's columns. */
  readonly types: readonly string[];
  readonly cells: readonly (readonly Cell[])[];
  readonly found: number;
  /** MySQL: what stands in the AUTO_INCREMENT column of the last record that was inserted, triggers included. */
  readonly inserted?: string;
}

/** What a table is in its database, before a resource says what of it is shown. */
export interface CatalogTable {
  readonly schema: string | null;
  readonly name: string;
  readonly kind: 'table' | 'view';
  /** `label` is the column's own name here. */
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  /** Unique keys over whole columns, the primary key among them. */
  readonly uniqueKeys: readonly UniqueKey[];
  /** Primary first, then unique, then the rest by name; none over expressions, parts of columns or some of the rows. */
  readonly indexes: readonly Index[];
  readonly transactional: boolean;
  readonly searchIndexes: readonly CatalogSearchIndex[];
}
export interface CatalogSearchIndex extends SearchIndex {
  /** Every column the index takes words from. */
  readonly columns: readonly string[];
  /** The text search configuration it was built with; null where the engine has none. */
  readonly language: string | null;
}

/** A table of a server. */
export interface Relation {
  readonly database: string;
  readonly schema: string | null;
  readonly name: string;
}

/** What a write does besides writing, as far as a catalogue tells. Of all tables of the server that the user may see. */
export interface Effects {
  /** The server's own mark: equal for two connections to one server. */
  readonly server: string;
  /** The database that was asked. */
  readonly database: string;
  /** A write to `from` changes rows of `to`: cascades, partitions, the tables below a view. */
  readonly changes: readonly Edge[];
  /** `to` shows rows of `from`: views, parents of partitions. */
  readonly shows: readonly Edge[];
  /** Triggers, rules, foreign tables: a write to these may change any table of the server. */
  readonly mayChangeAnything: readonly Unproved[];
  /** Views that cannot be read, or call functions; foreign tables: any write may change what these show. */
  readonly mayShowAnything: readonly Unproved[];
}
export interface Edge {
  readonly from: Relation;
  readonly to: Relation;
}
export interface Unproved {
  readonly table: Relation;
  readonly why: string;
}

/** What one database holds: the tables asked for, and the names of all, to suggest the nearest. */
export interface Catalog {
  readonly tables: readonly CatalogTable[];
  readonly names: readonly { readonly schema: string | null; readonly name: string }[];
  /** Text search configurations; null where the engine has none. */
  readonly languages: readonly string[] | null;
  readonly effects: Effects;
}

/** What a server told about itself when it was first reached. */
export interface Server {
  readonly product: 'postgres' | 'mysql' | 'mariadb';
  /** `[major, minor, patch]`. */
  readonly version: readonly number[];
  /** As the server says it. */
  readonly versionText: string;
  /** The largest statement it takes, in bytes; null where there is no such limit. */
  readonly maxStatementBytes: number | null;
  /** MySQL: statements are logged as such, which InnoDB refuses under READ COMMITTED. */
  readonly logsStatements: boolean;
  /** PostgreSQL: a collation that folds the case of every alphabet, where the database's own folds ASCII only. */
  readonly foldCollation: string | null;
}

/** What a driver error means. Translated once, by the dialect; the driver's own text goes to the log only. */
export type Blame =
  | { readonly kind: 'duplicate'; readonly constraint: string | null }
  | { readonly kind: 'null'; readonly column: string | null }
  | { readonly kind: 'missing reference'; readonly constraint: string | null }
  | { readonly kind: 'still referenced'; readonly constraint: string | null }
  | { readonly kind: 'check' }
  | { readonly kind: 'trigger' }
  /**
   * The engine refused a value that conversion let pass (an opaque type, a character set). It names the column, or the
   * binding by its place in the statement, from 1; or neither.
   */
  | { readonly kind: 'value'; readonly column: string | null; readonly binding?: number }
  | { readonly kind: 'retry' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'schema' }
  | { readonly kind: 'permission' }
  /** A view that the engine cannot write through. */
  | { readonly kind: 'not writable' }
  | { readonly kind: 'read-only' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'connection' }
  | { readonly kind: 'too large' }
  | { readonly kind: 'unknown' };

/** Who calls. Anonymous has no name and no rights of his own. */
export interface Caller {
  readonly name: string;
  readonly read: Rights;
  readonly write: Rights;
}
/** `all` stands for `"*"`. */
export type Rights = 'all' | ReadonlySet<string>;

/** Who may read and write one resource. */
export interface Access {
  readonly read: 'public' | 'token';
  readonly write: 'token' | 'none';
  readonly deleteAll: boolean;
}

/** A configured resource with its table as the catalogue knows it. */
export interface Resource {
  readonly id: string;
  readonly access: Access;
  readonly table: Table;
}

/** One call of an action: what the edge has made of the bytes. */
export interface Call {
  readonly action: string;
  readonly params: JsonObject;
  readonly caller: Caller | null;
  /** The language segment of the path, echoed in `help`; null where there was none. */
  readonly language: string | null;
}

/** How records may be written in an answer: `records_format`. */
export const recordsFormats = ['objects', 'lists', 'csv', 'tsv'] as const;
export type RecordsFormat = (typeof recordsFormats)[number];

/** What a whole resource can be downloaded as. */
export const dumpFormats = ['csv', 'tsv', 'json', 'xml', 'jsonl'] as const;
export type DumpFormat = (typeof dumpFormats)[number];

/** A member of an answer; records are still rows, beside the format they are to be written in. */
export type Member =
  | readonly [name: string, value: Json]
  | readonly [name: string, records: Rows, format: RecordsFormat];

/** Keeps a text from those who carry it: they can neither read nor forge it. */
export interface Sealing {
  seal(text: string, purpose: string): string;
  /** Null for what was not sealed here, or for another purpose. */
  open(sealed: string, purpose: string): string | null;
}

/** What an action answers: the members of `result` in the order of the wire. */
export interface Result {
  readonly members: readonly Member[];
}

/** Not ours: the application behind answers. */
export interface Passed {
  readonly to: 'upstream';
  /** The body where it has been read to see whose call it is; else it is streamed. */
  readonly body: Uint8Array | null;
  /** The request carries a token of this gateway, which goes no further. */
  readonly isOurToken: boolean;
}

/** The body of an answer as it may be kept and sent again. */
export interface Kept {
  readonly body: Uint8Array;
  /** A strong validator: the hash of the bytes, so that it means the same after a restart. */
  readonly etag: string;
  /** When it was asked for, on the monotonic clock in milliseconds: it may be as old as that. */
  readonly at: number;
  /** Makes the gzip copy when it is first wanted, and keeps it. */
  gzip(): Promise<Uint8Array>;
  /** The copy, where it has been made. */
  readonly zipped: Uint8Array | null;
}

/**
 * How an answer was come by. `stale`: it is too old, and stands in for a database that fails. `bypass`: nobody looked for a kept
 * one.
 */
export interface Found {
  readonly kept: Kept;
  readonly by: 'hit' | 'miss' | 'stale' | 'bypass';
}

/** A whole answer, ready to be sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Stream;
}

/** An answer that was sent before. `head`: name, value, name, value …, the list that node:http takes as it is. */
export interface Ready {
  readonly status: number;
  readonly head: string[];
  readonly body: Uint8Array | null;
}

/** A body that is sent as it is made. */
export interface Stream {
  /** Throws where it breaks off. */
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Says that it breaks off, also while nobody asks for a piece: the client must not take it for whole. */
  readonly broken: AbortSignal;
}

export function isStream(body: Reply['body']): body is Stream {
  return typeof body === 'object' && 'pieces' in body;
}
