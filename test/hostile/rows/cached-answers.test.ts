/** Attack: get the answer, the total, the ETag or the 304 of another caller out of the cache. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, insideOf, openSharedTables, recordsIn, rowsOf, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

/** Who may see which rows of `lines`; null for a caller whose token does not say which rows. */
const expected: readonly (readonly [Caller, readonly unknown[] | null])[] = [
  ['seven', insideOf('line').map(({ id }) => id)],
  ['sevenToo', insideOf('line').map(({ id }) => id)],
  ['eight', insideOf('line', 8).map(({ id }) => id)],
  [
    'north',
    insideOf('line')
      .filter(({ region }) => region === 'north')
      .map(({ id }) => id),
  ],
  ['truth', null],
];
const pairs = expected.flatMap(([first, ids]) =>
  expected.filter(([second]) => second !== first).map(([second, others]) => ({ first, ids, second, others })),
);

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine, { cache: { ttl: '1h' } });
  });
  afterAll(() => shared?.close());

  /** Makes a request that no earlier one repeats, so that the first answer is the one that is stored. */
  let nth = 0;
  const fresh = () => `/api/3/action/datastore_search?resource_id=lines&sort=id&limit=${1000 + nth++}`;
  const ask = async (as: Caller, path: string, headers = {}) => {
    const answer = await shared.get(as, path, headers);
    const text = answer.body.toString();
    const { result } = text.startsWith('{') ? JSON.parse(text) : { result: undefined };
    const ids = result?.records === undefined ? null : recordsIn(result.records).map(({ id }) => id);
    const { etag, 'x-cache': cache, 'cache-control': control } = answer.headers;
    return { status: answer.status, ids, total: result?.total ?? null, etag: String(etag), cache, control, text };
  };

  test.each(pairs)('$second gets no answer of $first', async ({ first, ids, second, others }) => {
    const path = fresh();
    const shown = (list: readonly unknown[] | null) => ({
      status: list === null ? 403 : 200,
      ids: list,
      total: list === null ? null : list.length,
    });
    for (let time = 0; time < 3; time++) {
      expect(await ask(first, path)).toMatchObject(shown(ids));
      expect(await ask(second, path)).toMatchObject(shown(others));
    }
  });

  test.each(pairs)('$second gets no answer of $first to the same body', async ({ first, ids, second, others }) => {
    const body = { resource_id: 'lines', sort: 'id', limit: 1000 + nth++, filters: { id: { gt: 0 } } };
    for (let time = 0; time < 3; time++) {
      for (const [as, list] of [
        [first, ids],
        [second, others],
      ] as const) {
        const { status, text } = await shared.call(as, 'datastore_search', body);
        expect(status).toBe(list === null ? 403 : 200);
        const { result } = JSON.parse(text);
        expect(list === null ? result : recordsIn(result.records).map(({ id }) => id)).toEqual(list ?? undefined);
      }
    }
  });

  test.each(pairs)('$second gets no 304 for the ETag of $first', async ({ first, ids, second, others }) => {
    const path = fresh();
    const { etag, control } = await ask(first, path);
    const answer = await ask(second, path, { 'If-None-Match': etag });
    if (others === null) expect(answer.status).toBe(403);
    else if (JSON.stringify(ids) === JSON.stringify(others)) expect(answer.status).toBe(304);
    else expect(answer).toMatchObject({ status: 200, ids: others });
    if (ids !== null) {
      expect(etag).toMatch(/^(W\/)?".+"$/);
      expect(control).toBe('private, no-cache');
      expect((await ask(first, path, { 'If-None-Match': etag })).status).toBe(304);
    }
  });

  test.each(pairs)('$second gets no groups, description or total of $first', async ({ first, second, ids, others }) => {
    const limit = 30 + nth++;
    for (const [as, list] of [
      [first, ids],
      [second, others],
      [first, ids],
      [second, others],
    ] as const) {
      const calls: readonly (readonly [string, object])[] = [
        ['datastore_aggregate', { resource_id: 'lines', by: 'id', limit }],
        ['datastore_info', { resource_id: 'lines' }],
        ['datastore_search', { resource_id: 'lines', limit: 0, offset: limit }],
      ];
      for (const [action, params] of calls) {
        const { status, text } = await shared.call(as, action, params);
        const { result } = JSON.parse(text);
        expect([action, status, result?.meta?.count ?? result?.total]).toEqual([
          ...[action, list === null ? 403 : 200, list === null ? undefined : list.length],
        ]);
      }
    }
  });

  test('two tokens with the same rows share an entry, and a token with other rows does not', async () => {
    const path = fresh();
    const first = await ask('seven', path);
    const same = await ask('sevenToo', path);
    expect([first.cache, same.cache]).toEqual(['MISS', 'HIT']);
    expect([same.text, same.etag]).toEqual([first.text, first.etag]);
    const other = await ask('eight', path);
    expect(other.cache).toBe('MISS');
    expect(other.etag).not.toBe(first.etag);
    expect((await ask('eight', path)).cache).toBe('HIT');
  });

  test('a write of another tenant invalidates what the others see', async () => {
    const path = fresh();
    expect((await ask('eight', path)).total).toBe(insideOf('line', 8).length);
    expect((await ask('seven', path)).total).toBe(insideOf('line').length);
    await shared.result('eight', 'datastore_upsert', { resource_id: 'lines', records: [{ id: 50 }] });
    expect(await ask('eight', path)).toMatchObject({ cache: 'MISS', total: insideOf('line', 8).length + 1 });
    expect((await ask('seven', path)).total).toBe(insideOf('line').length);
    await shared.reset('line');
    expect((await shared.stored('line')).length).toBe(rowsOf.line.length);
  });
});
