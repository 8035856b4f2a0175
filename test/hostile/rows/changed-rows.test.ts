/** Attack: change a row of another tenant by its key. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf, openSharedTables, type SharedTables, type TableName } from '../../support/rows.ts';
import { byName, fewEngines } from '../../support/servers/engines.ts';

/** Ways to name a record: that of a row outside, of one inside, and of new ones. */
interface Keys {
  readonly table: TableName;
  readonly outside: object;
  readonly inside: object;
  readonly fresh: (nth: number) => object;
}
const keyed: readonly (readonly [string, Keys])[] = [
  ['the key', { table: 'line', outside: { id: 11 }, inside: { id: 1 }, fresh: (nth) => ({ id: 1000 + nth }) }],
  ['_id', { table: 'line', outside: { _id: 11 }, inside: { _id: 1 }, fresh: (nth) => ({ _id: 1000 + nth }) }],
  [
    'a key of two columns',
    {
      ...{ table: 'stop', outside: { line: 1, nr: 3 }, inside: { line: 1, nr: 1 } },
      fresh: (nth) => ({ line: 100, nr: nth }),
    },
  ],
  [
    'the key of a table with a trigger',
    { table: 'moved', outside: { id: 11 }, inside: { id: 1 }, fresh: (nth) => ({ id: 1000 + nth }) },
  ],
];
/** The name of a record in an insert, which takes no `_id`. */
const inserted = (key: object): object =>
  Object.fromEntries(Object.entries(key).map(([name, value]) => [name === '_id' ? 'id' : name, value]));

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  let shared: SharedTables;
  beforeAll(async () => {
    shared = await openSharedTables(engine);
  });
  beforeEach(() => shared.reset('line', 'stop', 'moved'));
  afterAll(() => shared?.close());

  describe.each(keyed)('by %s', (_, { table, outside, inside, fresh }) => {
    const some = (count: number) => Array.from({ length: count }, (_, nth) => fresh(nth));
    const write = (method: string, records: readonly object[], more = {}) =>
      shared.call('seven', 'datastore_upsert', { resource_id: `${table}s`, method, records, ...more });
    const expectUnchanged = async (work: () => Promise<void>) => {
      const before = await shared.stored(table);
      await work();
      expect(await shared.stored(table)).toEqual(before);
    };

    test.each([
      ['alone', 0],
      ['with another record', 1],
      ['among a thousand records', 1000],
    ])('no upsert takes over a row of another tenant, %s', async (_, count) => {
      await expectUnchanged(async () => {
        const others = some(count).map((record) => ({ ...record, name: `by seven ${JSON.stringify(record)}` }));
        // A thousand records take a second for each try, so there is one.
        const isMany = count > 1;
        for (const nth of isMany ? [count / 2] : new Set([0, count])) {
          const records = [...others.slice(0, nth), { ...outside, name: 'taken' }, ...others.slice(nth)];
          for (const more of isMany ? [{}] : [{}, { dry_run: true }, { include_records: true }]) {
            const answer = await write('upsert', records, more);
            expect(answer.status).toBe(409);
            expect(errorOf(answer)).toMatchObject({
              records: [expect.stringContaining('duplicate key value violates unique constraint')],
              records_row: nth,
            });
          }
        }
      });
    });

    test('no upsert takes over a row of another tenant beside an update of an own one', async () => {
      await expectUnchanged(async () => {
        for (const records of [
          [
            { ...inside, name: 'mine' },
            { ...outside, name: 'taken' },
          ],
          [
            { ...outside, name: 'taken' },
            { ...inside, name: 'mine' },
          ],
          [{ ...outside }, { ...outside, name: 'taken' }],
        ]) {
          const answer = await write('upsert', records);
          expect([answer.status, errorOf(answer)]).toMatchObject([
            409,
            { records: [expect.stringContaining('duplicate key')] },
          ]);
        }
      });
    });

    test.each([
      ['alone', 0],
      ['after an own one', 1],
    ])('no update finds a row of another tenant, %s', async (_, own) => {
      await expectUnchanged(async () => {
        const records = [
          ...Array.from({ length: own }, () => ({ ...inside, name: 'mine' })),
          { ...outside, name: 'taken' },
        ];
        for (const more of [{}, { dry_run: true }, { include_records: true }]) {
          const answer = await write('update', records, more);
          expect([answer.status, errorOf(answer)]).toMatchObject([
            409,
            { key: [expect.stringMatching(/^key ".*" not found$/)], records_row: own },
          ]);
        }
      });
    });

    test('no insert replaces a row of another tenant', async () => {
      await expectUnchanged(async () => {
        for (const others of [0, 3]) {
          const records = [...some(others), { ...outside, name: 'taken' }].map(inserted);
          const answer = await write('insert', records);
          expect([answer.status, errorOf(answer)]).toMatchObject([
            409,
            { records: [expect.stringContaining('duplicate key')] },
          ]);
        }
      });
    });

    test('an upsert, an update and an insert change own rows, and no other', async () => {
      const before = await shared.outside(table);
      for (const [method, records] of [
        ['upsert', [{ ...inside, name: 'upserted' }]],
        ['upsert', [{ ...inside, name: 'upserted again' }, ...some(2).map((one) => ({ ...one, name: null }))]],
        ['update', [{ ...inside, name: 'updated' }]],
        ['insert', some(4).slice(2).map(inserted)],
      ] as const) {
        const { status, text } = await write(method, records);
        expect([method, status, text]).toEqual([method, 200, expect.any(String)]);
      }
      const own = (await shared.stored(table)).filter(({ tenant }) => tenant === 7);
      expect(own).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'updated' })]));
      expect(await shared.outside(table)).toEqual(before);
    });
  });
});
