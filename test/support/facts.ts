/** Facts about a perfectly set up database, without a server. The rules have nothing to advise until a test changes a fact. */
import type { Facts, ResourceFacts } from '../../src/advise/facts.ts';
import type { PlanFacts, Remedies, ServerFacts } from '../../src/model/advice.ts';
import type { CatalogTable } from '../../src/model/catalog.ts';
import type { Column, Table } from '../../src/model/table.ts';
import { byLabel } from '../../src/model/table.ts';
import { column, films, int4, text } from './table.ts';

export const scan: PlanFacts = { readsAll: true, sorts: true };
export const lookup: PlanFacts = { readsAll: false, sorts: false };

/** Fake SQL that shows its arguments. */
export const remedies: Remedies = {
  search: (table) => ({ sql: ['FULLTEXT'], mode: 'auto', columns: table.search.columns.map(({ name }) => name) }),
  index: ({ name }, columns) => [`INDEX ${name} ${columns.join(' ')}`],
  key: ({ name }, column) => [`KEY ${name} ${column}`],
  notNull: ({ name }, column) => [`NOT NULL ${name} ${column}`],
  unicode: ({ name }, columns) => [`UNICODE ${name} ${columns.map((one) => one.name).join(' ')}`],
  analyze: ({ name }) => [`ANALYZE ${name}`],
  repeated: ({ name }, columns) => [`REPEATED ${name} ${columns.join(' ')}`],
  copyable: (sql) => sql,
  user: (needs) => ({
    name: 'gw_app',
    sql: needs.map(({ table }) => `GRANT ${table.name}`),
    next: 'give it a password',
  }),
};

const server: ServerFacts = {
  powers: [],
  unanalyzed: [],
  unindexed: [],
  sizes: [],
  isReadOnly: false,
  replica: null,
  endsReads: true,
  transactionTimeout: null,
  connections: 100,
  idleTimeout: null,
  remedies,
};

const id = column('id', int4, { nullable: false });
const columns: readonly Column[] = [
  { ...id, label: '_id' },
  id,
  column('title', text),
  column('amount', int4, { nullable: false }),
  column('seen', int4),
];

/** The facts of a table of 300,000 films with an index on its key and on `seen`. */
export function resourceFacts(
  more: Partial<ResourceFacts> = {},
  { table = {}, found = {} }: { readonly table?: Partial<Table>; readonly found?: Partial<CatalogTable> } = {},
): ResourceFacts {
  const bound: Table = {
    ...films,
    ...{ columns, labels: byLabel(columns), key: [id], order: { by: [id], isTotal: true } },
    search: { ...films.search, columns: columns.filter(({ name }) => name === 'title') },
    ...table,
  };
  const its: CatalogTable = {
    ...{ schema: null, name: 'film', kind: 'table', columns: columns.slice(1), primaryKey: ['id'] },
    ...{ uniqueKeys: [{ name: 'PRIMARY', columns: ['id'] }], foreignKeys: [], keysHold: true, mayDefer: false },
    sequence: { records: 'in any order', numbered: [], required: [] },
    definition: null,
    indexes: [
      { name: 'PRIMARY', columns: ['id'], unique: true, ordered: true },
      { name: 'by_seen', columns: ['seen'], unique: false, ordered: true },
    ],
    ...{ transactional: true, searchIndexes: [] },
    rights: { without: { SELECT: [], INSERT: [], UPDATE: [] }, mayDelete: true, schema: null, sequences: [] },
    ...found,
  };
  return {
    ...{
      id: 'films',
      table: bound,
      catalogTable: its,
      kind: 'table',
      rows: 300_000,
      read: 'token',
      write: 'none',
      ttl: 60_000,
    },
    ...{ mentioned: new Set(), personal: [], below: [], withheld: [] },
    needs: { table: its, grants: [], mentioned: [], below: [], withheld: [] },
    plans: { q: null, qOf: new Map(), sorted: new Map(), sortedAsIndexed: new Map() },
    ...more,
  };
}

export function facts(
  resources: readonly ResourceFacts[],
  more: Partial<ServerFacts> = {},
  rest: Partial<Facts> = {},
): Facts {
  return {
    ...{ database: 'db', server: { ...server, ...more }, resources, user: 'app', changed: [] },
    ...{
      pool: { databases: ['db'], connections: 14 },
      limits: { responseBytes: 1e6, rowsDefault: 100, statementTimeout: 10_000, dumpTimeout: 3_600_000 },
      indexesSortNulls: true,
      ...rest,
    },
  };
}
