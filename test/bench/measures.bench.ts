/** Measures in groups, compared with the same SQL by hand in a session of its own, on a table without an index for the group. */
import { afterAll, expect, test } from 'vitest';
import { entry, startGateway } from '../support/gateway.ts';
import { byName, freshDatabase, openSession, servers } from '../support/servers/engines.ts';
import { median, ratioOf, report } from './report.ts';
import { rounds } from './served.ts';

const rows = Number(process.env.DUMP_ROWS ?? 1_000_000);
const measured: (readonly string[])[] = [];
const digits =
  'SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9';
const numbers = {
  postgres: `generate_series(1, ${rows}) n`,
  mysql: `(SELECT 1 + a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n + 100000 * f.n AS n FROM ${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `(${digits}) ${name}`).join(', ')}) numbers WHERE n <= ${rows}`,
};

afterAll(() => {
  const title = `Measures in groups, compared with the same SQL by hand, on ${rows.toLocaleString('en')} rows`;
  report('measures', title, ['Case', 'Gateway (ms)', 'By hand (ms)', 'Ratio'], measured);
});

const cases = [
  [
    'a sum by a number',
    ['kind'],
    { revenue: { sum: 'price' } },
    'SELECT kind, SUM(price), COUNT(*) FROM sale GROUP BY kind ORDER BY kind',
  ],
  [
    'three measures by a number',
    ['kind'],
    { n: 'count', lowest: { min: 'price' }, qty: { sum: 'qty' } },
    'SELECT kind, COUNT(*), MIN(price), SUM(qty) FROM sale GROUP BY kind ORDER BY kind',
  ],
] as const;

test.each(byName(servers()))('%s', async (name, engine) => {
  const database = await freshDatabase(engine);
  await database.exec('CREATE TABLE sale (id int PRIMARY KEY, kind int NOT NULL, qty int, price decimal(12, 2))');
  await database.exec(`INSERT INTO sale SELECT n, n % 40, n % 7, n * 1.25 FROM ${numbers[engine.client]}`);
  await database.exec(engine.client === 'mysql' ? 'ANALYZE TABLE sale' : 'VACUUM ANALYZE sale');
  const gateway = await startGateway({
    databases: { db: entry(database) },
    limits: { aggregateBudget: '60s' },
    resources: { sales: { database: 'db', table: 'sale', access: { read: 'public' } } },
  });
  const session = await openSession(database);
  try {
    for (const [what, groups, measures, sql] of cases) {
      const times = { own: [0], hand: [0] };
      // The first round does not count: it fills the caches of the server.
      for (let round = 0; round <= rounds; round++) {
        const at = Math.max(0, round - 1);
        times.own[at] = await timed(() =>
          gateway.result('datastore_aggregate', { resource_id: 'sales', groups, measures }),
        );
        times.hand[at] = await timed(() => session.query(sql));
      }
      const medians = [median(times.own).toFixed(0), median(times.hand).toFixed(0)] as const;
      measured.push([`${name}, ${what}`, ...medians, ratioOf(...medians)]);
      expect.soft(median(times.own) / median(times.hand)).toBeLessThan(1.1);
    }
  } finally {
    await session.close();
    await gateway.close();
    await database.drop();
  }
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
