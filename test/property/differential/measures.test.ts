/** Random measures have on every engine the digits that BigInt computes. */
import { parse, stringify } from 'lossless-json';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { Random } from '../../support/random.ts';
import { byName, engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { type Asked, columns, randomQuestion, randomRows } from './measuring.ts';

const cases = Number(process.env.FUZZ_CASES ?? 100);
/** `npm test` is the same every time; `npm run fuzz` makes new choices. */
const chance = process.env.FUZZ_CASES === undefined ? 7 : Math.floor(Math.random() * 2 ** 31);
const first = Number(process.env.FUZZ_SEED ?? chance);
/** New rows after this many cases, so that a failure late in a long run can be repeated with its own seed. */
const block = 20;

describe.each(byName(engines()))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const client = engine.client === 'mysql' ? 'mysql' : 'postgres';
    const types = columns.map((column) => `${column.name} ${column[client]}`);
    await database.exec(`CREATE TABLE measured (id int PRIMARY KEY, ${types.join(', ')})`);
    const access = { read: 'token', write: 'token', deleteAll: true };
    gateway = await startGateway({
      databases: { db: entry(database) },
      limits: { aggregateBudget: '60s' },
      resources: { measured: { database: 'db', table: 'measured', access } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  test(
    'random measures are exact',
    async () => {
      for (let done = 0, seed = first; done < cases; seed = (seed + 1000) % 2 ** 31) {
        const random = new Random(seed);
        const rows = randomRows(random);
        await gateway.result('datastore_records_delete', { resource_id: 'measured', filters: {} });
        const records = rows.map((row, id) => ({ id, ...row }));
        await gateway.result('datastore_upsert', { resource_id: 'measured', method: 'insert', records });
        for (const last = Math.min(done + block, cases); done < last; done++) {
          const asked = randomQuestion(random, rows);
          const { status, text } = await gateway.call('datastore_aggregate', {
            resource_id: 'measured',
            ...asked.params,
          });
          const call = `repeat with FUZZ_SEED=${seed} npm run fuzz\n${JSON.stringify(asked.params)}\n${text}`;
          // A multiple of a width may be below the smallest int8.
          if (status === 409 && text.includes('a number is out of range')) continue;
          expect(status, call).toBe(200);
          expect(shown(text, asked), call).toEqual(wanted(asked));
        }
      }
    },
    120_000 + cases * 500,
  );
});

/** The records of an answer as texts. A double that is near enough is the expected one. */
function shown(text: string, asked: Asked): readonly unknown[] {
  const records: readonly object[] = Object(Object(parse(text)).result).records;
  const rows = inOrder(
    records.map((record) => Object.values(record).map((value) => stringify(value) ?? '')),
    asked,
  );
  const expected = wanted(asked);
  return rows.map((row, at) =>
    row.map((cell, nth) => {
      const double = expected[at]?.[nth];
      return typeof double === 'number' && Math.abs(Number(cell) - double) <= Math.abs(double) * 1e-12 ? double : cell;
    }),
  );
}

const wanted = (asked: Asked) => inOrder(asked.expected, asked);

function inOrder<T>(rows: readonly (readonly T[])[], { key }: Asked): readonly (readonly T[])[] {
  if (key === null) return rows;
  const keyed = rows.map((row) => ({ row, at: row.slice(0, key).join() }));
  return keyed.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ row }) => row);
}
