/** The facts that the rules of `check --advise` examine, and the advice that they give. */
import type { Need, PlanFacts, ServerFacts } from '../model/advice.ts';
import type { CatalogTable, SurveyedTable, TableName } from '../model/catalog.ts';
import type { Access } from '../model/http.ts';
import type { Column, Table } from '../model/table.ts';

/** The names of the rules, in the order of the report. `check --advise --only` takes one of them. */
export const ruleNames = [
  ...['search', 'index', 'nulls', 'key', 'foreign-keys', 'rights'],
  ...['privacy', 'statistics', 'connections', 'time-limits', 'read-only', 'writers', 'sizes', 'charset'],
] as const;
export type RuleName = (typeof ruleNames)[number];

/** The facts about one configured database, and its resources. */
export interface Facts {
  /** The database's name in the configuration. */
  readonly database: string;
  readonly server: ServerFacts;
  /** The resources that can be served. */
  readonly resources: readonly ResourceFacts[];
  /** The gateway's database user, spelled as in a GRANT. */
  readonly user: string;
  /** Tables with rows that changed while the facts were read. */
  readonly changed: readonly TableName[];
  readonly pool: PoolFacts;
  readonly limits: Limits;
  /** Whether indexes put NULLs where the API's sort order does, so that an index can sort a nullable column. */
  readonly indexesSortNulls: boolean;
}

/** Configured limits, with times in milliseconds. `rowsDefault` is the page length if the call sends no `limit`. */
export interface Limits {
  readonly responseBytes: number;
  readonly rowsDefault: number;
  readonly statementTimeout: number;
  readonly dumpTimeout: number;
}

/** The databases on the same server, and how many connections to it the gateway may open for all of them together. */
export interface PoolFacts {
  readonly databases: readonly string[];
  readonly connections: number;
}

export interface ResourceFacts {
  readonly id: string;
  readonly table: Table;
  readonly catalogTable: CatalogTable;
  readonly kind: SurveyedTable['is'];
  /** The server's estimate of the number of rows; null if unknown. */
  readonly rows: number | null;
  readonly read: Access['read'];
  readonly write: Access['write'];
  /** How many milliseconds answers about the resource are cached. */
  readonly ttl: number;
  /** Columns that the configuration mentions, because the operator has already decided about them. */
  readonly mentioned: ReadonlySet<string>;
  /** Visible columns whose names or comments suggest personal data or a secret, unless the configuration sets `hidden` for them. */
  readonly personal: readonly string[];
  /** A view's base tables, with those of their columns that other resources hide. */
  readonly below: readonly { readonly table: TableName; readonly hidden: readonly string[] }[];
  readonly needs: Need;
  readonly plans: Plans;
}

/** The query planner's plans for our own statements; null if not requested, or if EXPLAIN failed. */
export interface Plans {
  readonly q: PlanFacts | null;
  /** Plans for a search by `q` in a single column, by column name. */
  readonly qOf: ReadonlyMap<string, PlanFacts>;
  /** Plans for the first page sorted by an indexed column, by column name. */
  readonly sorted: ReadonlyMap<string, PlanFacts>;
  /** Plans for the first page sorted by an unindexed column, with NULLs where an index would put them, by column name. */
  readonly sortedAsIndexed: ReadonlyMap<string, PlanFacts>;
}

/** One piece of advice for the operator. */
export interface Advice {
  readonly rule: RuleName;
  readonly path: readonly string[];
  readonly says: string;
  /** SQL statements to copy, without semicolons. */
  readonly sql?: readonly string[];
  /** A setting to add to the resource in the configuration. */
  readonly setting?: string;
}

export type Rule = (facts: Facts) => readonly Omit<Advice, 'rule'>[];

/** Tables with at least this many rows are large: a full table scan takes noticeable time. */
export const manyRows = 200_000;

export const isLarge = ({ rows, kind }: Pick<ResourceFacts, 'rows' | 'kind'>): boolean =>
  kind === 'table' && rows !== null && rows >= manyRows;

/** Writes `about 210,000 rows`. */
export const approximateRows = (rows: number | null): string =>
  rows === null ? 'an unknown number of rows' : `about ${rows.toLocaleString('en')} rows`;

/** Whether a column has numbers, dates or times, by which people sort and compare. */
export const isMeasure = ({ type: { kind } }: Column): boolean =>
  ['int', 'decimal', 'float', 'date', 'time', 'timestamp'].includes(kind);

/** The visible columns that people may sort by, without duplicates. At most 50, because each costs an EXPLAIN. */
export function measures({ columns }: Table): readonly Column[] {
  const sortable = columns.filter(isMeasure);
  return sortable.filter(({ name }, nth) => sortable.findIndex((other) => other.name === name) === nth).slice(0, 50);
}

/** Whether this column is the leading column of an index; indexes on prefixes or expressions do not count. */
export const hasIndex = ({ indexes }: CatalogTable, name: string): boolean =>
  indexes.some(({ columns }) => columns[0] === name);

/** A name for messages, in quotes unless it is a plain word. */
export const quotedName = (name: string): string => (/^[\p{L}\p{N}_$-]+$/u.test(name) ? name : JSON.stringify(name));
export const tableNamed = ({ schema, name }: TableName): string =>
  schema === null || schema === 'public' ? quotedName(name) : `${quotedName(schema)}.${quotedName(name)}`;

/** Whether a column's character set lacks some characters. Null means that the column has the whole database's encoding. */
export const isNarrow = ({ charset, readOnly }: Column): boolean =>
  charset !== null && !readOnly && !/^(utf8mb4|utf16|utf16le|utf32|gb18030|binary)$/.test(charset);
