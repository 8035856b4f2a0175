/** Ten thousand records in one call, by each method, compared with a hand-written program. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { byName, type ServerEngine, servers } from '../support/servers/engines.ts';
import { median, ratioOf, report } from './report.ts';
import { byHand, postHeaders, rounds, served } from './served.ts';

const count = 10_000;
const measured: (readonly string[])[] = [];

afterAll(() =>
  report(
    'write-many',
    `${count} records of five columns in one call, one process`,
    ['Case', 'Gateway (ms)', 'handler by hand (ms)', 'Ratio', 'slowest other call (ms)'],
    measured,
  ),
);

/** @param version changes the values of the same records */
const recordsFrom = (first: number, version: number) =>
  Array.from({ length: count }, (_, nth) => ({
    ...{ id: first + nth, name: `record number ${first + nth}`, note: 'abcdefg '.repeat(6) + version },
    ...{ price: (first + nth + version) / 4, day: '2020-01-02' },
  }));

/** The calls of a round: the second changes the records of the first, and the fourth those of the third. */
const calls = [
  { name: 'insert', method: 'insert', batch: 0, version: 0 },
  { name: 'update', method: 'update', batch: 0, version: 1 },
  { name: 'upsert of new records', method: 'upsert', batch: 1, version: 0 },
  { name: 'upsert of existing records', method: 'upsert', batch: 1, version: 1 },
] as const;

async function written(url: string, method: string, records: readonly object[]): Promise<number> {
  const body = JSON.stringify({ resource_id: 'records', method, records });
  const began = performance.now();
  const answer = await fetch(`${url}/api/3/action/datastore_upsert`, { method: 'POST', headers: postHeaders, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  return performance.now() - began;
}

/** Latency in milliseconds of the slowest small call while `work` is running: what a blocked event loop costs other clients. */
async function slowestBeside<T>(url: string, work: Promise<T>): Promise<number> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  let slowest = 0;
  for (; !isOver; await sleep(1)) {
    const began = performance.now();
    await (await fetch(`${url}/api/3/action/status_show`)).arrayBuffer();
    slowest = Math.max(slowest, performance.now() - began);
  }
  await ended;
  return slowest;
}

async function compared(name: string, engine: ServerEngine) {
  const gateway = await served(engine, '{ ttl: 1m }');
  const hand = await byHand(engine, gateway.database.url);
  const runs = calls.map((): { readonly own: number; readonly other: number; readonly beside: number }[] => []);
  try {
    for (let round = 0, first = count; round <= rounds; round++, first += 4 * count)
      for (const [nth, { method, batch, version }] of calls.entries()) {
        const [ours, theirs] = [first + 2 * batch * count, first + (2 * batch + 1) * count];
        const own = await written(gateway.url, method, recordsFrom(ours, version));
        const other = await written(hand.url, method, recordsFrom(theirs, version));
        const again = written(gateway.url, 'upsert', recordsFrom(ours, version + 2));
        const beside = await slowestBeside(gateway.url, again);
        // The first round does not count, because code is still being compiled.
        if (round > 0) runs[nth]?.push({ own, other, beside });
      }
  } finally {
    await hand.stop();
    await gateway.stop();
  }
  for (const [nth, ofCall] of runs.entries()) {
    const own = median(ofCall.map((run) => run.own));
    const other = median(ofCall.map((run) => run.other));
    const beside = median(ofCall.map((run) => run.beside));
    const times = [own.toFixed(0), other.toFixed(0)] as const;
    measured.push([`${name}, ${calls[nth]?.name}`, ...times, ratioOf(...times), beside.toFixed(0)]);
    expect(own / other).toBeLessThan(3);
  }
}

test.each(byName(servers()))('%s', compared);
