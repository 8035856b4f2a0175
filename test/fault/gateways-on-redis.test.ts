/**
 * Three gateways on one database whose server shows no token, connected by Redis. A tap before Redis for each of them delays messages
 * and cuts it off. The checker of coherence asks all of them, while one fault comes after the other.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../property/coherence/check.ts';
import { configuration, create, empty, worldOf } from '../property/coherence/world.ts';
import { token } from '../support/gateway.ts';
import { openProgram, type Program, type Running } from '../support/program.ts';
import { anyServer, freshDatabase, type ServerDatabase } from '../support/servers/engines.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { startRedis, tellRedis } from '../support/servers/redis.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { openTap, type Tap } from '../support/tap.ts';
import { running } from '../support/workers.ts';

const soak = process.env.SOAK_OPERATIONS;
const operations = Number(soak ?? 5000) / 2;
const seed = Number(process.env.SOAK_SEED ?? (soak === undefined ? 7 : Math.floor(Math.random() * 2 ** 31)));
/** Milliseconds between two operations of a client at most: the faults need some time. */
const pause = 60;

interface Fleet {
  readonly scope: Scope;
  readonly redis: string;
  /** Before Redis, one for each gateway. */
  readonly taps: readonly Tap[];
  readonly gateways: readonly Running[];
}

/** Milliseconds. */
const [short, longerThanLease] = [400, 1400];

/** Each begins a fault, waits, and ends it. */
const faults: Readonly<Record<string, (fleet: Fleet, nth: number) => Promise<unknown>>> = {
  'its connections are cut': async ({ redis }) => tellRedis(redis, 'CLIENT KILL TYPE normal'),
  'Redis is emptied': async ({ redis }) => tellRedis(redis, 'FLUSHALL'),
  'Redis stands still': async ({ scope, redis }) => {
    scope.signal(portOf(redis), 'SIGSTOP');
    await sleep(short);
    scope.signal(portOf(redis), 'SIGCONT');
  },
  'Redis is killed, and comes back empty': async ({ scope, redis }) => {
    const restart = await scope.stop(portOf(redis), 'SIGKILL');
    await sleep(short);
    await restart();
  },
  'a gateway stands still for longer than its lease': async ({ gateways }, nth) => {
    const { pid } = of(gateways, nth);
    process.kill(pid, 'SIGSTOP');
    await sleep(longerThanLease);
    process.kill(pid, 'SIGCONT');
  },
  'what a gateway says and hears is late': async ({ taps }, nth) => {
    of(taps, nth).delay(250);
    await sleep(longerThanLease);
    of(taps, nth).delay(0);
  },
};
/** Without the duty to announce, a gateway that is cut off alone writes on (docs/caching.md). */
const partitions: typeof faults = {
  'a gateway is cut off from Redis': async ({ taps }, nth) => {
    const tap = of(taps, nth);
    tap.freeze();
    await sleep(longerThanLease);
    tap.thaw();
  },
  'a gateway is refused by Redis': async ({ taps }, nth) => {
    const tap = of(taps, nth);
    tap.refuse();
    tap.cut();
    await sleep(longerThanLease);
    await tap.accept();
  },
};

const portOf = (url: string): number => Number(new URL(url).port);
function of<T>(all: readonly T[], nth: number): T {
  const one = all[nth % all.length];
  if (one === undefined) throw new Error('there is none');
  return one;
}

// The bus knows no engine.
const [engine] = anyServer();

describe.runIf(engine !== undefined)('three gateways on Redis', () => {
  let scope: Scope;
  let program: Program;
  let folder: string;
  let database: ServerDatabase;
  beforeAll(async () => {
    if (engine === undefined) return;
    scope = openScope();
    program = openProgram();
    folder = mkdtempSync(join(tmpdir(), 'gateway-fleet-'));
    database = await freshDatabase(engine);
    await create(database);
  });
  afterAll(async () => {
    program?.remove();
    await database?.drop();
    await scope?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** Asks and writes while the faults go around. */
  async function go(required: boolean, kinds: typeof faults) {
    if (engine === undefined) throw new Error('no server');
    await empty(database);
    const redis = await startRedis(scope, thisMachine());
    const tap = await openTap(database.url);
    const taps = await Promise.all([1, 2, 3].map(() => openTap(redis)));
    const sha256 = createHash('sha256').update(token).digest('hex');
    const served = taps.map(async (own, nth) => {
      const file = join(folder, `${required}-${nth}.yaml`);
      const written = {
        ...configuration(engine.client, tap.url),
        // One has workers, each of which is a member of its own.
        server: { port: 0, workers: nth === 0 ? 2 : 1 },
        cache: { ttl: '1h', bus: { url: own.url, required } },
        tokens: [{ name: 'tester', sha256, read: ['*'], write: ['*'] }],
        log: { requests: 'none' },
      };
      writeFileSync(file, JSON.stringify(written));
      return running(await program.serve(['serve', file]));
    });
    const gateways = await Promise.all(served);
    const stop = new AbortController();
    const fleet = { scope, redis, taps, gateways };
    let met = 0;
    const disturb = async () => {
      // Each begins in caches that are full.
      for (; !stop.signal.aborted; met++) {
        await sleep(1200);
        if (!stop.signal.aborted) await of(Object.values(kinds), met)(fleet, met);
      }
    };
    try {
      const disturbed = disturb();
      const urls = gateways.map(({ url }) => url);
      const field = { urls, world: worldOf(engine.client), tap, look: database.query };
      const verdict = await check(field, { operations, seed, losses: 0.01, pause });
      stop.abort();
      await disturbed;
      console.log(`SOAK_SEED=${seed} ${met} faults ${JSON.stringify(verdict.counts)}`);
      if (verdict.stale !== null) console.log(gateways.map((gateway) => gateway.said()).join('\n'));
      expect(verdict.stale).toBeNull();
      for (const kind of ['hits', 'misses', 'writes', 'looks'] as const)
        expect(verdict.counts[kind], kind).toBeGreaterThan(0);
      return verdict.counts;
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      for (const one of [tap, ...taps]) one.close();
    }
  }

  test(
    'no read that begins after a write was answered shows an older version, also where one is cut off',
    async () => {
      await go(true, { ...partitions, ...faults });
    },
    120_000 + operations * 20,
  );

  test(
    'nor where writes go on without Redis',
    async () => {
      await go(false, faults);
    },
    120_000 + operations * 20,
  );
});
