/** The references between resources in datastore_info: by foreign keys and by settings, and only those that the caller may read. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../../src/commands/check.ts';
import { loadSettings } from '../../../src/config/load.ts';
import type { Json } from '../../../src/model/value.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { callTool } from '../../support/mcp.ts';
import { byName, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

/** In MySQL, names of columns have no case: this foreign key names `CODE`. */
const tables = `
  CREATE TABLE country (code varchar(2) NOT NULL PRIMARY KEY, name varchar(40));
  CREATE TABLE district (country varchar(2) NOT NULL, no integer NOT NULL, PRIMARY KEY (country, no),
    CONSTRAINT d1 FOREIGN KEY (country) REFERENCES country (CODE));
  CREATE TABLE person (id integer NOT NULL PRIMARY KEY, name varchar(40));
  CREATE TABLE city (id integer NOT NULL PRIMARY KEY, country varchar(2), district integer, twin integer, mayor integer,
    CONSTRAINT c1 FOREIGN KEY (country, district) REFERENCES district (country, no),
    CONSTRAINT c2 FOREIGN KEY (twin) REFERENCES city (id),
    CONSTRAINT c3 FOREIGN KEY (mayor) REFERENCES person (id));
  CREATE TABLE budget (id integer NOT NULL PRIMARY KEY, city integer,
    CONSTRAINT b1 FOREIGN KEY (city) REFERENCES city (id),
    CONSTRAINT b2 FOREIGN KEY (city) REFERENCES city (id));
  CREATE VIEW town AS SELECT id, country FROM city;`;

const readPublic = { access: { read: 'public' } };
const tokenOf = (name: string, read: readonly string[]) => ({
  ...{ name, sha256: createHash('sha256').update(name).digest('hex'), read },
});
const configuration = (database: FreshDatabase) => {
  const of = (table: string, more: object = readPublic) => ({ database: 'db', table, ...more });
  return {
    cache: { ttl: '1h' },
    mcp: { serve: 'auto' },
    databases: { db: entry(database) },
    resources: {
      countries: of('country', { ...readPublic, aliases: ['nations'], columns: { code: { as: 'ISO code' } } }),
      names: of('country', { ...readPublic, columns: { code: { hidden: true } } }),
      districts: of('district', { ...readPublic, title: 'Districts of all countries' }),
      persons: of('person', { title: 'Staff only' }),
      cities: of('city'),
      twinless: of('city', { ...readPublic, columns: { id: { hidden: true }, country: { hidden: true } } }),
      budgets: of('budget', {}),
      towns: of('town', {
        ...readPublic,
        ...{ key: ['id'], columns: { country: { references: { resource: 'countries', column: 'code' } } } },
      }),
    },
    tokens: [tokenOf('both', ['persons', 'budgets']), tokenOf('one', ['budgets'])],
  };
};

