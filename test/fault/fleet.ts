/**
 * Three gateways on one database, each with two processes and a wall clock that is seconds off. The coherence checker queries all of them while
 * faults occur one after another.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { check, type Verdict } from '../property/coherence/check.ts';
import { configuration, worldOf } from '../property/coherence/world.ts';
import { token } from '../support/gateway.ts';
import { type Network, openNetwork } from '../support/network.ts';
import type { Program, Running } from '../support/program.ts';
import type { ServerDatabase } from '../support/servers/engines.ts';
import { openTap, type Tap } from '../support/tap.ts';
import { running } from '../support/workers.ts';

const soak = process.env.SOAK_OPERATIONS;
/** Operations in one run; a test file does two runs. */
export const operations = Number(soak ?? 5000) / 2;
export const isSoak = soak !== undefined;
const seed = Number(process.env.SOAK_SEED ?? (isSoak ? Math.floor(Math.random() * 2 ** 31) : 7));
/** Maximum pause between two operations of a client in milliseconds, so that there is time for the faults. */
const pause = 60;
/** Milliseconds after which clients give up on a gateway that does not respond. */
const readTimeoutMs = 2000;
/** How far the wall clock of each gateway is ahead, in milliseconds. */
const clocks = [0, 5000, -5000];

/** Duration of a fault in milliseconds. */
const outageMs = 1400;

/** What a fault may act on. */
interface Fleet {
  readonly gateways: readonly Running[];
  /** For each gateway the tap to its database. */
  readonly lines: readonly Tap[];
  /** For each gateway a separate network, in a soak run and if the machine allows it. */
  readonly networks: readonly (Network | null)[];
}

/** Starts a fault, waits, and ends it. `nth` selects the gateway. */
type Fault = (fleet: Fleet, nth: number) => Promise<unknown>;

/** Delays all traffic between a gateway and its database by this many milliseconds. */
const late =
  (milliseconds: number): Fault =>
  async ({ lines }, nth) => {
    const line = nthOf(lines, nth);
    line.delay(milliseconds);
    await sleep(outageMs);
    line.delay(0);
  };

/** Unplugs a gateway's network, so that its clients cannot reach it either, and wait. Without a separate network only its tap freezes. */
const unplugged: Fault = async ({ lines, networks }, nth) => {
  const [line, network] = [nthOf(lines, nth), nthOf(networks, nth)];
  if (network === null) line.freeze();
  else network.pull();
  await sleep(outageMs);
  if (network === null) line.thaw();
  else network.plug();
};

const faults: Readonly<Record<string, Fault>> = {
  'its line is 500 ms late': late(500),
  'it is cut off': async ({ lines }, nth) => {
    const line = nthOf(lines, nth);
    line.freeze();
    await sleep(outageMs);
    line.thaw();
  },
  'it is refused': async ({ lines }, nth) => {
    const line = nthOf(lines, nth);
    line.refuse();
    line.cut();
    await sleep(outageMs);
    await line.accept();
  },
  ...(isSoak ? { 'it has no network': unplugged } : {}),
  'all connections are cut': async ({ lines }) => {
    for (const line of lines) line.cut();
  },
  'the database answers none of them': async ({ lines }) => {
    for (const line of lines) line.freeze();
    await sleep(600);
    for (const line of lines) line.thaw();
  },
  'it is stopped and continues': async ({ gateways }, nth) => {
    const { pid } = nthOf(gateways, nth);
    process.kill(pid, 'SIGSTOP');
    await sleep(isSoak ? 10_000 : outageMs);
    process.kill(pid, 'SIGCONT');
  },
  'its line is 250 ms late': late(250),
};

export interface Run {
  readonly database: ServerDatabase;
  readonly program: Pick<Program, 'serve'>;
  /** How long a gateway may miss a write whose outcome is unknown, in milliseconds. */
  readonly maxStaleness: number;
  /** The maximum number of operations; by default as configured in the environment. */
  readonly most?: number;
}

/** Reads and writes at random until there are enough operations, or an answer is stale. The tables must be empty. */
export async function disturbed({ database, program, maxStaleness, most }: Run): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-fleet-'));
  const networks = clocks.map((_, nth) => (isSoak ? openNetwork(nth) : null));
  const tap = await openTap(database.url);
  const lines = await Promise.all(networks.map((network) => openTap(tap.url, network?.outside)));
  const sha256 = createHash('sha256').update(token).digest('hex');
  const started = lines.map(async ({ url }, nth) => {
    const written = configuration(database.client, url);
    for (const one of Object.values(Object(written.databases)))
      Object.assign(Object(one), { maxStaleness: `${maxStaleness}ms` });
    const file = join(folder, `${nth}.yaml`);
    const network = nthOf(networks, nth);
    const own = {
      server: { port: 0, workers: 2, host: network?.inside ?? '127.0.0.1' },
      cache: { ttl: '1h', otherGateways: true },
      tokens: [{ name: 'tester', sha256, read: ['*'], write: ['*'] }],
      log: { requests: 'none' },
    };
    writeFileSync(file, JSON.stringify({ ...written, ...own }));
    return running(await program.serve(['serve', file], ahead(clocks[nth] ?? 0), network?.command));
  });
  const gateways = await Promise.all(started);
  const finished = new AbortController();
  let met = 0;
  const disturb = async () => {
    // The pause lets the caches fill up before each fault.
    for (; !finished.signal.aborted; met++) {
      await sleep(1200);
      if (!finished.signal.aborted) await nthOf(Object.values(faults), met)({ gateways, lines, networks }, met);
    }
  };
  const disturbing = disturb();
  let verdict: Verdict | null = null;
  try {
    const urls = gateways.map(({ url }) => url);
    const field = { urls, world: worldOf(database.client), tap, look: database.query };
    verdict = await check(field, {
      operations: most ?? operations,
      seed,
      losses: 0.01,
      pause,
      patience: readTimeoutMs,
      maxStaleness,
    });
    return verdict;
  } finally {
    finished.abort();
    await disturbing;
    console.log(`SOAK_SEED=${seed} ${met} faults ${JSON.stringify(verdict?.counts)}`);
    const isMeant = verdict !== null && (verdict.stale === null || most !== undefined);
    if (!isMeant) console.log(gateways.map((one) => one.said()).join('\n'));
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    for (const one of [tap, ...lines]) one.close();
    for (const network of networks) network?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Environment variables for a process whose wall clock is ahead by this many milliseconds. */
const ahead = (milliseconds: number) => ({
  NODE_OPTIONS: `--import "data:text/javascript,const{now}=Date;Date.now=()=>now()+(${milliseconds})"`,
});

function nthOf<T>(all: readonly T[], nth: number): T {
  const one = all[nth % all.length];
  if (one === undefined) throw new Error('there is none');
  return one;
}
