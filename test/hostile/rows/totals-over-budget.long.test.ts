/** Attack: learn from an estimated total, which the query planner makes from the values of all rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ofTenant, openSharedTables, type SharedTables } from '../../support/rows.ts';
import { byName, type Engine, fewEngines } from '../../support/servers/engines.ts';

/** So many that no server counts them within a millisecond. */
const rows = 200_000;
/** So many that the planner knows of them: of a tenant with three rows it expects one, whatever else is asked. */
const own = 2000;
const access = { read: 'token', write: 'token' };

/** A table in which tenant 8 has a common value and a rare one, and tenant 7 rows with a value of its own. */
function crowd({ client }: Engine): readonly string[] {
  const digits = `(${Array.from({ length: 10 }, (_, nth) => `SELECT ${nth} AS d`).join(' UNION ALL ')})`;
  const places = [1, 10, 100, 1000, 10_000].map((_, nth) => `${digits} d${nth}`).join(', ');
  const number = 'd0.d + 10 * d1.d + 100 * d2.d + 1000 * d3.d + 10000 * d4.d';
  const times = client === 'pglite' ? 1 : rows / 100_000;
  return [
    'CREATE TABLE crowd (id int PRIMARY KEY, tenant int, name varchar(20), filler varchar(80))',
    ...Array.from(
      { length: times },
      (_, nth) => `INSERT INTO crowd SELECT ${number} + ${nth * 100_000}, 8, 'common', 'x' FROM ${places}`,
    ),
    `UPDATE crowd SET name = 'rare' WHERE id = 4711`,
    `UPDATE crowd SET tenant = 7, name = 'own' WHERE id < ${own}`,
    client === 'mysql' ? 'ANALYZE TABLE crowd' : 'ANALYZE crowd',
  ];
}

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine, {
      sql: crowd(engine),
      limits: { totalBudget: '1ms' },
      resources: {
        crowd: { database: 'db', table: 'crowd', access, where: ofTenant, columns: { tenant: { hidden: true } } },
        'all-crowd': { database: 'db', table: 'crowd', access },
      },
    });
  });
  afterAll(() => shared?.close());

  const outcome = async (action: string, params: object, as: 'seven' | 'truth' = 'seven') => {
    const resource_id = as === 'seven' ? 'crowd' : 'all-crowd';
    const { filters: _, ...result } = await shared.result(as, action, { resource_id, ...params });
    return result;
  };
  // PGlite counts in this process, and nothing interrupts it.
  const isCounted = engine.client === 'pglite';
  /** Asks until the count was too slow. Then the gateway remembers that it is, and does not try it again. */
  const overBudget = async (params: object, as: 'seven' | 'truth' = 'seven') => {
    if (isCounted) return outcome('datastore_search', params, as);
    const ask = () => outcome('datastore_search', params, as);
    await expect.poll(ask, { interval: 0 }).toMatchObject({ total_was_estimated: true });
    return ask();
  };

  test.skipIf(isCounted)('without a row filter a total over the budget is the estimate of the planner', async () => {
    const { total, total_at_least } = await overBudget({ limit: 0, filters: { name: 'common' } }, 'truth');
    expect(total_at_least).toBeUndefined();
    expect(Number(total)).toBeGreaterThan(rows / 20);
  });

  test.each([
    ['no page', { limit: 0 }],
    ['a page after the last', { limit: 5, offset: 10 }],
  ])('a total over the budget is the same for a common, a rare and an absent value, with %s', async (_, page) => {
    const none = await overBudget({ ...page, filters: { name: 'absent' } });
    for (const name of ['common', 'rare', ['common', 'absent'], { ne: 'own' }, { gt: 'com', lt: 'd' }])
      expect(await overBudget({ ...page, filters: { name } })).toEqual(none);
    expect(none.records).toEqual([]);
    expect(Number(none.total)).toBeLessThanOrEqual(1);
  });

  test('a page that is not full gives the total of the rows inside', async () => {
    const none = await outcome('datastore_search', { limit: 5, filters: { name: 'absent' } });
    for (const name of ['common', 'rare'])
      expect(await outcome('datastore_search', { limit: 5, filters: { name } })).toEqual(none);
    expect(none).toMatchObject({ records: [], total: 0 });
    expect(none).not.toHaveProperty('total_was_estimated');
  });

  test('a total over the budget is a lower bound of the rows inside', async () => {
    for (const [params, least] of [
      [{ limit: 2 }, 3],
      [{ limit: 1, offset: 1 }, 3],
      [{ limit: 2, filters: { name: ['own', 'common'] } }, 3],
    ] as const) {
      const { total, total_was_estimated, total_at_least } = await outcome('datastore_search', params);
      expect(Number(total)).toBe(total_was_estimated ? least : own);
      if (total_was_estimated) expect(total_at_least).toBe(true);
    }
    // All rows inside fit into the page, so their number is known.
    expect(await outcome('datastore_search', { limit: own + 1 })).toMatchObject({ total: own });
    expect(await outcome('datastore_search', { limit: own + 1 })).not.toHaveProperty('total_was_estimated');
  });

  test('the count of a description over the budget is of the rows inside', async () => {
    const { meta } = await outcome('datastore_info', {});
    const { count, count_was_estimated, count_at_least } = Object(meta);
    expect(Number(count)).toBeLessThanOrEqual(own);
    if (count_was_estimated) expect(count_at_least).toBe(true);
  });

  test('groups are those of the rows inside, not a sample of all rows', async () => {
    for (const by of ['name', 'id', { field: 'id', bins: 3 }]) {
      expect(await outcome('datastore_aggregate', { by })).toMatchObject({ total: own, sampled: null });
      const none = await outcome('datastore_aggregate', { by, filters: { name: 'absent' } });
      expect(await outcome('datastore_aggregate', { by, filters: { name: 'common' } })).toEqual(none);
      expect(await outcome('datastore_aggregate', { by, filters: { name: 'rare' } })).toEqual(none);
    }
  });
});
