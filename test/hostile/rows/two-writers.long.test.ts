/** Attack: change or delete a row while another writer moves it out of the own rows and back. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf, openSharedTables, recordsIn, type SharedTables } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

/** Enough for some dozens of moves, each of which may meet a write. */
const updates = 300;

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine);
  });
  beforeEach(() => shared.reset('line'));
  afterAll(() => shared?.close());

  /** Sets the tenant of rows, and returns them as stored by this transaction. */
  const move = async (ids: readonly number[], tenant: number) => {
    const { records } = await shared.result('truth', 'datastore_upsert', {
      ...{ resource_id: 'all-line', method: 'update', include_records: true },
      records: ids.map((id) => ({ id, tenant })),
    });
    return recordsIn(records);
  };

  test.each([
    ['update', { id: 1 }, {}],
    ['update', { id: 1 }, { include_records: true }],
    ['upsert', { id: 1 }, {}],
    ['upsert', { _id: 1 }, { include_records: true }],
  ])('no %s of %j with %j changes a row while it is outside', { timeout: 180_000 }, async (method, key, more) => {
    let nth = 0;
    const statuses = new Map<number, number>();
    const writer = async () => {
      while (nth < updates) {
        // Each number is written once, so that a change shows.
        const records = [{ ...key, n: ++nth }];
        const params = { resource_id: 'lines', method, records, ...more };
        const answer = await shared.call('seven', 'datastore_upsert', params);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 200) continue;
        expect([answer.status, Object.keys(errorOf(answer))[0]]).toEqual([
          409,
          method === 'update' ? 'key' : 'records',
        ]);
      }
    };
    let moves = 0;
    const mover = async () => {
      while (nth < updates) {
        const [left] = await move([1], 8);
        const [back] = await move([1], 7);
        expect(back?.n).toBe(left?.n);
        moves++;
      }
    };
    await Promise.all([writer(), writer(), mover()]);
    expect(moves).toBeGreaterThan(10);
    expect(statuses.get(200)).toBeGreaterThan(10);
    // On PGlite there is one session, and calls take turns in an order that may never meet the row outside.
    if (engine.client !== 'pglite') expect(statuses.get(409)).toBeGreaterThan(0);
  });

  test('a delete shows each row that it deletes, and deletes none that is outside', { timeout: 180_000 }, async () => {
    const ids = Array.from({ length: 60 }, (_, nth) => 1000 + nth);
    for (let round = 0; round < 8; round++) {
      await shared.reset('line');
      const outside = ids.map((id) => ({ id, tenant: 8, n: 0 }));
      await shared.result('truth', 'datastore_upsert', { resource_id: 'all-line', method: 'insert', records: outside });
      const shown: unknown[] = [];
      let isMoving = true;
      const mover = async () => {
        for (let nth = 0; nth < ids.length; nth += 5) await move(ids.slice(nth, nth + 5), 7);
        isMoving = false;
      };
      const remover = async () => {
        while (isMoving) {
          const params = { resource_id: 'lines', filters: { id: { gte: 1000 } }, include_deleted_records: true };
          const { deleted_records } = await shared.result('seven', 'datastore_records_delete', params);
          shown.push(...recordsIn(deleted_records).map(({ id }) => id));
        }
      };
      await Promise.all([mover(), remover()]);
      const left = (await shared.stored('line')).map(({ id }) => id).filter((id) => Number(id) >= 1000);
      expect([...shown, ...left].sort()).toEqual(ids);
    }
  });
});
