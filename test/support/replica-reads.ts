/** Writes and reads through a gateway with a replica, and reports every stale answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway } from './gateway.ts';
import { Random } from './random.ts';
import type { Session } from './servers/sessions.ts';

/** The calls of a check, and a count of which server answered the reads. */
export interface Reading {
  write(id: number, n: number): Promise<void>;
  /** @param variant a different one bypasses the cache, but finds the same record first */
  read(id: number, variant: number): Promise<number>;
  /** The number of reads that each server answered, without cache hits. */
  by(): ReadonlyMap<string, number>;
}

export interface StaleReads {
  /** A sentence for each stale answer. */
  readonly missed: readonly string[];
  readonly by: ReadonlyMap<string, number>;
}

export function reading(gateway: TestGateway): Reading {
  return {
    async write(id, n) {
      await gateway.result('datastore_upsert', { resource_id: `t${id}`, method: 'update', records: [{ id, n }] });
    },
    async read(id, variant) {
      const params = { resource_id: `t${id}`, filters: { id }, limit: 10 + variant };
      const { records } = await gateway.result('datastore_search', params);
      const [record]: readonly { n?: unknown }[] = JSON.parse(JSON.stringify(records));
      return Number(record?.n);
    },
    by() {
      const counts = new Map<string, number>();
      for (const event of gateway.events)
        if (event.on === 'queried' && event.effect === 'read')
          counts.set(event.server, (counts.get(event.server) ?? 0) + 1);
      return counts;
    },
  };
}

/** The tables `t1` to `t4` with one record each. */
export const tables = [1, 2, 3, 4].map((id) => ({
  name: `t${id}`,
  create: [`CREATE TABLE t${id} (id int PRIMARY KEY, n int)`, `INSERT INTO t${id} VALUES (${id}, 0)`],
}));

/** Each client writes to its own table, then reads it at once and again after a while. */
export async function readYourWrites({ write, read, by }: Reading, pairs: number, seed = 1): Promise<StaleReads> {
  const missed: string[] = [];
  const client = async (id: number) => {
    const random = new Random(seed + id);
    for (let n = 1; n <= pairs / 4; n++) {
      await write(id, n);
      // After 450 ms a replica that lags by 300 ms has caught up.
      for (const wait of [0, [0, random.from(0, 300), 450][n % 3] ?? 0]) {
        await sleep(wait);
        const found = await read(id, random.isIn(0.3) ? 0 : random.from(1, 30_000));
        if (found !== n) missed.push(`${found} instead of ${n}, ${wait} ms after the answer before`);
      }
    }
  };
  await Promise.all([1, 2, 3, 4].map(client));
  return { missed, by: by() };
}

/** Another client increments a number, and several clients read it. No reader may see it go backwards. */
export async function readsForward({ read, by }: Reading, primary: Session, reads: number): Promise<StaleReads> {
  const missed: string[] = [];
  let isOver = false;
  const earliestEnd = performance.now() + 2000;
  const writing = (async () => {
    // Writes come in bursts, so that the replica catches up in between.
    for (let n = 10_000; !isOver; n++) {
      await primary.exec(`UPDATE t1 SET n = ${n} WHERE id = 1`);
      await sleep(n % 10 === 0 ? 600 : 5);
    }
  })();
  const client = async (nth: number) => {
    for (let [time, before] = [0, 0]; time < reads / 4 || performance.now() < earliestEnd; time++) {
      // Every second search is a new one, which the cache cannot answer.
      const found = await read(1, time % 2 === 0 ? 4 * time + nth : 0);
      if (found < before) missed.push(`${found} after ${before}`);
      before = found;
      await sleep(10);
    }
  };
  await Promise.all([1, 2, 3, 4].map(client));
  isOver = true;
  await writing;
  return { missed, by: by() };
}
