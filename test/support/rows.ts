/** Tables that two tenants share, and callers whose row filters show them the rows of one tenant. */
import { createHash } from 'node:crypto';
import type { Json } from '../../src/model/value.ts';
import { type Fetched, fetched } from './fetched.ts';
import { type Answered, entry, startGateway, type TestGateway } from './gateway.ts';
import { type Engine, type FreshDatabase, freshDatabase } from './servers/engines.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

type Row = Readonly<Record<string, Json>>;

/**
 * Those who call: `seven` and `eight` see the rows of their tenant, `sevenToo` has the same filter by another token, and `north` sees the northern rows
 * of tenant 7. `truth` has no filter, and reads the resources whose name begins with `all-`.
 */
export const callers = ['seven', 'sevenToo', 'eight', 'north', 'truth'] as const;
export type Caller = (typeof callers)[number];

export type TableName = 'line' | 'stop' | 'moved' | 'paper';

/** Both tenants have rows with the same values, so that each search that forgets the filter finds too much. */
const words = ['Alpha express', 'alpha', 'Beta express', 'Gamma', 'gamma', 'Delta'];
const lineOf = (id: number, tenant: number, nth: number): Row => ({
  id,
  tenant,
  region: ['north', 'south', null][nth % 3] ?? null,
  name: words[nth] ?? null,
  note: tenant === 7 ? `own line ${nth}` : `zebra line ${nth}`,
  n: nth === 5 && tenant === 8 ? 5000 : nth * 10,
  price: nth % 2 === 0 ? nth : null,
  day: tenant === 7 ? `202${nth}-03-01` : `19${nth + 1}0-03-01`,
  code: `${tenant}-${nth}`,
});
const stopOf = (line: number, nr: number, tenant: number): Row => ({ line, nr, tenant, name: `stop ${line} ${nr}` });
const six = [0, 1, 2, 3, 4, 5];

/** The rows after `reset`. Without a tenant a row is outside every filter. */
export const rowsOf: Readonly<Record<TableName, readonly Row[]>> = {
  line: [
    ...six.map((nth) => lineOf(nth + 1, 7, nth)),
    ...six.map((nth) => lineOf(nth + 11, 8, nth)),
    { ...lineOf(21, 8, 0), tenant: null, code: 'nobody' },
  ],
  stop: [stopOf(1, 1, 7), stopOf(1, 2, 7), stopOf(2, 1, 7), stopOf(1, 3, 8), stopOf(2, 2, 8), stopOf(3, 1, 8)],
  moved: [
    { id: 1, tenant: 7, name: 'one' },
    { id: 2, tenant: 7, name: 'two' },
    { id: 11, tenant: 8, name: 'eleven' },
  ],
  paper: [
    { id: 1, tenant: 7, title: 'hydrogen report', body: 'a report about water and hydrogen' },
    { id: 2, tenant: 7, title: 'water', body: 'hydrogen once' },
    { id: 3, tenant: 7, title: 'weather', body: 'clouds and wind' },
    { id: 11, tenant: 8, title: 'hydrogen', body: 'hydrogen hydrogen hydrogen' },
    { id: 12, tenant: 8, title: 'wind', body: 'nothing about it' },
  ],
};

export const insideOf = (table: TableName, tenant = 7): readonly Row[] =>
  rowsOf[table].filter((row) => row.tenant === tenant);

const tables = (engine: Engine): readonly string[] => {
  const isMysql = engine.client === 'mysql';
  return [
    `CREATE TABLE line (id int PRIMARY KEY, tenant int, region varchar(20), name varchar(60), note varchar(200), n int,
      price decimal(8,2), day date, code varchar(40) UNIQUE)`,
    'CREATE TABLE stop (line int, nr int, tenant int, name varchar(60), PRIMARY KEY (line, nr), UNIQUE (tenant, name))',
    'CREATE TABLE moved (id int PRIMARY KEY, tenant int, name varchar(60))',
    `CREATE TABLE paper (id int PRIMARY KEY, tenant int, title varchar(100), body varchar(200)
      ${isMysql ? ', FULLTEXT (title, body)' : ''})`,
    ...(isMysql
      ? ['INSERT', 'UPDATE'].map(
          (event) => `CREATE TRIGGER moves_${event} BEFORE ${event} ON moved FOR EACH ROW
            SET NEW.tenant = IF(NEW.name = 'move', 8, NEW.tenant)`,
        )
      : [
          `CREATE FUNCTION moves() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN IF NEW.name = 'move' THEN NEW.tenant := 8; END IF; RETURN NEW; END $$`,
          'CREATE TRIGGER moves BEFORE INSERT OR UPDATE ON moved FOR EACH ROW EXECUTE PROCEDURE moves()',
        ]),
  ];
};

const access = { read: 'token', write: 'token', deleteAll: true };
const hidden = { tenant: { hidden: true } };
// biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration has this syntax, too
export const ofTenant = { tenant: '${claim.tenant}' };
const inTitle = { mode: 'native', columns: ['title', 'body'] };
const inName = { columns: ['name', 'note'] };
/** What two resources on a table must say alike, so that they differ in the filter only. */
const settingsOf: Readonly<Record<TableName, object>> = {
  line: { table: 'line', search: inName },
  stop: { table: 'stop' },
  moved: { table: 'moved' },
  paper: { table: 'paper', search: inTitle },
};
const names: readonly TableName[] = ['line', 'stop', 'moved', 'paper'];
const claims = { tenant: 7 };
const everything = { read: ['*'], write: ['*'] };