interface Shown {
  readonly references: Json;
  readonly referenced_by: Json;
}

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(tables);
    gateway = await startGateway(configuration(database));
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const told = async (id: string, as: string | null = null, more = {}): Promise<Shown> => {
    const { status, text } = await gateway.call('datastore_info', { id, include_meta: false, ...more }, as);
    if (status !== 200) throw new Error(text);
    const { references, referenced_by } = JSON.parse(text).result;
    return { references, referenced_by };
  };
  const district = { resource_id: 'districts', title: 'Districts of all countries' };
  const twinless = { resource_id: 'twinless', title: 'city' };
  const toCountry = { fields: ['country'], resource_id: 'countries', title: 'country', to: ['ISO code'] };
  const toDistrict = { fields: ['country', 'district'], ...district, to: ['country', 'no'] };
  const twin = { fields: ['twin'], resource_id: 'cities', title: 'city', to: ['id'] };
  const mayor = { fields: ['mayor'], resource_id: 'persons', title: 'Staff only', to: ['id'] };
  const budget = { fields: ['city'], resource_id: 'budgets', title: 'budget', to: ['id'] };

  test('a foreign key, by the labels of the API and the title of the other resource, also for an alias', async () => {
    expect(await told('districts')).toEqual({
      references: [toCountry],
      referenced_by: [{ ...toDistrict, resource_id: 'cities', title: 'city' }],
    });
    const fromDistricts = { ...toCountry, ...district };
    const fromTowns = { ...toCountry, resource_id: 'towns', title: 'town' };
    expect(await told('nations')).toEqual({ references: [], referenced_by: [fromDistricts, fromTowns] });
  });

  test('a reference to a hidden column or by one is not there', async () => {
    expect(await told('names')).toEqual({ references: [], referenced_by: [] });
    // Its `_id` is the hidden column `id`, but visible all the same.
    expect(await told('twinless', 'both')).toEqual({
      references: [twin, { ...twin, ...twinless, to: ['_id'] }, mayor],
      referenced_by: [
        { ...twin, to: ['_id'] },
        { ...twin, ...twinless, to: ['_id'] },
        { ...budget, to: ['_id'] },
      ],
    });
  });

  test('a view has the references that the configuration gives it', async () => {
    expect(await told('towns')).toEqual({ references: [toCountry], referenced_by: [] });
  });

  const self = { ...twin, ...twinless, to: ['_id'] };
  const byTwins = [twin, { ...twin, ...twinless }];
  const views = {
    anonymous: { references: [toDistrict, twin, self], referenced_by: byTwins },
    both: { references: [toDistrict, twin, self, mayor], referenced_by: [...byTwins, budget] },
    one: { references: [toDistrict, twin, self], referenced_by: [...byTwins, budget] },
  };
  const orders = [
    ['anonymous', 'both', 'one'],
    ['anonymous', 'one', 'both'],
    ['both', 'anonymous', 'one'],
    ['both', 'one', 'anonymous'],
    ['one', 'anonymous', 'both'],
    ['one', 'both', 'anonymous'],
  ] as const;

  test.each(orders)('%s, %s and %s see what each of them may read, cached or not', async (...order) => {
    for (let time = 0; time < 3; time++)
      for (const as of order) {
        const asked = order.join();
        expect([as, await told('cities', as === 'anonymous' ? null : as, { asked })]).toEqual([as, views[as]]);
      }
    const again = await gateway.call(
      'datastore_info',
      { id: 'cities', include_meta: false, asked: order.join() },
      'both',
    );
    expect(['cache-control', 'x-cache'].map((name) => again.headers.get(name))).toEqual(['private, no-cache', 'HIT']);
  });

  test('the tool for agents shows them, too', async () => {
    const { text } = await callTool(gateway.url, 'describe_resource', { resource_id: 'cities' }, 'both');
    expect(JSON.parse(text)).toMatchObject(views.both);
  });

  // With PGlite, only the gateway can change the table while it runs.
  test.skipIf(engine.client === 'pglite')('a reference to a table that is gone is gone', async () => {
    await database.exec('ALTER TABLE person RENAME TO people');
    expect((await gateway.call('datastore_search', { id: 'persons' }, 'both')).status).toBe(404);
    expect((await told('cities', 'both')).references).toEqual(views.one.references);
    await database.exec('ALTER TABLE people RENAME TO person');
    expect((await gateway.call('datastore_search', { id: 'persons' }, 'both')).status).toBe(200);
    expect(await told('cities', 'both')).toEqual(views.both);
  });

  test('a reference to a column that is not shown is refused where it is written', async () => {
    const { resources, ...others } = configuration(database);
    const towns = {
      ...resources.towns,
      columns: { country: { references: { resource: 'countries', column: 'cod' } } },
    };
    const wrong = { ...others, resources: { ...resources, towns } };
    const [complaint = '', ...more] = await gateway.reload(wrong);
    expect(more).toEqual([]);
    expect(complaint).toMatch(/^resources\.towns\.columns\.country\.references\.column \(.*:\d+:\d+\) /);
    expect(complaint).toContain(
      'must name a column that resource "countries" shows (did you mean "code"?), got: "cod"',
    );
    const loaded = loadSettings('test.yaml', {}, () => JSON.stringify(wrong));
    if (!loaded.ok) throw new Error('not loaded');
    const lines: string[] = [];
    expect(await check(loaded.settings, loaded.positions, (line) => lines.push(line))).toBe(false);
    expect(lines.filter((line) => line.includes('references.column (test.yaml:1:'))).toHaveLength(1);
  });
});
