import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { fetched } from '../../support/fetched.ts';
import { entry, startGateway, type TestGateway, token } from '../../support/gateway.ts';
import { type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const subjects = inject('engines').flatMap((engine) =>
  engine.client === 'postgres' ? [] : [[engine.name, engine] as const],
);
const digits = 'd a, d b, d c, d e';

describe.runIf(subjects.length > 0).each(subjects)('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(`
      CREATE TABLE d (n int PRIMARY KEY) ENGINE=MyISAM;
      INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
      CREATE TABLE keyed (n int, m int, t text, PRIMARY KEY (n, m)) ENGINE=MyISAM;
      INSERT INTO keyed SELECT a.n + 10 * b.n, c.n + 10 * e.n, REPEAT('x', 2000) FROM ${digits};
      CREATE TABLE keyless (n int, t text) ENGINE=MyISAM;
      INSERT INTO keyless SELECT n, t FROM keyed;`);
    const resources = ['keyed', 'keyless'].map((table) => [table, { database: 'db', table }]);
    gateway = await startGateway({ databases: { db: entry(database) }, resources: Object.fromEntries(resources) });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  test.each(['keyed', 'keyless'])('the legacy application writes to %s while a dump is read', async (table) => {
    const sent = request(`${gateway.url}/datastore/dump/${table}?fields=n,t`, { headers: { Authorization: token } });
    sent.end();
    await new Promise((resolve) => sent.on('response', resolve));
    await database.exec('SET lock_wait_timeout = 2');
    await database.exec(`UPDATE ${table} SET t = CONCAT(t, 'y') WHERE n = 5`);
    sent.destroy();
  });

  test('page by page every record comes once, in order', async () => {
    const { body } = await fetched(`${gateway.url}/datastore/dump/keyed?fields=n,m&sort=m+desc&offset=7&limit=9000`);
    const found = body.toString().trimEnd().split(/\r?\n/).slice(1);
    const all = Array.from({ length: 10_000 }, (_all, at) => `${at % 100},${99 - Math.floor(at / 100)}`);
    expect(found).toEqual(all.slice(7, 9007));
    const keyless = await fetched(`${gateway.url}/datastore/dump/keyless?fields=n`);
    expect(keyless.body.toString().split('\n')).toHaveLength(10_002);
  });
});

test.runIf(subjects.length === 0)('there is no engine of this run that has such tables', () => {
  expect(inject('engines').every(({ client }) => client === 'postgres')).toBe(true);
});
