/** The facts that rules judge, and the advice that they give. */
import type { Need, PlanFacts, ServerFacts } from '../model/advice.ts';
import type { CatalogTable, SurveyedTable, TableName } from '../model/catalog.ts';
import type { Column, Table } from '../model/table.ts';

/** The rules, in the order of their advice. `check --advise --only` takes one. */
export const ruleNames = [
  ...['search', 'index', 'nulls', 'key', 'foreign-keys', 'rights'],
  ...['privacy', 'statistics', 'connections', 'time-limits', 'read-only', 'writers', 'sizes', 'charset'],
] as const;
export type RuleName = (typeof ruleNames)[number];

/** The facts about one database of the configuration, and its resources. */
export interface Facts {
  /** Its name in the configuration. */
  readonly database: string;
  readonly server: ServerFacts;
  /** The resources that can be served. */
  readonly resources: readonly ResourceFacts[];
  /** The user of the connection, as a GRANT names it. */
  readonly user: string;
  /** Tables whose rows changed while the facts were read. */
  readonly changed: readonly TableName[];
  readonly pool: PoolFacts;
  readonly limits: Limits;
  /** Whether an index sorts a column that may be NULL as the API does. */
  readonly indexesSortNulls: boolean;
}

/** The limits of the file, times in milliseconds. `rowsDefault`: the records of a page that names no limit. */
export interface Limits {
  readonly responseBytes: number;
  readonly rowsDefault: number;
  readonly statementTimeout: number;
  readonly dumpTimeout: number;
}

/** The connections of a gateway to the server of this database, including those for its other databases. */
export interface PoolFacts {
  readonly databases: readonly string[];
  readonly connections: number;
}

export interface ResourceFacts {
  readonly id: string;
  readonly table: Table;
  readonly found: CatalogTable;
  readonly is: SurveyedTable['is'];
  /** The server's estimate; null: unknown. */
  readonly rows: number | null;
  readonly read: 'public' | 'token';
  readonly write: 'token' | 'none';
  /** Milliseconds for which its answers are cached. */
  readonly ttl: number;
  /** Columns that the file mentions: the operator has decided about them. */
  readonly mentioned: ReadonlySet<string>;
  /** Visible columns whose names or comments suggest personal data or a secret, unless the file has `hidden` for them. */
  readonly personal: readonly string[];
  /** Tables below a view, with their columns that other resources hide. */
  readonly below: readonly { readonly table: TableName; readonly hidden: readonly string[] }[];
  readonly needs: Need;
  readonly plans: Plans;
}

/** How the planner would run our own statements; null if it was not asked, or did not answer. */
export interface Plans {
  readonly q: PlanFacts | null;
  /** By the name of a column: `q` in this column alone. */
  readonly qOf: ReadonlyMap<string, PlanFacts>;
  /** By the name of a column: the first page in its order. */
  readonly sorted: ReadonlyMap<string, PlanFacts>;
  /** By the name of a column: the first page in its order, with NULLs where the engine's indexes have them. */
  readonly sortedAsIndexed: ReadonlyMap<string, PlanFacts>;
}

/** One piece of advice. */
export interface Advice {
  readonly rule: RuleName;
  readonly path: readonly string[];
  readonly says: string;
  /** Statements to copy, each without its semicolon. */
  readonly sql?: readonly string[];
  /** A setting to write in the resource's entry. */
  readonly setting?: string;
}

export type Rule = (facts: Facts) => readonly Omit<Advice, 'rule'>[];

/** Tables with this many rows are large: reading all of one takes a noticeable time. */
export const manyRows = 200_000;

export const isLarge = ({ rows, is }: Pick<ResourceFacts, 'rows' | 'is'>): boolean =>
  is === 'table' && rows !== null && rows >= manyRows;

/** `about 210,000 rows`. */
export const about = (rows: number | null): string =>
  rows === null ? 'an unknown number of rows' : `about ${rows.toLocaleString('en')} rows`;

/** Numbers and times: what people sort and compare by. */
export const isMeasure = ({ type: { kind } }: Column): boolean =>
  ['int', 'decimal', 'float', 'date', 'time', 'timestamp'].includes(kind);

/** Visible columns to sort by, each once, and at most 50, because each costs a question to the planner. */
export function measures({ columns }: Table): readonly Column[] {
  const sortable = columns.filter(isMeasure);
  return sortable.filter(({ name }, nth) => sortable.findIndex((other) => other.name === name) === nth).slice(0, 50);
}

/** Whether an index over whole columns begins with this one. */
export const hasIndex = ({ indexes }: CatalogTable, name: string): boolean =>
  indexes.some(({ columns }) => columns[0] === name);

/** A name for people, quoted only if it is no plain word. */
export const named = (name: string): string => (/^[\p{L}\p{N}_$-]+$/u.test(name) ? name : JSON.stringify(name));
export const tableNamed = ({ schema, name }: TableName): string =>
  schema === null || schema === 'public' ? named(name) : `${named(schema)}.${named(name)}`;

/** Whether a text column cannot hold some characters. Without a charset the whole database has one encoding. */
export const isNarrow = ({ charset, readOnly }: Column): boolean =>
  charset !== null && !readOnly && !/^(utf8mb4|utf16|utf16le|utf32|gb18030|binary)$/.test(charset);
