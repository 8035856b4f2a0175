/**
 * Three gateways on one database, two processes each, whose wall clocks are seconds apart. The checker of coherence asks all of them,
 * while one fault comes after the other.
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
/** Of one run; a file has two. */
export const operations = Number(soak ?? 5000) / 2;
export const isSoak = soak !== undefined;
const seed = Number(process.env.SOAK_SEED ?? (isSoak ? Math.floor(Math.random() * 2 ** 31) : 7));
/** Milliseconds between two operations of a client at most: the faults need some time. */
const pause = 60;
/** Milliseconds after which they leave a gateway that stands still. */
const patience = 2000;
/** Milliseconds by which the wall clock of each gateway is ahead. */
const clocks = [0, 5000, -5000];

/** Milliseconds that a fault lasts. */
const outageMs = 1400;

/** What a fault may touch. */
interface Fleet {
  readonly gateways: readonly Running[];
  /** Of each gateway, the line to the database. */
  readonly lines: readonly Tap[];
  /** Of each gateway, in a soak and where the machine allows it, a network of its own. */
  readonly networks: readonly (Network | null)[];
}

/** Begins a fault, waits, and ends it. `nth` chooses the gateway. */
type Fault = (fleet: Fleet, nth: number) => Promise<unknown>;

/** What a gateway sends and receives comes so many milliseconds late. */
const late =
  (milliseconds: number): Fault =>
  async ({ lines }, nth) => {
    const line = of(lines, nth);
    line.delay(milliseconds);
    await sleep(outageMs);
    line.delay(0);
  };

/** The clients of a gateway cannot reach it either, and all of them wait. Without networks of their own its line is frozen. */
const unplugged: Fault = async ({ lines, networks }, nth) => {
  const [line, network] = [of(lines, nth), of(networks, nth)];
  if (network === null) line.freeze();
  else network.pull();
  await sleep(outageMs);
  if (network === null) line.thaw();
  else network.plug();
};

const faults: Readonly<Record<string, Fault>> = {
  'its line is 500 ms late': late(500),
  'it is cut off': async ({ lines }, nth) => {
    const line = of(lines, nth);
    line.freeze();
    await sleep(outageMs);
    line.thaw();
  },
  'it is refused': async ({ lines }, nth) => {
    const line = of(lines, nth);
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
    const { pid } = of(gateways, nth);
    process.kill(pid, 'SIGSTOP');
    await sleep(isSoak ? 10_000 : outageMs);
    process.kill(pid, 'SIGCONT');
  },
  'its line is 250 ms late': late(250),
};

export interface Run {
  readonly database: ServerDatabase;
  readonly program: Pick<Program, 'serve'>;
  /** Milliseconds; a gateway may miss a write whose outcome is unknown for as long. */
  readonly maxStaleness: number;
  /** How many operations at most; as the environment says without it. */
  readonly most?: number;
}

/** Reads and writes at random until that is enough, or an answer is stale. The tables must be empty. */
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
    const network = of(networks, nth);
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
  const over = new AbortController();
  let met = 0;
  const disturb = async () => {
    // Each begins in caches that are full.
    for (; !over.signal.aborted; met++) {
      await sleep(1200);
      if (!over.signal.aborted) await of(Object.values(faults), met)({ gateways, lines, networks }, met);
    }
  };
  const disturbing = disturb();
  let verdict: Verdict | null = null;
  try {
    const urls = gateways.map(({ url }) => url);
    const field = { urls, world: worldOf(database.client), tap, look: database.query };
    verdict = await check(field, { operations: most ?? operations, seed, losses: 0.01, pause, patience, maxStaleness });
    return verdict;
  } finally {
    over.abort();
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

/** The environment of a process whose wall clock is so many milliseconds ahead. */
const ahead = (milliseconds: number) => ({
  NODE_OPTIONS: `--import "data:text/javascript,const{now}=Date;Date.now=()=>now()+(${milliseconds})"`,
});

function of<T>(all: readonly T[], nth: number): T {
  const one = all[nth % all.length];
  if (one === undefined) throw new Error('there is none');
  return one;
}
