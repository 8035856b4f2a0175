/** MySQL reads pages by an index that does not match the order (`dialects/mysql/by-index.ts`). They must equal the pages of a table without indexes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, type FreshDatabase, freshDatabase, servers } from '../../support/servers/engines.ts';

const rows = 240;
const columns = 'a int, d date, z datetime NOT NULL, v varchar(20), f float, n int NOT NULL, e decimal(5,2)';
const indexes = 'KEY (a), KEY (d), KEY (z), KEY (v), KEY (f), KEY (n), KEY (a, n), KEY (n, a), KEY (e, v)';
const orNull = (nth: number, every: number, value: string) => (nth % every === 0 ? 'NULL' : value);
const values = Array.from({ length: rows }, (_, nth) => {
  const word = ["'a'", "'A'", "'b '", "'b'", "''", "'é'", "'e'"][nth % 7] ?? "''";
  // Many values are equal, in an order that differs from that of the key.
  return [
    (nth * 7919) % 1009,
    orNull(nth, 4, String((nth * 31) % 9)),
    orNull(nth, 3, nth % 5 === 1 ? "'0000-00-00'" : `'20${10 + (nth % 5)}-01-01'`),
    nth % 4 === 1 ? "'0000-00-00 00:00:00'" : `'20${10 + (nth % 7)}-01-01 00:00:00'`,
    orNull(nth, 5, word),
    orNull(nth, 6, `${nth % 8} / 3`),
    nth % 6,
    orNull(nth, 2, `${nth % 10} / 4`),
  ];
});

const engines = servers().filter(({ client }) => client === 'mysql');
describe.runIf(engines.length > 0).each(byName(engines))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const filled = (name: string, key: string, more: string, listed: readonly string[]) =>
      `CREATE TABLE ${name} (${key}, ${columns}${more}) ENGINE=InnoDB CHARACTER SET utf8mb4; INSERT INTO ${name} VALUES ${listed.join(', ')};`;
    const byNumber = values.map((row) => `(${row.join(', ')})`);
    const byText = values.map(([id, ...row]) => `('k${id}', ${Number(id) % 3}, ${row.join(', ')})`);
    const text = 'code varchar(10), part int';
    await database.exec(
      [
        "SET SESSION sql_mode = '';",
        filled('plain', 'id int PRIMARY KEY', '', byNumber),
        filled('quick', 'id int PRIMARY KEY', `, ${indexes}`, byNumber),
        filled('plain_text', `${text}, PRIMARY KEY (code, part)`, '', byText),
        filled('quick_text', `${text}, PRIMARY KEY (code, part)`, `, ${indexes}`, byText),
      ].join(''),
    );
    const access = { read: 'public', write: 'token' };
    const resources = ['plain', 'quick', 'plain_text', 'quick_text'].map((table) => [
      table,
      { database: 'db', table, access, cache: { ttl: '0s' } },
    ]);
    gateway = await startGateway({ databases: { db: entry(database) }, resources: Object.fromEntries(resources) });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  async function search(asked: object) {
    const { status, text } = await gateway.call('datastore_search', asked);
    expect([status, asked]).toEqual([200, asked]);
    return JSON.parse(text).result;
  }

  /** The ids of all pages, each read with the cursor of the previous page. */
  async function walk(asked: object): Promise<readonly Json[]> {
    const found: Json[] = [];
    for (let next: object | undefined = {}; next !== undefined; ) {
      const { records, next_page } = await search({ ...asked, ...next, include_next_page: true, limit: 23 });
      found.push(...records);
      next = next_page;
    }
    return found;
  }

  const sorts = [
    ...[
      'a',
      'a desc',
      'a nulls first',
      'a desc nulls last',
      'd',
      'd desc',
      'd nulls first',
      'z',
      'z desc',
      'z nulls first',
      'v',
      'v desc',
      'f',
      'f desc',
      'n desc',
    ],
    ...[
      'a, n',
      'a desc, n desc',
      'a desc, n',
      'a, n desc',
      'n, a',
      'n desc, a desc nulls last',
      'e, v',
      'e desc, v desc',
    ],
    ...['a, d', 'v, a desc', 'f desc nulls last, v'],
  ];
  const filters = [{}, { n: [1, 3] }, { a: null }, { a: { gt: 3 }, n: 2 }, { d: '2012-01-01' }, { n: 77 }];

  /** Two filters for each sort in `npm test`, all of them in `npm run fuzz`. */
  const filtersOf = (nth: number) =>
    filters.filter((_, other) => process.env.FUZZ_CASES !== undefined || (nth + other) % 3 === 0);

  test.each(sorts.map((sort, nth) => [sort, nth] as const))('%s', async (sort, nth) => {
    for (const kind of ['', '_text'])
      for (const filter of filtersOf(nth)) {
        const params = { sort, filters: filter, fields: kind === '' ? 'id,n,a' : 'code,part,v' };
        const all = (await search({ ...params, resource_id: `plain${kind}` })).records;
        const total = all.length;
        for (const [limit, offset] of [
          [5, 0],
          [7, 50],
          [30, total - 10],
          [1, total],
          [1000, 0],
        ] as const) {
          if (offset < 0) continue;
          const { records } = await search({ ...params, resource_id: `quick${kind}`, limit, offset });
          const expected = (await search({ ...params, resource_id: `plain${kind}`, limit, offset })).records;
          expect([params, limit, offset, records]).toEqual([params, limit, offset, expected]);
        }
      }
    const params = { sort, fields: 'id,n,a', filters: { n: [0, 1, 2, 4] } };
    expect(await walk({ ...params, resource_id: 'quick' })).toEqual(await walk({ ...params, resource_id: 'plain' }));
  });
});
