import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { randomFrom } from '../../support/random-from.ts';
import { type Engine, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';
import { everything, script, unsortable } from './sortable-columns.ts';

interface Page {
  readonly records: readonly (readonly unknown[])[];
  readonly total: number;
  readonly order_is_total?: boolean;
  readonly next_page?: { readonly _id?: unknown; readonly after?: string };
}

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine: Engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(`${script(engine, randomFrom(7))}
      CREATE TABLE loose AS SELECT * FROM everything; INSERT INTO loose SELECT * FROM everything;
      CREATE VIEW everything_seen AS SELECT a.* FROM everything a UNION ALL SELECT b.* FROM everything b;
      CREATE VIEW huge AS SELECT a.id FROM everything a, everything b, everything c, everything d;`);
    if (engine.client === 'postgres')
      await database.exec(`CREATE TABLE above (id int PRIMARY KEY, n int); CREATE TABLE below () INHERITS (above);
        INSERT INTO above SELECT n, 1 FROM generate_series(1, 30) n; INSERT INTO below SELECT n, 2 FROM generate_series(1, 30) n;`);
    const table = { database: 'db', access: { read: 'public', write: 'token' } };
    const columns = engine.client === 'mysql' ? { flag: { boolean: true } } : { sign: { boolean: true } };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        everything: { ...table, table: 'everything', columns },
        loose: { ...table, table: 'loose', columns },
        everything_seen: { ...table, table: 'everything_seen', columns },
        huge: { ...table, table: 'huge' },
        ...(engine.client === 'postgres'
          ? {
              above: { ...table, table: 'above' },
              claimed: { ...table, table: 'above', key: ['id', 'n'], access: { read: 'public' } },
            }
          : {}),
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const search = async (params: Record<string, unknown>): Promise<Page> => {
    const answer = await gateway.call('datastore_search', { records_format: 'lists', fields: ['id'], ...params });
    const { result, error } = JSON.parse(answer.text);
    if (result === undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  /** The first cells of all records, read page by page with `next_page`. */
  async function walk(params: Record<string, unknown>): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    let next: Page['next_page'] = {};
    while (next !== undefined) {
      const { _id, after } = next;
      const filters = _id === undefined ? {} : { filters: { ...Object(params.filters), _id } };
      const page: Page = await search({ ...params, ...filters, after, include_next_page: true });
      found.push(...page.records.map(([id]) => id));
      next = page.next_page;
      expect(next === undefined).toBe(page.records.length === 0);
    }
    return found;
  }

  const names = Object.keys(everything(engine));
  test.each(names)('a walk by %s, whatever its values, is one big page', async (name) => {
    const sort = `"${name}"${names.indexOf(name) % 2 === 0 ? '' : ' desc nulls last'}`;
    const { records } = await search({ resource_id: 'everything', sort });
    expect(records).toHaveLength(24);
    expect(await walk({ resource_id: 'everything', sort, limit: 7 }), sort).toEqual(records.map(([id]) => id));
  });

  test.runIf(engine.client === 'mysql')('a zero date is sorted as the null that is shown', async () => {
    for (const name of ['zero', 'zeroday', 'zerotime'])
      for (const [order, sign, isFirst] of [
        ['', 1, false],
        [' desc', -1, true],
        [' nulls first', 1, true],
        [' desc nulls last', -1, false],
      ] as const) {
        const params = { resource_id: 'everything', fields: [name, 'id'], records_format: 'lists' };
        const { records } = await search({ ...params, sort: `${name}${order}` });
        const value = (row: readonly unknown[]) =>
          row[0] === null ? (isFirst === sign > 0 ? '' : '~') : String(row[0]);
        const sorted = [...records].sort(
          (a, b) => sign * (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) || Number(a[1]) - Number(b[1]),
        );
        expect([name, order, records]).toEqual([name, order, sorted]);
      }
  });

  test.each([{}, { sort: '_id desc' }, { filters: { id: { gte: 3, lt: 20 } } }, { filters: [{ id: 3 }, { id: 9 }] }])(
    'a walk by _id with %j is one big page',
    async (params) => {
      const { records } = await search({ resource_id: 'everything', ...params });
      const walked = await walk({ resource_id: 'everything', ...params, limit: 7 });
      expect(walked).toEqual(records.map(([id]) => id));
    },
  );

  /** The first cells of all records, read page by page with `offset`. */
  async function byOffset(params: Record<string, unknown>): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    for (let page: Page | null = null; page === null || page.records.length > 0; ) {
      page = await search({ ...params, limit: 7, offset: found.length });
      found.push(...page.records.map(([id]) => id));
      expect(page).not.toHaveProperty('order_is_total');
    }
    return found;
  }

  test.each(
    ['loose', 'everything_seen'].flatMap((resource_id) => [
      { resource_id },
      { resource_id, sort: 'whole' },
      { resource_id, sort: 'day desc, exact nulls first' },
      { resource_id, q: 'a' },
      { resource_id, q: 'a', sort: 'whole' },
      { resource_id, filters: { whole: [0, 5, null] } },
    ]),
  )('no page by offset repeats or loses a record without a key: %j', async (params) => {
    const ids = (await search(params)).records.map(([id]) => id);
    expect(ids.length).toBeGreaterThan(7);
    expect(await byOffset(params)).toEqual(ids);
    expect(ids.sort()).toEqual(ids.filter((id, at) => ids.indexOf(id) === at).flatMap((id) => [id, id]));
  });

  test('pages of a large table without a key say that their order is not total, if there are others', async () => {
    const params = { resource_id: 'huge', include_total: false };
    expect((await search({ ...params, limit: 5 })).order_is_total).toBe(false);
    expect((await search({ ...params, limit: 5, offset: 5, sort: 'id desc' })).order_is_total).toBe(false);
    expect(await search({ ...params, limit: 5, distinct: true })).not.toHaveProperty('order_is_total');
    await expect(search({ resource_id: 'loose', include_next_page: true })).rejects.toThrow('the table has no key');
  });

  test.runIf(engine.client === 'postgres')('the key of a table is none of those that inherit from it', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => [at + 1, at + 1]).flat();
    expect(await byOffset({ resource_id: 'above' })).toEqual(ids);
    expect(await byOffset({ resource_id: 'above', sort: 'n' })).toHaveLength(60);
    await expect(search({ resource_id: 'above', include_next_page: true })).rejects.toThrow('that inherit from it');
    expect(gateway.events.map((event) => JSON.stringify(event)).join()).toContain('over whose records its key (id)');
    expect((await gateway.result('datastore_info', { id: 'above' })).key).toEqual([]);
    expect(await walk({ resource_id: 'claimed', limit: 7 })).toEqual(ids);
  });

  const lines = (page: unknown): readonly string[] => String(Object(page).records).split('\n').slice(0, -1);
  // Without the flag that holds a number other than 0 and 1: such values are refused.
  const shown = names.filter((name) => name !== (engine.client === 'mysql' ? 'flag' : 'sign'));
  test.each([...shown, ...Object.keys(unsortable(engine))])('distinct %s is each text shown, once', async (name) => {
    const params = { resource_id: 'everything', fields: [name], records_format: 'csv' };
    const shown = new Set(lines(await search(params)));
    const page = await search({ ...params, distinct: true });
    expect([...lines(page)].sort()).toEqual([...shown].sort());
    expect(page.total).toBe(shown.size);
    const part = async (offset: number) => lines(await search({ ...params, distinct: true, offset, limit: 9 }));
    expect((await Promise.all([0, 9, 18].map(part))).flat()).toEqual(lines(page));
  });

  test('distinct by several columns, found by a filter and in an order asked for, counts and shows each once', async () => {
    const [first = '', , third = ''] = names.slice(3);
    const params = { resource_id: 'everything', fields: [first, 'id', third, first], records_format: 'csv' };
    const filters = { id: { lt: 20 } };
    expect(lines(await search({ ...params, filters, distinct: true, sort: `${third} desc, id` }))).toEqual(
      lines(await search({ ...params, filters, sort: `${third} desc, id` })),
    );
    const fields = { ...params, fields: [first, third] };
    const shown = new Set(lines(await search({ ...fields, filters })));
    const found = await search({ ...fields, filters, distinct: true, sort: `${third} desc nulls last` });
    expect([...lines(found)].sort()).toEqual([...shown].sort());
    expect(found.total).toBe(shown.size);
    const dump = `/datastore/dump/everything?distinct=true&fields=${first},${third}&filters=${JSON.stringify(filters)}`;
    const [, ...dumped] = (await (await fetch(gateway.url + dump)).text()).split(/\r?\n/).slice(0, -1);
    expect(dumped).toEqual(lines(await search({ ...fields, filters, distinct: true })));
  });

  test('a walk by several columns at random is one big page', async () => {
    const random = randomFrom(42);
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)];
    for (let nth = 0; nth < 6; nth++) {
      const sort = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        [`"${pick(names)}"`, pick(['', 'asc', 'desc']), pick(['', 'nulls first', 'nulls last'])].join(' '),
      );
      const filters = random() < 0.5 ? {} : { whole: [0, 5, null] };
      const { records } = await search({ resource_id: 'everything', sort, filters });
      const walked = await walk({ resource_id: 'everything', sort, filters, limit: 2 + Math.floor(random() * 5) });
      expect(walked, JSON.stringify(sort)).toEqual(records.map(([id]) => id));
    }
  });
});
