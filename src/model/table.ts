/** The vocabulary of tables: types of columns, and a table as a resource shows it. Pure. */
import type { Metadata } from './metadata.ts';
import type { SearchIndex } from './search-index.ts';
import type { JsonObject } from './value.ts';

/**
 * The type of a column, as needed to convert, compare and show values. The kinds are the same on every engine; each determines how
 * values are read (`values/convert.ts`) and written (`values/encode.ts`).
 */
export type Type =
  /** `zero`: also holds 0, although that is below `min` (MySQL's YEAR). `flag`: MySQL's BOOLEAN, which is a TINYINT(1). */
  | {
      readonly kind: 'int';
      readonly wire: IntWire;
      readonly min: bigint;
      readonly max: bigint;
      readonly zero?: true;
      readonly flag?: true;
    }
  /** `precision`: null if the column has none. `infinite`: also holds the infinities, not only NaN (PostgreSQL 14 and newer). */
  | {
      readonly kind: 'decimal';
      readonly precision: number | null;
      readonly scale: number | null;
      readonly nan: boolean;
      readonly infinite?: true;
    }
  /** `scale`: the number of fractional digits to which MySQL's FLOAT(7,2) rounds. */
  | { readonly kind: 'float'; readonly bits: 32 | 64; readonly nan: boolean; readonly scale?: number }
  /** `stored`: the type of an integer column that is shown as true and false (`boolean: true`). */
  | { readonly kind: 'bool'; readonly stored?: Type }
  /**
   * `length`: the limit in characters, or null. `padded`: CHAR(n). `nul`: the engine can store U+0000. `bytes`: the engine silently cuts
   * off longer texts (PostgreSQL's `name`).
   */
  | {
      readonly kind: 'text';
      readonly length: number | null;
      readonly padded: boolean;
      readonly nul: boolean;
      readonly bytes?: number;
    }
  | Choice
  /** `infinite`: has years BC, years after 9999 and infinity (PostgreSQL). `zero`: may hold MySQL's zero date, which is shown as null. */
  | { readonly kind: 'date'; readonly infinite: boolean; readonly zero?: true }
  /**
   * `digits`: the fractional digits that the column keeps. `span`: MySQL's TIME, a signed duration up to 838:59:59; `lastSecond`: up to
   * 838:59:59.999999 (MariaDB).
   */
  | { readonly kind: 'time'; readonly digits: number; readonly span: boolean; readonly lastSecond?: boolean }
  /** `least`: the fractional digits that are always shown, even if zero. The default without a zone is 3; 0: no trailing zeros. */
  | {
      readonly kind: 'timestamp';
      readonly digits: number;
      readonly zoned: boolean;
      readonly infinite: boolean;
      readonly zero?: true;
      readonly least?: 0;
    }
  /** `finds`: the documents with which a filter can compare; null if the engine cannot compare documents. */
  | { readonly kind: 'json'; readonly binary: boolean; readonly finds: Documents | null }
  | { readonly kind: 'binary'; readonly length: number | null }
  | { readonly kind: 'bits'; readonly length: number | null; readonly varying: boolean }
  | { readonly kind: 'uuid' }
  /** `vector`: the type to which SQL casts PostgreSQL's `int2vector` or `oidvector`, because their text is not an array literal. */
  | { readonly kind: 'array'; readonly of: Type; readonly vector?: 'int2[]' | 'oid[]' }
  /**
   * Types whose text only the engine can parse: interval, inet, money … `wire`: the name that the API shows. `digits`: the fractional
   * digits to which it rounds. `form`: the required form of the text, if the engine would store NULL for any other.
   */
  | {
      readonly kind: 'opaque';
      readonly wire: string;
      readonly comparable: boolean;
      readonly digits?: number;
      readonly form?: 'inet4' | 'inet6';
    };

/** What a JSON document may contain: what PostgreSQL's jsonb can hold (`numeric`), or MySQL's JSON (`double`), or anything (MariaDB). */
export type Documents = 'numeric' | 'double' | 'any';

/** ENUM (`many: false`) and SET. On MySQL the values include '', which the engine stores in place of an invalid value. */
export interface Choice {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** The index of each value, for fast look-ups: an ENUM may have 65,535 values, and a filter may name 10,000. */
  readonly places: ReadonlyMap<string, number>;
  readonly many: boolean;
}

export function choice(values: readonly string[], many: boolean): Choice {
  return { kind: 'choice', values, places: new Map(values.map((value, at) => [value, at])), many };
}

export type IntWire = 'int2' | 'int4' | 'int8' | 'numeric';

