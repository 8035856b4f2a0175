import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { randomFrom } from '../../support/random-from.ts';
import { type Engine, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';
import { everything, script, unsortable } from './sortable-columns.ts';

interface Page {
  readonly records: readonly (readonly unknown[])[];
  readonly total: number;
  readonly next_page?: { readonly _id?: unknown; readonly after?: string };
}

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine: Engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(script(engine, randomFrom(7)));
    const table = { database: 'db', access: { read: 'public', write: 'token' } };
    const columns = engine.client === 'mysql' ? { flag: { boolean: true } } : { sign: { boolean: true } };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { everything: { ...table, table: 'everything', columns } },
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
  /** The first cells of all records, page by page as a client goes. */
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

  test.each([{}, { sort: '_id desc' }, { filters: { id: { gte: 3, lt: 20 } } }, { filters: [{ id: 3 }, { id: 9 }] }])(
    'a walk by _id with %j is one big page',
    async (params) => {
      const { records } = await search({ resource_id: 'everything', ...params });
      const walked = await walk({ resource_id: 'everything', ...params, limit: 7 });
      expect(walked).toEqual(records.map(([id]) => id));
    },
  );

  const lines = (page: unknown): readonly string[] => String(Object(page).records).split('\n').slice(0, -1);
  test.each([...names, ...Object.keys(unsortable(engine))])('distinct %s is each text shown, once', async (name) => {
    const asked = { resource_id: 'everything', fields: [name], records_format: 'csv' };
    const shown = new Set(lines(await search(asked)));
    const page = await search({ ...asked, distinct: true });
    expect([...lines(page)].sort()).toEqual([...shown].sort());
    expect(page.total).toBe(shown.size);
    const part = async (offset: number) => lines(await search({ ...asked, distinct: true, offset, limit: 9 }));
    expect((await Promise.all([0, 9, 18].map(part))).flat()).toEqual(lines(page));
  });

  test('distinct by several columns, found by a filter and in an order asked for, counts and shows each once', async () => {
    const [first = '', , third = ''] = names.slice(3);
    const asked = { resource_id: 'everything', fields: [first, 'id', third, first], records_format: 'csv' };
    const filters = { id: { lt: 20 } };
    expect(lines(await search({ ...asked, filters, distinct: true, sort: `${third} desc, id` }))).toEqual(
      lines(await search({ ...asked, filters, sort: `${third} desc, id` })),
    );
    const fields = { ...asked, fields: [first, third] };
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
