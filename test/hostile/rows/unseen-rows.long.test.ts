/** Attack: see, count, group or download a row of another tenant. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operators } from '../../../src/actions/query/operations.ts';
import { recordsFormats } from '../../../src/model/http.ts';
import { textFormats } from '../../support/binary-file.ts';
import { insideOf, openSharedTables, recordsIn, rowsOf, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

type Operator = (typeof operators)[number];

/** For each operator filters that find rows of both tenants, or only of another one. */
const byOperator: Readonly<Record<Operator, readonly object[]>> = {
  eq: [{ id: 11 }, { id: { eq: 11 } }, { name: 'Gamma' }, { code: { eq: '8-1' } }],
  in: [
    { id: { in: [1, 11] } },
    { id: [1, 12, { gte: 13 }] },
    { name: ['alpha', 'Delta'] },
    { region: ['south', null] },
  ],
  gt: [{ id: { gt: 2 } }, { n: { gt: 100 } }, { day: { gt: '1900-01-01' } }],
  gte: [{ id: { gte: 6 } }, { n: { gte: 20, lte: 5000 } }],
  lt: [{ id: { lt: 99 } }, { day: { lt: '2000-01-01' } }, { price: { lt: 3.5 } }],
  lte: [{ id: { lte: 11 } }, { price: { lte: 4 } }],
  ne: [{ id: { ne: 1 } }, { region: { ne: 'north' } }, { name: { ne: 'no such name' } }, { price: { ne: null } }],
  nin: [{ id: { nin: [1, 2] } }, { id: { nin: [] } }, { region: { nin: ['north', null] } }, { n: { nin: [0] } }],
  like: [{ name: { like: '%' } }, { note: { like: 'zebra%' } }, { name: { like: '_lpha%' } }],
  ilike: [{ name: { ilike: 'ALPHA%' } }, { note: { ilike: '%ZEBRA%' } }],
  null: [{ region: { null: true } }, { region: { null: false } }, { price: null }],
};
/** Filters that join conditions, where a missing parenthesis would let the filter apply to the last one only. */
const joined: readonly (readonly [string, object])[] = [
  ['$or', { $or: [{ id: 11 }, { id: 1 }] }],
  ['$or beside a condition', { n: { gte: 0 }, $or: [{ id: 11 }, { name: 'alpha' }] }],
  ['nested $or', { $or: [{ $or: [{ id: 12 }, { $and: [{ id: { gt: 0 } }, { $or: [{ n: 10 }, { n: 20 }] }] }] }] }],
  ['$and of nothing', { $and: [] }],
  ['a list', [{ id: 1 }, { id: 11 }, { region: null }]],
  ['no filter', {}],
];
const filters: readonly (readonly [string, object])[] = [
  ...operators.flatMap((operator) =>
    byOperator[operator].map((filter): readonly [string, object] => [`${operator} ${JSON.stringify(filter)}`, filter]),
  ),
  ...joined,
];
/** Searches for words, by all ways to ask for them. */
const words: readonly (readonly [string, object])[] = [
  ['a word of both tenants', { q: 'express' }],
  ['a word of another tenant', { q: 'zebra' }],
  ['two words', { q: 'line alpha' }],
  ['a word in one field', { q: { note: 'zebra' } }],
  ['full_text', { full_text: 'zebra' }],
  ['a negated word', { q: '!own', plain: false }],
  ['words joined by |', { q: 'own | zebra', plain: false }],
  ['words beside filters', { q: 'line', filters: { $or: [{ id: 11 }, { id: 2 }] } }],
];
const geometry = 'n,price';
const fields = ['id', 'region', 'name', 'note', 'n', 'price', 'day', 'code'];

