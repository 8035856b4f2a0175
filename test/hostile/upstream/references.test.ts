/** Attack: learn from references that a resource exists which CKAN does not let the caller read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { anyEngine, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { type UpstreamCkan, upstreamCkan } from '../../support/upstream-ckan.ts';

/** The callers, with the resources that CKAN lets them read. */
const readable: Readonly<Record<string, readonly string[]>> = { '': [], ana: ['budgets', 'persons'], ben: ['budgets'] };
const orders = [
  ['', 'ana', 'ben'],
  ['ana', '', 'ben'],
  ['ben', '', 'ana'],
  ['ana', 'ben', ''],
];

describe.skipIf(anyEngine().length === 0)('beside a CKAN', () => {
  let database: FreshDatabase;
  let ckan: UpstreamCkan;
  let gateway: TestGateway;
  beforeAll(async () => {
    const [engine] = anyEngine();
    if (engine === undefined) throw new Error('no engine');
    [database, ckan] = await Promise.all([freshDatabase(engine), upstreamCkan()]);
    await database.exec(`
      CREATE TABLE person (id integer NOT NULL PRIMARY KEY);
      CREATE TABLE city (id integer NOT NULL PRIMARY KEY, mayor integer, FOREIGN KEY (mayor) REFERENCES person (id));
      CREATE TABLE budget (id integer NOT NULL PRIMARY KEY, city integer, FOREIGN KEY (city) REFERENCES city (id));`);
    for (const id of ['budgets', 'persons']) ckan.resources.add(id);
    const access = { read: 'upstream' };
    gateway = await startGateway({
      databases: { db: entry(database) },
      upstream: { url: ckan.url, access: { timeout: '60s', keep: '100ms' } },
      resources: {
        cities: { database: 'db', table: 'city', access: { read: 'public' } },
        persons: { database: 'db', table: 'person', access },
        budgets: { database: 'db', table: 'budget', access },
      },
      cache: { ttl: '1h' },
    });
  });
  beforeEach(() => {
    for (const [login, read] of Object.entries(readable)) ckan.allow(login, { read });
    ckan.answer = null;
  });
  afterAll(async () => {
    await gateway?.close();
    await ckan?.close();
    await database?.drop();
  });

  /** The resources that `cities` is linked to, as this login sees it. */
  const linked = async (login: string, more = {}) => {
    const params = { resource_id: 'cities', include_meta: false, ...more };
    const { status, text } = await gateway.call('datastore_info', params, login === '' ? null : login);
    if (status !== 200) throw new Error(text);
    const { references, referenced_by } = JSON.parse(text).result;
    return [...referenced_by, ...references].map(({ resource_id }) => resource_id);
  };

  test.each(orders)('"%s", "%s" and "%s" see what CKAN lets each of them read', async (...order) => {
    for (let time = 0; time < 3; time++)
      for (const login of order) expect(await linked(login, { asked: order.join() })).toEqual(readable[login]);
  });

  test('a right that ends or begins shows within `keep`', async () => {
    expect([await linked('ana'), await linked('')]).toEqual([['budgets', 'persons'], []]);
    ckan.allow('ana', { read: ['budgets'] });
    ckan.allow('', { read: ['persons'] });
    await expect.poll(() => linked('ana')).toEqual(['budgets']);
    await expect.poll(() => linked('')).toEqual(['persons']);
  });

  test('CKAN is asked for the right to read alone, and without its decision nothing is shown', async () => {
    await expect.poll(() => linked('ana')).toEqual(readable.ana);
    await new Promise((resolve) => setTimeout(resolve, 150));
    ckan.questions.length = 0;
    ckan.answer = (_, response) => void response.writeHead(500).end();
    expect(await linked('ana')).toEqual([]);
    const actions = ckan.questions.map(({ action }) => action).filter((name) => name !== 'user_show');
    expect([...new Set(actions)]).toEqual(['resource_show']);
    ckan.answer = null;
    await expect.poll(() => linked('ana')).toEqual(readable.ana);
  });
});
