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

/** Milliseconds that faults last. */
export const [short, longerThanLease] = [400, 1400];

/** What a fault may touch. */
export interface Fleet {
  readonly gateways: readonly Running[];
  /** Of each gateway, the line to the server that connects it with the others. */
  readonly lines: readonly Tap[];
  /** Of each gateway, in a soak and where the machine allows it, a network of its own. */
  readonly networks: readonly (Network | null)[];
}

/** Each begins a fault, waits, and ends it. `nth` chooses the gateway. */
export type Faults = Readonly<Record<string, (fleet: Fleet, nth: number) => Promise<unknown>>>;

/** A gateway is stopped for so many milliseconds, and continues. */
export const standing =
  (milliseconds: number): Faults[string] =>
  async ({ gateways }, nth) => {
    const { pid } = of(gateways, nth);
    process.kill(pid, 'SIGSTOP');
    await sleep(milliseconds);
    process.kill(pid, 'SIGCONT');
  };

/** What a gateway says and hears comes so many milliseconds late. */
const late =
  (milliseconds: number): Faults[string] =>
  async ({ lines }, nth) => {
    const line = of(lines, nth);
    line.delay(milliseconds);
    await sleep(longerThanLease);
    line.delay(0);
  };

export const usualFaults: Faults = {
  'a gateway stands still for longer than its lease': standing(isSoak ? 10_000 : longerThanLease),
  // A question and its answer take half a lease.
  'what a gateway says and hears is 250 ms late': late(250),
};
/** Where writes go on without a server, the others serve old answers while one of them is cut off alone (docs/caching.md). */
export const partitions: Faults = {
  // A question and its answer take a whole lease: it has none, as if it were cut off.
  'what a gateway says and hears is 500 ms late': late(500),
  'a gateway is cut off': async ({ lines }, nth) => {
    const line = of(lines, nth);
    line.freeze();
    await sleep(longerThanLease);
    line.thaw();
  },
  'a gateway is refused': async ({ lines }, nth) => {
    const line = of(lines, nth);
    line.refuse();
    line.cut();
    await sleep(longerThanLease);
    await line.accept();
  },
};
/** Also its clients cannot reach it, and all of them wait: that is for the soak. Without networks its line is frozen. */
export const unplugged: Faults = {
  'a gateway has no network': async ({ lines, networks }, nth) => {
    const [line, network] = [of(lines, nth), of(networks, nth)];
    if (network === null) line.freeze();
    else network.pull();
    await sleep(longerThanLease);
    if (network === null) line.thaw();
    else network.plug();
  },
};

export interface Run {
  readonly database: ServerDatabase;
  readonly program: Pick<Program, 'serve'>;
  readonly faults: Faults;
  /** The server that connects the gateways; null: the database. */
  readonly connecting: string | null;
  /** Added to the configuration of a gateway. @param line its address of that server */
  configured(line: string): { readonly databases?: Record<string, unknown>; readonly otherGateways: boolean };
  /** Milliseconds for which a gateway may miss a write whose outcome is unknown. */
  readonly maxStaleness?: number;
  /** How many operations at most; as the environment says without it. */
  readonly most?: number;
}

/** Reads and writes at random until that is enough, or an answer is stale. The tables must be empty. */
export async function disturbed({
  database,
  program,
  faults,
  connecting,
  configured,
  maxStaleness = 0,
  most,
}: Run): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-fleet-'));
  const networks = clocks.map((_, nth) => (isSoak ? openNetwork(nth) : null));
  const tap = await openTap(database.url);
  const nearTo = (url: string) => Promise.all(networks.map((network) => openTap(url, network?.outside)));
  const lines = await nearTo(connecting ?? tap.url);
  const databases = connecting === null ? lines : await nearTo(tap.url);
  const sha256 = createHash('sha256').update(token).digest('hex');
  const started = lines.map(async ({ url }, nth) => {
    const { databases: more, otherGateways } = configured(url);
    const written = configuration(database.client, of(databases, nth).url);
    for (const one of Object.values(Object(written.databases))) Object.assign(Object(one), more);
    const file = join(folder, `${nth}.yaml`);
    const network = of(networks, nth);
    const own = {
      server: { port: 0, workers: 2, host: network?.inside ?? '127.0.0.1' },
      cache: { ttl: '1h', otherGateways },
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
    for (const one of new Set([tap, ...lines, ...databases])) one.close();
    for (const network of networks) network?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The environment of a process whose wall clock is so many milliseconds ahead. */
const ahead = (milliseconds: number) => ({
  NODE_OPTIONS: `--import "data:text/javascript,const{now}=Date;Date.now=()=>now()+(${milliseconds})"`,
});

export function of<T>(all: readonly T[], nth: number): T {
  const one = all[nth % all.length];
  if (one === undefined) throw new Error('there is none');
  return one;
}
