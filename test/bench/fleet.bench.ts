/** What a fleet of gateways costs the database server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { variants } from '../property/outside/variants.ts';
import { openSession, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { openScope } from '../support/servers/scope.ts';
import { processIdOf, processorTime } from './peers/processor-time.ts';
import { report } from './report.ts';
import { headers, served } from './served.ts';

const sizes = [1, 2, 4, 8];
const seconds = Number(process.env.SECONDS_EACH ?? 5);
const path = '/api/3/action/datastore_search?resource_id=records&limit=100';
/** The cells of the table, by the number of gateways. */
const measured = new Map(sizes.map((size): [number, string[]] => [size, [String(size)]]));
const columns = ['Gateways'];

afterAll(() =>
  report(
    'fleet',
    'A fleet, each gateway asked 50 times a second, maxStaleness 50ms, while others commit 20 times a second',
    columns,
    [...measured.values()],
  ),
);

type Served = Awaited<ReturnType<typeof served>>;
/** The first one owns the database, and drops it. */
type Fleet = readonly [Served, ...Served[]];

/** Starts this many gateways on a new database. */
async function fleet(engine: ServerEngine, size: number, staleness: string, more = ''): Promise<Fleet> {
  const first = await served(engine, '{ ttl: 1h }', more, staleness, (one) =>
    one.exec('CREATE TABLE mark (n integer)'),
  );
  const { database } = first;
  const others: Served[] = [];
  while (others.length < size - 1)
    others.push(await served(engine, '{ ttl: 1h }', more, staleness, undefined, { of: database, replicas: [] }));
  return [first, ...others];
}

async function stop([first, ...others]: Fleet): Promise<void> {
  for (const one of others) await one.stop();
  await first.stop();
}

/** Queries each gateway fifty times per second, until the promise resolves. */
async function queryDuring(gateways: readonly Served[], during: Promise<unknown>): Promise<void> {
  let isOver = false;
  during.finally(() => {
    isOver = true;
  });
  await Promise.all(
    gateways.map(async ({ url }) => {
      for (; !isOver; await sleep(20)) await (await fetch(`${url}${path}`, { headers })).arrayBuffer();
    }),
  );
}

/** CPU milliseconds per second that the server uses while other clients commit. */
async function costOf(database: ServerDatabase, gateways: readonly Served[]): Promise<number> {
  const session = await openSession({ client: database.client, url: database.url });
  const pid = await processIdOf(database);
  const during = async () => {
    // The first answers and the start of the log stream do not count.
    await writing(session, 2000);
    const before = processorTime(pid);
    await writing(session, 1000 * seconds);
    return (1000 * (processorTime(pid) - before)) / seconds;
  };
  const cost = during();
  await queryDuring(gateways, cost);
  return await cost.finally(() => session.close());
}

async function writing(session: Awaited<ReturnType<typeof openSession>>, milliseconds: number): Promise<void> {
  for (const until = performance.now() + milliseconds; performance.now() < until; await sleep(50))
    await session.exec('INSERT INTO mark VALUES (1)');
}

const withLog = variants().filter(({ hasLog, name }) => hasLog && !name.includes('56'));

test.each(withLog.map((variant) => [variant.name, variant] as const))('%s', async (name, variant) => {
  const scope = openScope();
  try {
    const engine = await variant.start(scope);
    for (const [what, feed] of [
      ['tokens', 'none'],
      ['tokens and names', 'required'],
    ] as const) {
      columns.push(`${name}: ${what} (ms/s)`);
      for (const [size, cells] of measured) {
        const gateways = await fleet(engine, size, `50ms, feed: ${feed}`);
        const { database } = gateways[0];
        try {
          const alone = await costOf(database, []);
          const cost = (await costOf(database, gateways)) - alone;
          cells.push(cost.toFixed(0));
          expect(cost).toBeGreaterThan(0);
        } finally {
          await stop(gateways);
        }
      }
    }
  } finally {
    await scope.close();
  }
});