/** The resources: `lines` hides the tenant, `open-lines` shows it, `all-line` shows all rows; `regional` has only a filter of the token `north`. */
function resources(): Record<string, object> {
  return Object.fromEntries<object>([
    ...names.map((name) => [`all-${name}`, { database: 'db', access, ...settingsOf[name] }] as const),
    ...names.map((name) => {
      const filtered = { database: 'db', access, where: ofTenant, columns: hidden, ...settingsOf[name] };
      return [`${name}s`, filtered] as const;
    }),
    ['open-lines', { database: 'db', access, where: ofTenant, ...settingsOf.line }],
    ['regional', { database: 'db', access, ...settingsOf.line }],
  ]);
}

const tokens = [
  { name: 'seven', sha256: sha256('seven'), ...everything, claims },
  { name: 'sevenToo', sha256: sha256('sevenToo'), ...everything, claims },
  { name: 'eight', sha256: sha256('eight'), ...everything, claims: { tenant: 8 } },
  {
    ...{ name: 'north', sha256: sha256('north'), ...everything, claims },
    where: { lines: { region: 'north' }, regional: { region: { in: ['north', 'south'] } } },
  },
  { name: 'truth', sha256: sha256('truth'), ...everything },
];

export interface SharedTables {
  readonly gateway: TestGateway;
  readonly database: FreshDatabase;
  /** Calls an action by POST; null sends no token. */
  call(as: Caller | null, action: string, params: object): Promise<Answered>;
  /** The `result` of a call. Throws unless the call succeeds. */
  result(as: Caller, action: string, params: object): Promise<Record<string, Json>>;
  /** Sends a GET to a path of the gateway. */
  get(as: Caller, path: string, headers?: Readonly<Record<string, string>>): Promise<Fetched>;
  /** The rows of a table as stored, in the order of its key. */
  stored(table: TableName): Promise<readonly Row[]>;
  /** The stored rows that `seven` must not see. */
  outside(table: TableName): Promise<readonly Row[]>;
  /** Reloads with these additions instead of the first ones. Returns the complaints. */
  reload(more: Omit<More, 'sql'>): Promise<readonly string[]>;
  /** Restores the first rows of the tables. */
  reset(...tables: readonly TableName[]): Promise<void>;
  close(): Promise<void>;
}

/** Connection timeouts are not tested here. */
const patient = { pool: { acquireTimeout: '60s' } };

/** What a test adds to the tables and to the configuration. */
interface More {
  /** Statements that create further tables. */
  readonly sql?: readonly string[];
  readonly resources?: object;
  readonly tokens?: readonly object[];
  readonly cache?: object;
  readonly limits?: object;
  readonly auth?: object;
  readonly upstream?: object;
  readonly rateLimit?: object | 'none';
}

/** Creates the tables and starts a gateway for them. */
export async function openSharedTables(engine: Engine, { sql = [], ...more }: More = {}): Promise<SharedTables> {
  const database = await freshDatabase(engine);
  let gateway: TestGateway | null = null;
  try {
    for (const statement of [...tables(engine), ...sql]) await database.exec(statement);
    const databases = { db: { ...entry(database), ...(engine.client === 'pglite' ? {} : patient) } };
    const configuration = ({ resources: others = {}, tokens: callers = [], ...settings }: Omit<More, 'sql'>) => ({
      ...{ ...settings, databases, resources: { ...resources(), ...others }, tokens: [...tokens, ...callers] },
    });
    gateway = await startGateway(configuration(more));
    const reload = (more: Omit<More, 'sql'>) => gateway?.reload(configuration(more)) ?? Promise.resolve(['closed']);
    const opened = { ...sharedTables(gateway, database), reload };
    await opened.reset(...names);
    return opened;
  } catch (error) {
    await gateway?.close();
    await database.drop();
    throw error;
  }
}

function sharedTables(gateway: TestGateway, database: FreshDatabase): Omit<SharedTables, 'reload'> {
  const call = (as: Caller | null, action: string, params: object) => gateway.call(action, params, as);
  const result = async (as: Caller, action: string, params: object) => {
    const { status, text } = await call(as, action, params);
    if (status !== 200) throw new Error(`${status} ${text}`);
    const parsed: { result: Record<string, Json> } = JSON.parse(text);
    return parsed.result;
  };
  const stored = async (table: TableName) => {
    const { records } = await result('truth', 'datastore_search', { resource_id: `all-${table}`, limit: 10_000 });
    return recordsIn(records);
  };
  return {
    gateway,
    database,
    call,
    result,
    get: (as, path, headers = {}) => fetched(gateway.url + path, { Authorization: as, ...headers }),
    stored,
    outside: async (table) => (await stored(table)).filter((row) => row.tenant !== 7),
    async reset(...tables) {
      // By the gateway, because no other process may open the directory of PGlite.
      for (const table of tables) {
        const resource_id = `all-${table}`;
        await result('truth', 'datastore_records_delete', { resource_id, filters: {} });
        await result('truth', 'datastore_upsert', { resource_id, method: 'insert', records: rowsOf[table] });
      }
    },
    async close() {
      await gateway.close();
      await database.drop();
    },
  };
}

/** The records of an answer. */
export function recordsIn(records: unknown): readonly Row[] {
  const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;
  if (!Array.isArray(records) || !records.every(isRow)) throw new Error('an answer without records');
  return records;
}

/** The error of a refusal without its type. */
export function errorOf({ text }: Pick<Answered, 'text'>): Readonly<Record<string, unknown>> {
  const { error }: { error?: Record<string, unknown> } = JSON.parse(text);
  const { __type: _, ...rest } = error ?? {};
  return rest;
}
