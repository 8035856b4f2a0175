/** What a fleet of gateways costs the server that it serves, and the Redis that it tells of its writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { variants } from '../property/outside/variants.ts';
import { openSession, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { startRedis, tellRedis } from '../support/servers/redis.ts';
import { openScope } from '../support/servers/scope.ts';
import { processIdOf, processorTime } from './peers/processor-time.ts';
import { median, report } from './report.ts';
import { headers, postHeaders, served } from './served.ts';

const sizes = [1, 2, 4, 8];
const seconds = Number(process.env.SECONDS_EACH ?? 5);
const path = '/api/3/action/datastore_search?resource_id=records&limit=100';
/** By the number of gateways, the cells of its line. */
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
/** The first has the database, which it drops. */
type Fleet = readonly [Served, ...Served[]];

/** So many gateways before one database of their own. */
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

/** Asks each of them fifty times a second, until the promise resolves. */
async function asked(gateways: readonly Served[], during: Promise<unknown>): Promise<void> {
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

/** Milliseconds of processor time a second that the server takes, while others commit. */
async function costOf(database: ServerDatabase, gateways: readonly Served[]): Promise<number> {
  const session = await openSession({ client: database.client, url: database.url });
  const pid = await processIdOf(database);
  const during = async () => {
    // The first answers, and the beginning of the log, are no part of the cost.
    await writing(session, 2000);
    const before = processorTime(pid);
    await writing(session, 1000 * seconds);
    return (1000 * (processorTime(pid) - before)) / seconds;
  };
  const cost = during();
  await asked(gateways, cost);
  return await cost.finally(() => session.close());
}

async function writing(session: Awaited<ReturnType<typeof openSession>>, milliseconds: number): Promise<void> {
  for (const until = performance.now() + milliseconds; performance.now() < until; await sleep(50))
    await session.exec('INSERT INTO mark VALUES (1)');
}

const named = variants().filter(({ hasLog, name }) => hasLog && !name.includes('56'));

test.each(named.map((variant) => [variant.name, variant] as const))('%s', async (name, variant) => {
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

/** Numbers of `INFO`, all of which only grow. */
interface Spent {
  readonly commands: number;
  readonly bytes: number;
}

async function spentOf(redis: string): Promise<Spent> {
  const said = await tellRedis(redis, 'INFO stats');
  const number = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(said)?.[1]);
  const bytes = number('total_net_input_bytes') + number('total_net_output_bytes');
  return { commands: number('total_commands_processed'), bytes };
}

test('Redis', async () => {
  columns.push(
    'Redis: commands a second without writes',
    'bytes a second',
    'commands for each write',
    'bytes',
    'write (ms)',
  );
  const scope = openScope();
  try {
    const engine = await variants()[0]?.start(scope);
    if (engine === undefined) throw new Error('no server');
    const redis = await startRedis(scope, thisMachine());
    for (const [size, cells] of measured) {
      const gateways = await fleet(engine, size, 'none', `cache: { bus: "${redis}" }`);
      try {
        await write(gateways, 10);
        const began = await spentOf(redis);
        await sleep(1000 * seconds);
        const idle = await spentOf(redis);
        const since = performance.now();
        const times = await write(gateways, 20 * seconds);
        const took = (performance.now() - since) / 1000;
        const end = await spentOf(redis);
        const each = (what: keyof Spent) => {
          const perSecond = (idle[what] - began[what]) / seconds;
          const perWrite = (end[what] - idle[what] - perSecond * took) / times.length;
          return [perSecond.toFixed(0), perWrite.toFixed(0)] as const;
        };
        const [commands, bytes] = [each('commands'), each('bytes')];
        cells.push(commands[0], bytes[0], commands[1], bytes[1], median(times).toFixed(1));
      } finally {
        await stop(gateways);
      }
    }
  } finally {
    await scope.close();
  }
});

/** Writes one after the other, through each gateway in turn. Returns the milliseconds of each. */
async function write(gateways: Fleet, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    const body = JSON.stringify({
      resource_id: 'records',
      method: 'upsert',
      records: [{ id: 1, name: `written ${nth}` }],
    });
    const at = gateways[nth % gateways.length]?.url;
    const began = performance.now();
    const answer = await fetch(`${at}/api/3/action/datastore_upsert`, { method: 'POST', headers: postHeaders, body });
    expect(answer.status, await answer.text()).toBe(200);
    times.push(performance.now() - began);
  }
  return times;
}
