import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { Random } from '../cache/coherence/random.ts';
import { freshDatabase, openSession } from '../servers/engines.ts';
import { freePort } from '../servers/scope.ts';
import { token } from '../support/gateway.ts';
import { openProgram } from '../support/program.ts';
import { openTap, type Tap } from '../support/tap.ts';
import { load, type Tally } from './load.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? 10);
const between = 20_000;
const seed = Number(process.env.SOAK_SEED ?? 1);

const engines = inject('engines');

/** What a neighbour does for some seconds, and what ends it. */
const faults: Readonly<Record<string, (tap: Tap) => () => unknown>> = {
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
};

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
    const running = await program.serve(['serve', file]);
    if (!('url' in running)) throw new Error(running.stderr);
    const taken = () => ({
      megabytes: Math.round(
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))?.[1]) / 1024,
      ),
      handles: readdirSync(`/proc/${running.pid}/fd`).length,
    });
    const stop = new AbortController();
    const tally: Tally = { answers: new Map(), wrong: [] };
    const loads = load({ url: running.url, names, agent, random, stop: stop.signal, tally });

    const samples: ReturnType<typeof taken>[] = [];
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
    for (const until = performance.now() + minutes * 60_000; performance.now() < until; ) {
      const began = performance.now();
      const nth = random.from(0, taps.length - 1);
      const tap = taps[nth];
      if (tap === undefined) throw new Error('no such tap');
      const what = random.one(Object.keys(faults));
      const end = faults[what]?.(tap);
      await sleep(random.from(1000, 8000));
      await end?.();
      const back = await works(names[nth] ?? '');
      await sleep(Math.max(0, between - (performance.now() - began)));
      const sample = taken();
      samples.push(sample);
      console.log(`${names[nth]} ${what}: back after ${back} ms; ${sample.megabytes} MB, ${sample.handles} handles`);
      expect(back).toBeLessThan(2000);
    }
    stop.abort();
    await loads;
    console.log(Object.fromEntries([...tally.answers].sort()));
    expect(tally.wrong).toEqual([]);

    const third = Math.max(1, Math.floor(samples.length / 3));
    const most = (part: readonly (typeof samples)[number][], of: 'megabytes' | 'handles') =>
      Math.max(...part.map((one) => one[of]));
    for (const of of ['megabytes', 'handles'] as const) {
      const [first, last] = [most(samples.slice(0, third), of), most(samples.slice(-third), of)];
      expect(last, of).toBeLessThan(first * 1.25 + 10);
    }
    agent.destroy();
    // Every session is given back: what it still has is its pools.
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
    rmSync(file, { force: true });
    agent.destroy();
    for (const tap of [...taps, upstream]) tap.close();
    behind.close();
    for (const database of databases) await database.drop();
    program.remove();
  }
});
