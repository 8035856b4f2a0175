import type { Engine } from '../../support/servers/engines.ts';

export type EngineName = Engine['name'];

/**
 * A value: as an SQL literal, and as the gateway shows it in JSON. Used as a filter, the JSON finds exactly its row; written through the gateway, it
 * stores the same as the SQL literal. `same`: other spellings for which this is also true.
 */
export type Value = readonly [sql: string, shown: string, ...same: readonly string[]];

/** One type of column, on the engines that have it. JSON is kept as text, so that no digits are lost. */
export interface Family {
  readonly name: string;
  readonly on: readonly EngineName[];
  /** The definition of the column, which is called `v`. */
  readonly column: string;
  /** SQL that creates the types, domains and collations it needs. */
  readonly before?: string;
  /** The column's settings in the configuration. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** An SQL expression that differs for different stored values. By default the text on PostgreSQL, and the bytes of the text on MySQL. */
  readonly read?: string;
  readonly values: readonly Value[];
  /** Values that are shown and found; writing them is not tested. */
  readonly foreign?: readonly Value[];
  /** Values that are refused in a record, but are valid in a filter. */
  readonly unwritable?: readonly string[];
  /** Values that are stored but shown as null. */
  readonly zero?: readonly string[];
  /** JSON that stores the value of the SQL literal, but is shown in another form. */
  readonly stores?: readonly (readonly [json: string, sql: string])[];
  /** Values of the right kind that do not fit into the column: they match nothing, and are refused in a record. */
  readonly beyond?: readonly string[];
  /** Values that match nothing; writing them is not tested. */
  readonly absent?: readonly string[];
  /** Values of another kind: refused in filters and in records. */
  readonly wrong?: readonly string[];
  /** Filters on this column are always refused. */
  readonly unfilterable?: true;
  /** `""` is a value of this type, not NULL. */
  readonly blank?: true;
  /** Any JSON is a value of this type; a filter needs `eq` or `in`. */
  readonly documents?: true;
  /** Lists are values of this type; a filter must put them into a list. */
  readonly lists?: true;
}

export const postgres: readonly EngineName[] = ['pglite', 'postgres'];
export const mysql: readonly EngineName[] = ['mariadb', 'mysql', 'mysql56'];

/** A string as JSON text. */
export const text = (value: string): string => JSON.stringify(value);
/** A value whose SQL literal and JSON string contain the same text. */
export const same = (value: string, ...others: readonly string[]): Value => [
  `'${value.replace(/'/g, "''")}'`,
  text(value),
  ...others.map(text),
];
