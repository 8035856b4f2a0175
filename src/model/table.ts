/** The vocabulary of tables: types of columns, and a table as a resource shows it. Pure. */
import type { SearchIndex } from './search-index.ts';
import type { JsonObject } from './value.ts';

/**
 * The type of a column, as conversion, comparison and rendering need it. The same kinds on every engine; each determines input
 * (`values/convert.ts`) and output (`values/encode.ts`).
 */
export type Type =
  /** `zero`: holds 0, although below `min` (MySQL's YEAR). `flag`: MySQL's BOOLEAN, a TINYINT(1). */
  | {
      readonly kind: 'int';
      readonly wire: IntWire;
      readonly min: bigint;
      readonly max: bigint;
      readonly zero?: true;
      readonly flag?: true;
    }
  /** `precision`: null where the column has none. `infinite`: holds the infinities beside NaN (PostgreSQL 14 and newer). */
  | {
      readonly kind: 'decimal';
      readonly precision: number | null;
      readonly scale: number | null;
      readonly nan: boolean;
      readonly infinite?: true;
    }
  /** `scale`: MySQL's FLOAT(7,2) rounds to so many fractional digits. */
  | { readonly kind: 'float'; readonly bits: 32 | 64; readonly nan: boolean; readonly scale?: number }
  /** `stored`: the type of an integer column that is shown as true and false (`boolean: true`). */
  | { readonly kind: 'bool'; readonly stored?: Type }
  /**
   * `length` in characters, null where there is none. `padded`: CHAR(n). `nul`: the engine can hold U+0000. `bytes`: after so many
   * the engine would cut the text (PostgreSQL's `name`).
   */
  | {
      readonly kind: 'text';
      readonly length: number | null;
      readonly padded: boolean;
      readonly nul: boolean;
      readonly bytes?: number;
    }
  | Choice
  /** `infinite`: the engine has years BC, years after 9999 and infinity (PostgreSQL). `zero`: MySQL's zero date, which is shown as null. */
  | { readonly kind: 'date'; readonly infinite: boolean; readonly zero?: true }
  /**
   * `digits`: fractional digits the column keeps. `span`: MySQL's TIME is a signed duration up to 838:59:59; `lastSecond`: the last
   * second with its fractions, too (MariaDB).
   */
  | { readonly kind: 'time'; readonly digits: number; readonly span: boolean; readonly lastSecond?: boolean }
  /** `least`: the least fractional digits shown. Without a zone the default is 3, even if they are zero; 0: no trailing zeros. */
  | {
      readonly kind: 'timestamp';
      readonly digits: number;
      readonly zoned: boolean;
      readonly infinite: boolean;
      readonly zero?: true;
      readonly least?: 0;
    }
  /** `finds`: the documents that a filter can compare with; null where the engine cannot compare documents. */
  | { readonly kind: 'json'; readonly binary: boolean; readonly finds: Documents | null }
  | { readonly kind: 'binary'; readonly length: number | null }
  | { readonly kind: 'bits'; readonly length: number | null; readonly varying: boolean }
  | { readonly kind: 'uuid' }
  /** `vector`: PostgreSQL's `int2vector` and `oidvector` have a text of their own; SQL casts them to this type. */
  | { readonly kind: 'array'; readonly of: Type; readonly vector?: 'int2[]' | 'oid[]' }
  /**
   * Types whose text only the engine parses: interval, inet, money … `wire` is the name shown. `digits`: fractional digits it
   * keeps, and rounds to. `form`: the required form of the text, where the engine would store NULL for any other.
   */
  | {
      readonly kind: 'opaque';
      readonly wire: string;
      readonly comparable: boolean;
      readonly digits?: number;
      readonly form?: 'inet4' | 'inet6';
    };

/** `numeric`: limited to PostgreSQL's jsonb. `double`: limited to MySQL's JSON. `any`: MariaDB, whose JSON is text. */
export type Documents = 'numeric' | 'double' | 'any';

