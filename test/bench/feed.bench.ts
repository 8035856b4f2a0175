/** What reading table names from the server's log gains for the cache, and what it costs the application that writes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { variants } from '../property/outside/variants.ts';
import { programAt, root } from '../support/program.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { openScope } from '../support/servers/scope.ts';
import { startLogClient } from './log-client.ts';
import { median, report } from './report.ts';
import { headers, hitsWhileOthersCommit, served } from './served.ts';

/** These servers flush each commit to disk, like those of real applications. */
process.env.TMPDIR ??= '/var/tmp';

const path = '/api/3/action/datastore_search?resource_id=records&limit=100';
const measured: (readonly string[])[] = [];
const header = [
  ...['Server', 'Hits while others commit 100/s', 'the same without names', 'ttl: 0'],
  ...[
    "Application's commits/s without names",
    'Median ratio with feed: required',
    'with feed: auto',
    "with the server's own client of its log",
  ],
  ...['1 M rows: longest turn (ms)', 'memory (MB)', 'oldest answer (ms)'],
];

afterAll(() =>
  report(
    'feed',
    'Names from the log: maxStaleness 50ms, one process, beside an application that writes',
    header,
    measured,
  ),
);

/** How the log is read: by the gateway, or with `client` by the server's own client instead. */
type How = 'required' | 'auto' | 'none' | 'client';
/** Values for `maxStaleness`, some followed by one for `feed`. */
const settings: Readonly<Record<How, string>> = {
  required: '50ms, feed: required',
  ...{ auto: '50ms, feed: auto', none: '50ms, feed: none', client: '50ms, feed: none' },
};
/** Milliseconds of writing before commits are counted. After five seconds `auto` stops reading the log, and a client takes a moment to start. */
const before = { required: 0, auto: 6000, none: 0, client: 500 };

test.each(
  variants()
    .filter(({ hasLog }) => hasLog)
    .map((variant) => [variant.name, variant] as const),
)('%s', async (name, variant) => {
  const scope = openScope();
  try {
    const engine = await variant.start(scope, 'durable');
    const hits: string[] = [];
    for (const [cache, staleness] of [
      ['1h', settings.required],
      ['1h', settings.none],
      ['0', 'none'],
    ] as const) {
      const own = await served(engine, `{ ttl: ${cache} }`, '', staleness);
      try {
        await own.database.exec('CREATE TABLE mark (n integer)');
        if (staleness === settings.required) await untilNamed(own);
        hits.push(`${(await hitsWhileOthersCommit(engine, own, path)).toFixed(1)} %`);
      } finally {
        await own.stop();
      }
    }
    const rates: Readonly<Record<How, number>>[] = [];
    for (let nth = 0; nth < 5; nth++)
      rates.push({
        required: await commits(engine, 'required'),
        none: await commits(engine, 'none'),
        auto: await commits(engine, 'auto'),
        client: await commits(engine, 'client'),
      });
    const medianOf = (what: (rate: (typeof rates)[0]) => number) => median(rates.map(what));
    const { hold, memory, oldest } = await burst(engine);
    measured.push([
      name,
      ...hits,
      medianOf(({ none }) => none).toFixed(0),
      medianOf(({ required, none }) => required / none).toFixed(2),
      medianOf(({ auto, none }) => auto / none).toFixed(2),
      medianOf(({ client, none }) => client / none)
        .toFixed(2)
        .replace('NaN', '–'),
      hold.toFixed(0),
      memory.toFixed(0),
      oldest.toFixed(0),
    ]);
    expect(oldest).toBeLessThanOrEqual(50);
  } finally {
    await scope.close();
  }
});

/** Waits until the gateway reads table names from the log. */
async function untilNamed({
  url,
  database,
}: {
  readonly url: string;
  readonly database: ServerDatabase;
}): Promise<void> {
  for (const until = performance.now() + 20_000; performance.now() < until; ) {
    await fetch(`${url}${path}`, { headers });
    await database.exec('INSERT INTO mark VALUES (1)');
    await sleep(60);
    if ((await fetch(`${url}${path}`, { headers })).headers.get('x-cache') === 'HIT') return;
  }
  throw new Error('the log names nothing');
}