export interface Column {
  /** The column's name in the table; SQL uses it, quoted. */
  readonly name: string;
  /** The name of the table in a statement over several sources; absent if there is only one. */
  readonly source?: string;
  /** The name in the API: `as` of the configuration, else `name`; `_id` for the column that is shown as `_id`. */
  readonly label: string;
  readonly type: Type;
  /** The driver's name for the type in a result. If a result has another type, the table has changed. */
  readonly resultType: string;
  /** The engine's name for the type, for casts (PostgreSQL) or messages (MySQL). */
  readonly native: string;
  /** The type as the engine prints it for people, including the length. */
  readonly declared: string;
  readonly nullable: boolean;
  /** MySQL: AUTO_INCREMENT. The engine reports its number for the last new record. */
  readonly autoIncrement?: true;
  /** MySQL: a CHECK constraint allows only 0 and 1, so the column is certainly a boolean. */
  readonly checkedFlag?: true;
  /** MySQL, MariaDB: the column is declared INVISIBLE. It is shown only if the configuration names it. */
  readonly invisible?: true;
  /** PostgreSQL: a trigram index covers the column as the API shows it, so that LIKE can use the index. */
  readonly trigrams?: true;
  /** Whether the column cannot be written: generated, identity ALWAYS, or `readOnly` in the configuration. */
  readonly readOnly: boolean;
  /** Collation and character set of a text column; null if the engine does not have them per column. */
  readonly collation: string | null;
  readonly charset: string | null;
  /**
   * `exact`: the engine's `=` compares bytes. `folds`: it does not, so SQL must also compare bytes. `engine`: it does not, but the
   * configuration wants the engine's `=` anyway.
   */
  readonly equality: 'exact' | 'folds' | 'engine';
  /** The data dictionary entry, shown in `fields[].info`. */
  readonly info: JsonObject | null;
}

/** An index over whole columns and all rows: no expressions, no prefixes, not partial. */
export interface Index {
  readonly name: string;
  /** The names of all its columns in the table. */
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** Whether the index can return rows sorted by its first column. A full-text or hash index cannot, nor can one with another collation. */
  readonly ordered: boolean;
}

/** The columns with a meaning for readers, such as a record's name or its place on a map. */
export interface Roles {
  /** The label of the column that names a record. */
  readonly label: string | null;
  /** The labels of the longitude and latitude columns. */
  readonly coordinates: readonly [string, string] | null;
  /** The column with the time of a record's last change. */
  readonly changed: Column | null;
  /** The column whose least and greatest values are the period of the data. */
  readonly period: Column | null;
}

/** The roles of a table whose columns have none. */
export const noRoles: Roles = { label: null, coordinates: null, changed: null, period: null };

/** What the API tells about a table. */
export interface About {
  readonly title: string;
  /** Markdown; '' if there is none. */
  readonly description: string;
  readonly aliases: readonly string[];
  readonly metadata: Metadata;
  readonly roles: Roles;
  /** The indexes that have only visible columns; the most specific comes first. */
  readonly indexes: readonly Index[];
  /** Whether the table has hidden columns. Then its size is not shown, as it would reveal something about them. */
  readonly hides: boolean;
}

export interface UniqueKey {
  /** The constraint's or index's name in the database; only ever compared, never shown. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The names of this key's indexes on partitions, which PostgreSQL names in its errors; absent if there are no partitions. */
  readonly inPartitions?: readonly string[];
  /** Whether the index has another collation or other operators than the columns, so that it may treat several values as one. */
  readonly folds?: boolean;
}

/** Whether a constraint or index, as an error of the engine names it, belongs to the unique key. */
export const isNamed = ({ name, inPartitions }: UniqueKey, constraint: string): boolean =>
  name === constraint || inPartitions?.includes(constraint) === true;

/** What decides whether several records of a call can be written together, with the same result as one after the other. */
export interface Sequence {
  /**
   * The most permissive way to write several records. `in order`: in the order of the call (because of triggers or policies). `updates
   * alone`: in order, and each update in its own statement (other unique indexes, a view). `alone`: in order, and each record in its
   * own statement (rows that refer to rows of the same table).
   */
  readonly records: 'in any order' | 'in order' | 'updates alone' | 'alone';
  /** Columns whose default differs from record to record: sequences, AUTO_INCREMENT, volatile functions. */
  readonly numbered: readonly string[];
  /** Columns without NULL and without a default: no record can be inserted without them. */
  readonly required: readonly string[];
}

/** The columns that every sort ends with: `_id` if there is one, as in CKAN, then the key, unless `_id` alone is unique. */
export interface TieBreak {
  readonly by: readonly Column[];
  /** Whether no two records are equal in this order. If some may be, pages of the table may repeat or miss records. */
  readonly isTotal: boolean;
  /** PostgreSQL: the user may read the address of each row (`tableoid`, `ctid`), which then breaks ties. */
  readonly hasPlaces?: true;
}