/** ENUM (`many: false`) and SET. On MySQL the values include '', the engine's mark of an invalid one. */
export interface Choice {
  readonly kind: 'choice';
  readonly values: readonly string[];
  /** The index of each value. An ENUM may have 65,535, and a filter 10,000 to look up. */
  readonly places: ReadonlyMap<string, number>;
  readonly many: boolean;
}

export function choice(values: readonly string[], many: boolean): Choice {
  return { kind: 'choice', values, places: new Map(values.map((value, at) => [value, at])), many };
}

export type IntWire = 'int2' | 'int4' | 'int8' | 'numeric';

export interface Column {
  /** Its name in the table. SQL uses this one, quoted. */
  readonly name: string;
  /** Its name on the wire: `as` of the configuration, else `name`; `_id` for the column shown as such. */
  readonly label: string;
  readonly type: Type;
  /** The driver's name for its type in a result: a result with another type means that the table has changed. */
  readonly resultType: string;
  /** The engine's own name of the type, for a cast (PostgreSQL) or for a message (MySQL). */
  readonly native: string;
  /** The type as the engine prints it for people, lengths included. */
  readonly declared: string;
  readonly nullable: boolean;
  /** MySQL: the engine numbers new records here, and reports the number of the last one. */
  readonly autoIncrement?: true;
  /** MySQL: a CHECK constraint allows only 0 and 1. */
  readonly checkedFlag?: true;
  /** MySQL, MariaDB: whoever made the table has hidden it (INVISIBLE). It is shown only where the configuration names it. */
  readonly invisible?: true;
  /** PostgreSQL: an index finds the records by three characters that the shown text of the column contains. */
  readonly trigrams?: true;
  /** Cannot be written: generated, identity ALWAYS, or `readOnly` in the configuration. */
  readonly readOnly: boolean;
  /** Collation and character set of a text column, where the engine has them per column. */
  readonly collation: string | null;
  readonly charset: string | null;
  /**
   * `exact`: the engine's `=` is byte equality. `folds`: it is not, and must be narrowed. `engine`: the configuration wants the
   * engine's `=`.
   */
  readonly equality: 'exact' | 'folds' | 'engine';
  /** The data dictionary entry, shown in `fields[].info`. */
  readonly info: JsonObject | null;
}

/** An index over whole columns and all rows. */
export interface Index {
  readonly name: string;
  /** All of its columns, by their names in the table. */
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** Whether it gives the order of its first column. An index of words or hashes does not, nor one in another collation. */
  readonly ordered: boolean;
}

/** Metadata of a table for clients. */
export interface About {
  /** For people. */
  readonly title: string;
  /** Markdown; '' where there is none. */
  readonly description: string;
  readonly aliases: readonly string[];
  /** The indexes over visible columns only; the most specific comes first. */
  readonly indexes: readonly Index[];
  /** Whether the table has hidden columns: its size would reveal them. */
  readonly hides: boolean;
}

export interface UniqueKey {
  /** The constraint's or index's name in the database; only ever compared, never shown. */
  readonly name: string;
  readonly columns: readonly string[];
  /** PostgreSQL names the index of a partition in its errors: the names of this key there. Absent where there are no partitions. */
  readonly inPartitions?: readonly string[];
  /** Its index compares by a collation or by operators that its columns do not have: it takes several of their values for one. */
  readonly folds?: boolean;
}

/** Whether an error that names this constraint or index is about the key. */
export const isNamed = ({ name, inPartitions }: UniqueKey, constraint: string): boolean =>
  name === constraint || inPartitions?.includes(constraint) === true;

/** What several records of a call depend on to be written together, as if in sequence. The unique keys of the table are separate. */
export interface Sequence {
  /**
   * The most permissive way to write several records. `in order`: as they were sent (triggers, policies). `updates alone`: so,
   * and each update by itself (further unique indexes, a view). `alone`: so, and each record by itself (rows that refer to rows
   * of their own table).
   */
  readonly records: 'in any order' | 'in order' | 'updates alone' | 'alone';
  /** Columns whose default differs from record to record: sequences, AUTO_INCREMENT, volatile functions. */
  readonly numbered: readonly string[];
  /** Columns without NULL and without a default: no record can be inserted without them. */
  readonly required: readonly string[];
}

