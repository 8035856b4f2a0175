import type { Engine } from '../../support/servers/engines.ts';

export type EngineName = Engine['name'];

/**
 * A value, as SQL writes it and as JSON shows it. The shown JSON, used as a filter, finds its row and no other; written by
 * the gateway, SQL reads what the SQL literal stores. `same`: further spellings of which all that is true.
 */
export type Value = readonly [sql: string, shown: string, ...same: readonly string[]];

/** One type of column on the engines that have it. JSON is written as JSON text, so that no digit of it is lost on the way. */
export interface Family {
  readonly name: string;
  readonly on: readonly EngineName[];
  /** The column's definition; its name is `v`. */
  readonly column: string;
  /** Types, domains, collations it needs. */
  readonly before?: string;
  /** The column's settings in the configuration. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** SQL that differs for any two stored values; default: the text on PostgreSQL, the bytes of the text on MySQL. */
  readonly read?: string;
  readonly values: readonly Value[];
  /** Shown and found; writing them is not tested here. */
  readonly foreign?: readonly Value[];
  /** Refused in a record; in a filter a value like any other. */
  readonly unwritable?: readonly string[];
  /** Stored, but shown as null. */
  readonly zero?: readonly string[];
  /** JSON that stores the value of the SQL literal, and is shown otherwise. */
  readonly stores?: readonly (readonly [json: string, sql: string])[];
  /** Of the type's kind, but no column of it can hold them: match nothing, and are refused in a record. */
  readonly beyond?: readonly string[];
  /** Match nothing; writing them is not tested here. */
  readonly absent?: readonly string[];
  /** Not of the kind: refused in filters and in records. */
  readonly wrong?: readonly string[];
  /** Refused in every filter, whatever the value. */
  readonly unfilterable?: true;
  /** `""` is a value here, not NULL. */
  readonly blank?: true;
  /** Any JSON is a value here: a filter names it with `eq` or `in`. */
  readonly documents?: true;
  /** A list is a value here: a filter names it inside a list. */
  readonly lists?: true;
}

export const postgres: readonly EngineName[] = ['pglite', 'postgres'];
export const mysql: readonly EngineName[] = ['mariadb', 'mysql', 'mysql56'];

/** JSON text of a string. */
export const text = (value: string): string => JSON.stringify(value);
/** A value whose SQL literal is the quoted text that JSON shows. */
export const same = (value: string, ...others: readonly string[]): Value => [
  `'${value.replace(/'/g, "''")}'`,
  text(value),
  ...others.map(text),
];
