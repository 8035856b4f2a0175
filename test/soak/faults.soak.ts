import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { token } from '../support/gateway.ts';
import { openProgram } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { freshDatabase, openSession } from '../support/servers/engines.ts';
import { freePort } from '../support/servers/scope.ts';
import { openTap, type Tap } from '../support/tap.ts';
import { growth, median, type Taken, weigh } from './figures.ts';
import { load, type Tally } from './load.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? 10);
const between = 20_000;
const seed = Number(process.env.SOAK_SEED ?? 1);

const engines = inject('engines');

/** Faults that last for some seconds. Each function starts one, and returns how to end it. */
const faults: Readonly<Record<string, (tap: Tap, pid: number) => () => unknown>> = {
  refuses(tap) {
    tap.refuse();
    tap.cut();
    return () => tap.accept();
  },
  'stands still': (tap) => {
    tap.freeze();
    return () => tap.thaw();
  },
  'is cut': (tap) => {
    tap.cut();
    return () => undefined;
  },
  'is slow': (tap) => {
    tap.delay(150);
    return () => tap.delay(0);
  },
  'loses every other commit': (tap) => {
    let nth = 0;
    tap.watch((bytes) =>
      /COMMIT(?!TED)/.test(bytes.toString('latin1')) && nth++ % 2 === 0 ? 'lose the answer' : 'pass',
    );
    return () => tap.watch(() => 'pass');
  },
  'is well, and the gateway reads its configuration again': (_, pid) => {
    process.kill(pid, 'SIGHUP');
    return () => undefined;
  },
};

/** The growth allowed from the second third to the end: a share of the figure plus an absolute amount. */
const mayGrow = { live: { by: 0.1, over: 3 }, resident: { by: 0.25, over: 10 }, handles: { by: 0, over: 8 } } as const;
/** Connections of the client that checks whether the gateway serves again. */
const checkerConnections = 5;

test(`${minutes} minutes of everything, with a fault every ${between / 1000} s: it serves, and takes no more than before`, async () => {
  expect(engines.length).toBeGreaterThan(0);
  const random = new Random(seed);
  const program = openProgram();
  const file = join(tmpdir(), `gateway-soak-${process.pid}.yaml`);
  const behind = createServer((req, res) => req.pipe(res));
  const port = await freePort();
  await new Promise<void>((resolve) => behind.listen(port, '127.0.0.1', resolve));
  const databases = await Promise.all(engines.map((engine) => freshDatabase(engine)));
  const taps = await Promise.all(databases.map(({ url }) => openTap(url)));
  const upstream = await openTap(`http://127.0.0.1:${port}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  try {
    for (const database of databases) {
      await database.exec(`CREATE TABLE t (k int PRIMARY KEY, a int, t varchar(200))`);
      await database.exec(
        `INSERT INTO t VALUES ${Array.from({ length: 2000 }, (_, k) => `(${k}, 0, '${'x'.repeat(150)}')`).join(', ')}`,
      );
    }
    const names = engines.map(({ name }) => name);
    const entries = engines.map(({ name, client }, nth) => [
      name,
      { client, connection: taps[nth]?.url, statementTimeout: '3s', pool: { max: 5, acquireTimeout: '500ms' } },
    ]);
    writeFileSync(
      file,
      JSON.stringify({
        server: { port: 0 },
        upstream: { url: upstream.url.replace(/\/$/, '') },
        databases: Object.fromEntries(entries),
        resources: Object.fromEntries(
          names.map((name) => [name, { database: name, table: 't', access: { read: 'token', write: 'token' } }]),
        ),
        tokens: [
          { name: 'tester', sha256: createHash('sha256').update(token).digest('hex'), read: ['*'], write: ['*'] },
        ],
        cache: { ttl: '2s', maxBytes: '20MB' },
        log: { requests: 'none' },
        admin: { port: 0 },
      }),
    );
    const weight = `${file}.weight`;
    const weigher = join(import.meta.dirname, 'weigh.mjs');
    const running = await program.serve(['serve', file], { NODE_OPTIONS: `--import ${weigher}`, WEIGH: weight });
    if (!('url' in running)) throw new Error(running.stderr);
    const takeFigures = () => weigh(running.pid, weight);
    const idle = await takeFigures();
    const stop = new AbortController();
    const tally: Tally = { answers: new Map(), wrong: [] };
    const loads = load({ url: running.url, names, agent, random, stop: stop.signal, tally });

    const samples: (Taken & { readonly minute: string; readonly fault: string; readonly back: number })[] = [];
    const works = async (name: string) => {
      const url = `${running.url}/api/action/datastore_search?resource_id=${name}&limit=1`;
      const since = performance.now();
      for (;;) {
        const { status } = await fetch(url, { headers: { Authorization: token, 'Cache-Control': 'no-cache' } });
        if (status === 200) return Math.round(performance.now() - since);
        if (performance.now() - since > 10_000) throw new Error(`${name} has not come back`);
        await sleep(20);
      }
    };
    await sleep(5000);
    const first = performance.now();
    while (performance.now() < first + minutes * 60_000) {
      const began = performance.now();
      const nth = random.from(0, taps.length - 1);
      const tap = taps[nth];
      if (tap === undefined) throw new Error('no such tap');
      const what = random.one(Object.keys(faults));
      const end = faults[what]?.(tap, running.pid);
      await sleep(random.from(1000, 8000));
      await end?.();
      const back = await works(names[nth] ?? '');
      await sleep(Math.max(0, between - (performance.now() - began)));
      const minute = ((performance.now() - first) / 60_000).toFixed(1);
      samples.push({ minute, ...(await takeFigures()), back, fault: `${names[nth]} ${what}` });
      console.log(JSON.stringify(samples.at(-1)));
    }
    stop.abort();
    await loads;
    agent.destroy();
    // By then its connections to the upstream and of dumps are closed.
    await sleep(2000);
    const after = await takeFigures();
    console.table(samples);
    console.log({ idle, after, answers: Object.fromEntries([...tally.answers].sort()) });

    expect(tally.wrong).toEqual([]);
    expect(samples.filter(({ back }) => back >= 2000)).toEqual([]);
    // The cache is full after the first third.
    const settled = samples.slice(Math.floor(samples.length / 3));
    for (const figure of ['live', 'resident', 'handles'] as const) {
      const figures = settled.map((sample) => sample[figure]);
      expect(growth(figures), figure).toBeLessThan(median(figures) * mayGrow[figure].by + mayGrow[figure].over);
    }
    // Five connections for calls and two for dumps, for each database.
    expect(after.handles).toBeLessThanOrEqual(idle.handles + checkerConnections + engines.length * 7);
    // Every session was returned: only those in the pools remain.
    await sleep(1000);
    for (const [nth, engine] of engines.entries()) {
      const admin = await openSession(engine);
      const name = new URL(databases[nth]?.url ?? '').pathname.slice(1);
      const sql =
        engine.client === 'postgres'
          ? `SELECT count(*) FROM pg_stat_activity WHERE datname = '${name}' AND state <> 'idle'`
          : `SELECT count(*) FROM information_schema.processlist WHERE db = '${name}' AND command <> 'Sleep'`;
      expect(Number((await admin.query(sql))[0]?.[0])).toBe(0);
      await admin.close();
    }
    expect((await running.stop()).code).toBe(0);
  } finally {
    for (const one of [file, `${file}.weight`]) rmSync(one, { force: true });
    agent.destroy();
    for (const tap of [...taps, upstream]) tap.close();
    behind.close();
    for (const database of databases) await database.drop();
    program.remove();
  }
});