/** Commits per second of an application with four sessions, while a client queries the gateway. NaN if the machine does not have the server's client. */
async function commits(engine: ServerEngine, how: How): Promise<number> {
  const isNamed = how === 'required' || how === 'auto';
  const gateway = await served(engine, '{ ttl: 1h }', '', settings[how], async (database) => {
    await database.exec('CREATE TABLE elsewhere (id integer PRIMARY KEY, n integer)');
  });
  const { url, database } = gateway;
  const sessions = await Promise.all([1, 2, 3, 4].map(() => openSession({ client: engine.client, url: database.url })));
  let client: Awaited<ReturnType<typeof startLogClient>> = null;
  try {
    await database.exec('CREATE TABLE mark (n integer)');
    for (const id of sessions.keys()) await database.exec(`INSERT INTO elsewhere VALUES (${id}, 0)`);
    if (isNamed) await untilNamed(gateway);
    client = how === 'client' ? await startLogClient(engine, database) : null;
    if (how === 'client' && client === null) return Number.NaN;
    let [done, isOver] = [0, false];
    const asking = (async () => {
      for (; !isOver; await sleep(1)) await (await fetch(`${url}${path}`, { headers })).arrayBuffer();
    })();
    const write = (milliseconds: number) => {
      const began = performance.now();
      return Promise.all(
        sessions.map(async (session, id) => {
          for (; performance.now() - began < milliseconds; done++)
            await session.exec(`UPDATE elsewhere SET n = n + 1 WHERE id = ${id}`);
        }),
      );
    };
    await write(before[how]);
    done = 0;
    const began = performance.now();
    await write(2000);
    const took = performance.now() - began;
    isOver = true;
    await asking;
    return (1000 * done) / took;
  } finally {
    for (const session of sessions) await session.close();
    await client?.stop();
    await gateway.stop();
  }
}

const million = {
  postgres: ['INSERT INTO elsewhere SELECT n, n FROM generate_series(1, 1000000) n'],
  mysql: [
    'INSERT INTO elsewhere (n) VALUES (1)',
    ...Array.from({ length: 20 }, () => 'INSERT INTO elsewhere (n) SELECT n FROM elsewhere'),
  ],
};

/**
 * A transaction that changes a million rows, and also a record of the resource. Measures the longest event-loop turn, the memory, and the age of the
 * oldest answer.
 */
async function burst(engine: ServerEngine): Promise<{ hold: number; memory: number; oldest: number }> {
  const database = await freshDatabase(engine);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  await database.exec('CREATE TABLE records (id integer PRIMARY KEY, n integer); INSERT INTO records VALUES (1, 0)');
  await database.exec(
    `CREATE TABLE elsewhere (id ${engine.client === 'postgres' ? 'integer' : 'integer AUTO_INCREMENT'} PRIMARY KEY, n integer)`,
  );
  const file = join(folder, 'gateway.yaml');
  writeFileSync(
    file,
    `server: { port: 0 }
databases: { db: { client: ${engine.client}, connection: "${database.url}", maxStaleness: ${settings.required} } }
resources: { records: { database: db, table: records, access: { read: public } } }
cache: { ttl: 1h }
`,
  );
  const gateway = await programAt(join(root, 'dist/main.js'), folder).probe(['serve', file]);
  try {
    await database.exec('CREATE TABLE mark (n integer)');
    await untilNamed({ url: gateway.url, database });
    const ask = async () => {
      const began = performance.now();
      const { result }: { result: { records: { n: number }[] } } = JSON.parse(
        await (await fetch(`${gateway.url}${path}`)).text(),
      );
      return { began, n: result.records[0]?.n };
    };
    for (let nth = 0; nth < 200; nth++) await ask();
    const before = await gateway.held();
    const session = await openSession({ client: engine.client, url: database.url });
    let committed = Number.POSITIVE_INFINITY;
    const writing = (async () => {
      await session.exec('BEGIN');
      for (const statement of million[engine.client]) await session.exec(statement);
      await session.exec('UPDATE records SET n = 1');
      await session.exec('COMMIT');
      committed = performance.now();
    })();
    let oldest = 0;
    const until = () => performance.now() < committed + 3000;
    while (until()) {
      const { began, n } = await ask();
      if (n === 0) oldest = Math.max(oldest, began - committed);
      await sleep(2);
    }
    await writing;
    await session.close();
    const after = await gateway.held();
    return { hold: after.hold, memory: (after.rss - before.rss) / 1e6, oldest };
  } finally {
    await gateway.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