/** The same parameters for a caller without a row filter, who asks for tenant 7. */
function restricted(params: object): object {
  const asked: unknown = Reflect.get(params, 'filters') ?? {};
  return { ...params, filters: Array.isArray(asked) ? { tenant: 7, $or: asked } : { $and: [{ tenant: 7 }, asked] } };
}

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine);
  });
  afterAll(() => shared?.close());

  const search = async (as: 'seven' | 'truth', resource_id: string, params: object) => {
    const result = await shared.result(as, 'datastore_search', { resource_id, sort: 'id', fields, ...params });
    return { records: result.records, total: result.total };
  };
  const expectTruth = async (params: object) => {
    const found = await search('seven', 'lines', params);
    expect(found).toEqual(await search('truth', 'all-line', restricted(params)));
    return found;
  };
  /** Also checks that without the filter there would be more to see. */
  const expectInside = async (params: object) => {
    const found = await expectTruth(params);
    expect(Number((await search('truth', 'all-line', params)).total)).toBeGreaterThan(Number(found.total));
  };
  const download = async (as: 'seven' | 'truth', resource: string, params: object) => {
    const texts = Object.entries({ sort: 'id', fields: fields.join(), ...params }).map(
      ([name, value]): [string, string] => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)],
    );
    const { status, body, isWhole } = await shared.get(as, `/datastore/dump/${resource}?${new URLSearchParams(texts)}`);
    expect([status, isWhole]).toEqual([200, true]);
    return body.toString();
  };

  test.each(filters)('a search sees no row of another tenant by %s', async (_, filter) => {
    await expectInside({ filters: filter });
  });

  test.each(words)('a search sees no row of another tenant by %s', async (_, params) => {
    await expectInside(params);
  });

  test.each(filters)('groups count no row of another tenant by %s', async (_, filter) => {
    for (const by of ['name', { field: 'n', bins: 5 }]) {
      const ask = async (as: 'seven' | 'truth', resource_id: string, params: object) => {
        const { records, total, nulls, others, sampled } = await shared.result(as, 'datastore_aggregate', {
          ...{ resource_id, by, sort: 'value', ...params },
        });
        const groups = recordsIn(records).map(({ filters: _, ...group }) => group);
        return { groups, total, nulls, others, sampled };
      };
      const inside = await ask('seven', 'lines', { filters: filter });
      expect(inside).toEqual(await ask('truth', 'all-line', restricted({ filters: filter })));
      expect(Number((await ask('truth', 'all-line', { filters: filter })).total)).toBeGreaterThan(Number(inside.total));
    }
  });

  test.each([['id'], ['code'], [{ field: 'day', every: 'year' }], [{ field: 'price', bins: 3 }]])(
    'groups by %j are those of the own tenant',
    async (by) => {
      const count = async (as: 'seven' | 'truth', resource_id: string, params: object) => {
        const { records } = await shared.result(as, 'datastore_aggregate', { resource_id, by, ...params });
        return recordsIn(records).map(({ filters: _, ...group }) => group);
      };
      const inside = await count('seven', 'lines', {});
      expect(inside).toEqual(await count('truth', 'all-line', restricted({})));
      expect(inside).not.toEqual(await count('truth', 'all-line', {}));
    },
  );

  describe.each(textFormats)('a download as %s', (format) => {
    test.each(filters)('has no row of another tenant by %s', async (_, filter) => {
      const got = await download('seven', 'lines', { format, geometry, filters: filter });
      expect(got).toBe(await download('truth', 'all-line', { format, geometry, ...restricted({ filters: filter }) }));
    });

    test('has the rows inside, and no row of another tenant by a word, an offset or a limit', async () => {
      for (const params of [{}, { q: 'express' }, { q: 'zebra' }, { offset: 3 }, { limit: 7 }, { bom: true }]) {
        const got = await download('seven', 'lines', { format, geometry, ...params });
        expect(got).toBe(await download('truth', 'all-line', { format, geometry, ...restricted(params) }));
        expect(got).not.toContain('zebra');
      }
      const plain = await shared.get('seven', `/datastore/dump/lines?format=${format}&geometry=${geometry}`);
      expect(plain.body.toString()).not.toContain('zebra');
      expect(plain.body.toString().match(/own line/g)).toHaveLength(insideOf('line').length);
    });
  });

  test.each(recordsFormats)('records as %s are those of the own tenant', async (records_format) => {
    await expectInside({ records_format });
    await expectTruth({ records_format, fields: ['region'], distinct: true, sort: 'region' });
  });

  test('distinct values are those of the own tenant', async () => {
    for (const field of ['note', 'day', 'n', 'code'])
      await expectInside({ fields: [field], distinct: true, sort: `${field} desc` });
  });

  test('an offset skips rows of the own tenant, and no page shows another one', async () => {
    for (const sort of ['n desc', 'day', 'name, id desc'])
      for (const offset of [0, 1, 4, 5, 6, 7, 12]) await expectInside({ sort, offset, limit: 2 });
  });

  test('pages by cursor end with the last row of the own tenant', async () => {
    for (const sort of ['id', 'id desc', 'day', 'n desc', 'region nulls first, id']) {
      const seen: unknown[] = [];
      let more: object | null = {};
      while (more !== null && seen.length < 20) {
        const params = { resource_id: 'lines', limit: 2, sort, include_next_page: true, ...more };
        const { records, next_page } = await shared.result('seven', 'datastore_search', params);
        seen.push(...recordsIn(records).map(({ id }) => id));
        const next = Object(next_page);
        more = recordsIn(records).length === 0 ? null : 'after' in next ? { after: next.after } : { filters: next };
      }
      expect([...seen].sort()).toEqual(insideOf('line').map(({ id }) => id));
    }
  });

  test('a native search for words sees no row of another tenant', async () => {
    for (const params of [
      { q: 'hydrogen' },
      { q: 'wind' },
      { q: 'hydrogen | wind', plain: false },
      { q: '!water', plain: false },
      { q: { title: 'hydrogen' } },
      { q: 'hydrogen', filters: { id: { gt: 0 } } },
    ]) {
      const { records } = await shared.result('seven', 'datastore_search', { resource_id: 'papers', ...params });
      const all = await shared.result('truth', 'datastore_search', { resource_id: 'all-paper', ...params });
      const own = recordsIn(all.records).filter(({ tenant }) => tenant === 7);
      const ids = (list: readonly object[]) => list.map((row) => Number(Reflect.get(row, 'id'))).sort();
      expect(ids(recordsIn(records))).toEqual(ids(own));
      expect(own.length).toBeLessThan(recordsIn(all.records).length);
    }
  });

  test('a token with a filter of its own sees the rows that both filters let through', async () => {
    const ids = async (as: 'north' | 'seven' | 'truth', resource_id: string) => {
      const { records, total } = await shared.result(as, 'datastore_search', { resource_id, sort: 'id' });
      const found = recordsIn(records).map(({ id }) => id);
      expect(total).toBe(found.length);
      return found;
    };
    const idsOf = (rows: readonly object[]) => rows.map((row) => Reflect.get(row, 'id'));
    expect(await ids('north', 'lines')).toEqual(idsOf(insideOf('line').filter(({ region }) => region === 'north')));
    expect(await ids('seven', 'lines')).toEqual(idsOf(insideOf('line')));
    expect(await ids('north', 'regional')).toEqual(idsOf(rowsOf.line.filter(({ region }) => region !== null)));
    expect(await ids('truth', 'regional')).toEqual(idsOf(rowsOf.line));
  });
});
