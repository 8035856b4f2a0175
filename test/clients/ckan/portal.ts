/** A data portal: a real CKAN with our extension, and a gateway with tables on each server. */
import { inject } from 'vitest';
import { type Ckan, type CkanSettings, startCkan } from '../../support/ckan/ckan.ts';
import { type CkanUser, createOrganization, createUser, resultOf } from '../../support/ckan/site.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { freePort, openScope } from '../../support/servers/scope.ts';

/** The versions of CKAN that could be installed, with their folders of programs. */
export const versions = (['2.12', '2.11'] as const).map((version) => [
  version,
  inject(version === '2.12' ? 'ckan' : 'ckan-2.11'),
]) satisfies readonly (readonly [string, string | null])[];

/** The resources on one engine with a UUID: in a public and in a private dataset. */
export const ids = (engine: string) => {
  const id = (nth: number) => `5e1d0000-0000-4000-8000-${Buffer.from(engine).toString('hex').slice(0, 10)}0${nth}`;
  return { permits: id(1), budget: id(2) };
};

export const big = '9007199254740993';

export interface Portal {
  readonly ckan: Ckan;
  readonly gateway: TestGateway;
  /** The plugins of CKAN, as `ckan.plugins` takes them. */
  readonly plugins: string;
  /** Edits the datasets, which are of one organisation. */
  readonly editor: CkanUser;
  /** Is in no organisation. */
  readonly other: CkanUser;
  close(): Promise<void>;
}

/**
 * Starts all, and registers the tables with CKAN's command line.
 * @param others plugins of CKAN beside `datastore` and ours
 * @param settings more settings of CKAN
 * @param isInFront whether people reach CKAN through the gateway, which asks it about the budget; otherwise each has its own address
 */
export async function openPortal(
  bin: string,
  others: string,
  settings: CkanSettings = {},
  isInFront = false,
): Promise<Portal> {
  // Templates of the first one win.
  const plugins = `datastore_gateway datastore ${others}`;
  const scope = openScope();
  const databases: (readonly [string, ServerDatabase])[] = [];
  let gateway: TestGateway | undefined;
  const close = async () => {
    await gateway?.close();
    for (const [, database] of databases) await database.drop();
    await scope.close();
  };
  try {
    for (const engine of servers()) databases.push([engine.name, await freshDatabase(engine)]);
    for (const [, database] of databases) for (const sql of tables) await database.exec(sql);
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const ckan = await startCkan(scope, bin, {
      'ckan.plugins': plugins,
      'ckanext.datastore_gateway.url': address,
      'ckanext.datastore_gateway.token': token,
      ...(isInFront ? { 'ckan.site_url': address } : {}),
      ...settings,
    });
    gateway = await startGateway({
      server: { port, siteUrl: address, title: 'Tables' },
      ...(isInFront ? { upstream: { url: ckan.url, access: {} } } : { explorer: { embed: [ckan.url] } }),
      databases: Object.fromEntries(databases.map(([name, database]) => [name, entry(database)])),
      resources: Object.assign({}, ...databases.map(([name]) => resourcesOf(name, isInFront))),
    });
    const [editor, other] = [await createUser(ckan), await createUser(ckan)];
    const owner = await createOrganization(ckan, [{ user: editor, role: 'editor' }]);
    for (const name of ['open-data', 'secret'])
      await resultOf(ckan, 'package_create', { name, owner_org: owner, private: name === 'secret' });
    for (const [name] of databases) {
      const { permits, budget } = ids(name);
      await ckan.command('datastore-gateway', 'register', '--package', 'open-data', permits, `codes_${name}`);
      await ckan.command('datastore-gateway', 'register', '--package', 'secret', budget);
    }
    return { ...{ ckan, gateway, plugins, editor, other }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const resourcesOf = (engine: string, isInFront: boolean) => {
  const { permits, budget } = ids(engine);
  const resource = (table: string, title: string, read: 'public' | 'token') => ({
    ...{ database: engine, table, title, access: { read, write: 'token', aggregate: true, sql: true } },
    columns: table === 'permit' ? { kind: { info: { label: 'Kind of work', notes: 'As applied for' } } } : {},
    description: `The table "${table}" of ${engine}, as it is`,
  });
  return {
    [permits]: { ...resource('permit', 'Building permits', 'public'), aliases: [`permits_${engine}`] },
    [budget]: {
      ...resource('budget', 'Budget', 'token'),
      ...(isInFront ? { access: { read: 'upstream', write: 'upstream' } } : {}),
    },
    // A name that CKAN does not take as an id.
    [`codes_${engine}`]: resource('code', 'Codes', 'public'),
  };
};

const kinds = ['roof', 'garage', 'solar', 'fence'];
const streets = ['Linden Street', 'Mill Lane', 'Harbour Road', 'Castle Square', 'Orchard Way'];
const permit = (n: number) =>
  `(${n}, 'Permit no. ${n}', '${kinds[n % 4]}', '${streets[n % 5]} ${n}', ${n}.1000, ${n === 1 ? big : n}, '2024-02-${String((n % 28) + 1).padStart(2, '0')}')`;

const tables = [
  'CREATE TABLE permit (id int PRIMARY KEY, title varchar(60), kind varchar(20), street varchar(60), amount decimal(24,4), big bigint, opened date)',
  `INSERT INTO permit VALUES ${Array.from({ length: 45 }, (_, n) => permit(n + 1)).join(', ')}`,
  'CREATE TABLE budget (id int PRIMARY KEY, title varchar(60))',
  "INSERT INTO budget VALUES (1, 'Schools'), (2, 'Roads')",
  'CREATE TABLE code (code varchar(8) PRIMARY KEY, name varchar(60))',
  "INSERT INTO code VALUES ('DE', 'Germany'), ('FR', 'France')",
];