/** The end of every sort: `_id` where there is one, as in CKAN, and the key unless `_id` alone is unique. */
export interface TieBreak {
  readonly by: readonly Column[];
  /** Whether it orders any two records. If not, pages of the table may repeat or lose records. */
  readonly isTotal: boolean;
  /** As in `CatalogTable`. */
  readonly hasPlaces?: true;
}

/** Columns whose values must exist in a record of another table. */
export interface ForeignKey {
  /** The constraint's name in the database; only ever compared, never shown. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** A table or view as one resource shows it: only visible parts, and the names that SQL needs. */
export interface Table {
  readonly resource: string;
  readonly database: string;
  readonly schema: string | null;
  readonly name: string;
  /** Visible columns in the order of the wire: `_id` first where there is one. */
  readonly columns: readonly Column[];
  /** The same by label: each field of each record is looked up, and a table may be wide. */
  readonly labels: ReadonlyMap<string, Column>;
  /** Identifies a record for update and upsert. Empty: there is no key. May be a hidden column. */
  readonly key: readonly Column[];
  /**
   * `proved` by a unique index; `claimed` by the configuration (a view), or by an index that lacks records of tables that inherit; `none`. Update and upsert need a key that is not
   * `none`.
   */
  readonly keyIs: 'proved' | 'claimed' | 'none';
  readonly order: TieBreak;
  readonly uniqueKeys: readonly UniqueKey[];
  readonly sequence: Sequence;
  /** Whether a write may leave checks for its commit, where no time limit ends them. */
  readonly mayDefer: boolean;
  /** A text that the server shows as long as the table is as it was read; null: the server has none. */
  readonly definition: string | null;
  readonly foreignKeys: readonly ForeignKey[];
  /** False on MyISAM, Aria, MEMORY: ROLLBACK does not undo writes. */
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
  /** The languages that a call may choose; null where the engine has no languages, or none are used. */
  readonly languages: readonly string[] | null;
  /** The full-text index over exactly these columns; null where there is none. */
  readonly index: SearchIndex | null;
}

/** Whether it is declared as BOOLEAN, where the engine has only numbers (MySQL). */
export const isDeclaredBoolean = (type: Type): boolean => type.kind === 'int' && type.flag === true;

/** Whether `true` and `false` are written and compared as 1 and 0. */
export const takesBooleans = (type: Type): boolean =>
  isDeclaredBoolean(type) || (type.kind === 'bits' && type.length === 1 && !type.varying);

/** An integer that is shown as true and false. */
export type Flag = Column & { readonly type: { readonly stored: Type } };
export const isFlag = (column: Column): column is Flag => 'stored' in column.type && column.type.stored !== undefined;

/** Visible columns by label. */
export const byLabel = (columns: readonly Column[]): ReadonlyMap<string, Column> =>
  new Map(columns.map((column) => [column.label, column]));

/** Whether the server may refuse a text of this type that conversion has accepted. */
export function isJudgedByServer(type: Type): boolean {
  return type.kind === 'array' ? isJudgedByServer(type.of) : type.kind === 'opaque';
}

/** Whether it has a zero date, which is shown as null. */
export const hasZeroDate = ({ type }: Column): boolean =>
  (type.kind === 'date' || type.kind === 'timestamp') && type.zero === true;

/** Whether it may be shown as null. */
export const mayBeNull = (column: Column): boolean => column.nullable || hasZeroDate(column);

/** Whether its values may have any character. */
export function holdsText({ kind, ...type }: Type): boolean {
  return 'of' in type ? holdsText(type.of) : ['text', 'choice', 'json', 'opaque'].includes(kind);
}

/** Whether a filter may compare for equality. */
export function hasEquality(type: Type): boolean {
  return isComparable(type) || (type.kind === 'json' && type.finds !== null);
}

/** Whether the engine compares values of the type by equality and order. False for JSON, and for types without comparison. */
export function isComparable(type: Type): boolean {
  if (type.kind === 'array') return isComparable(type.of);
  return type.kind !== 'json' && (type.kind !== 'opaque' || type.comparable);
}