/** Columns whose values must exist in a record of another table. */
export interface ForeignKey {
  /** The constraint's name in the database; only ever compared, never shown. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The table that has the values, with its columns in the same order. On MySQL the schema is null, or the name of another database. */
  readonly to: { readonly schema: string | null; readonly name: string; readonly columns: readonly string[] };
}

/** A table or view as one resource shows it: only visible parts, and the names that SQL needs. */
export interface Table {
  readonly resource: string;
  readonly database: string;
  readonly schema: string | null;
  readonly name: string;
  /** The visible columns, in the order in which the API shows them: `_id` first if there is one. */
  readonly columns: readonly Column[];
  /** All columns, including hidden ones, with the database's own names and `readOnly`. Only row filters use them. */
  readonly all: readonly Column[];
  /** The visible columns by label, for fast look-ups: each field of each record is looked up, and a table may have many columns. */
  readonly labels: ReadonlyMap<string, Column>;
  /** The columns that identify a record for update and upsert; they may be hidden. Empty if there is no key. */
  readonly key: readonly Column[];
  /**
   * Whether the key is unique: `proved` by an index, or only `claimed`: by the configuration (for a view), or by an index that does not
   * cover the rows of inheriting tables. `none`: there is no key, and so no update or upsert.
   */
  readonly keyIs: 'proved' | 'claimed' | 'none';
  readonly order: TieBreak;
  readonly uniqueKeys: readonly UniqueKey[];
  readonly sequence: Sequence;
  /** Whether a write may defer checks to its commit, to which no statement timeout applies. */
  readonly mayDefer: boolean;
  /** A string that changes when the table is altered; null if the server has none. */
  readonly definition: string | null;
  readonly foreignKeys: readonly ForeignKey[];
  /** False for the storage engines MyISAM, Aria and MEMORY, on which ROLLBACK does not undo writes. */
  readonly transactional: boolean;
  readonly allowPartial: boolean;
  readonly search: SearchSettings;
  readonly about: About;
}

/** The settings of `q` for a table. */
export interface SearchSettings {
  readonly mode: 'like' | 'native' | 'auto';
  readonly columns: readonly Column[];
  readonly language: string;
  /** The languages that a call may choose; null if the engine has none, or the search does not use them. */
  readonly languages: readonly string[] | null;
  /** The full-text index over exactly these columns; null if there is none. */
  readonly index: SearchIndex | null;
}

/** Whether values of this type count as numbers, or as texts, in computations. */
export const isNumber = ({ kind }: Type): boolean => kind === 'int' || kind === 'decimal' || kind === 'float';
export const isText = ({ kind }: Type): boolean => kind === 'text' || kind === 'choice';

/** Whether a column of this type is declared as BOOLEAN on MySQL, which stores it as a number. */
export const isDeclaredBoolean = (type: Type): boolean => type.kind === 'int' && type.flag === true;

/** Whether a client may write `true` and `false` for 1 and 0 in values of this type. */
export const takesBooleans = (type: Type): boolean =>
  isDeclaredBoolean(type) || (type.kind === 'bits' && type.length === 1 && !type.varying);

/** An integer column that is shown as true and false. */
export type Flag = Column & { readonly type: { readonly stored: Type } };
export const isFlag = (column: Column): column is Flag => 'stored' in column.type && column.type.stored !== undefined;

export const byLabel = (columns: readonly Column[]): ReadonlyMap<string, Column> =>
  new Map(columns.map((column) => [column.label, column]));

/** Whether the server may refuse a text of this type that conversion has accepted. */
export function isJudgedByServer(type: Type): boolean {
  return type.kind === 'array' ? isJudgedByServer(type.of) : type.kind === 'opaque';
}

/** Whether a column may hold MySQL's zero date, which is shown as null. */
export const hasZeroDate = ({ type }: Column): boolean =>
  (type.kind === 'date' || type.kind === 'timestamp') && type.zero === true;

/** Whether a value of the column may be shown as null. */
export const mayBeNull = (column: Column): boolean => column.nullable || hasZeroDate(column);

/** Whether values of this type may contain any character, so that encodings matter. */
export function holdsText({ kind, ...type }: Type): boolean {
  return 'of' in type ? holdsText(type.of) : ['text', 'choice', 'json', 'opaque'].includes(kind);
}

/** Whether a filter may compare values of this type for equality. */
export function hasEquality(type: Type): boolean {
  return isComparable(type) || (type.kind === 'json' && type.finds !== null);
}

/** Whether the engine compares values of the type by equality and order. False for JSON, and for types without comparison. */
export function isComparable(type: Type): boolean {
  if (type.kind === 'array') return isComparable(type.of);
  return type.kind !== 'json' && (type.kind !== 'opaque' || type.comparable);
}
