/** Ten thousand records in one call, compared with a hand-written program: first new records, then the same with other values. */
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

async function written(url: string, records: readonly object[]): Promise<number> {
  const body = JSON.stringify({ resource_id: 'records', method: 'upsert', records });
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
  const versions = ['insert', 'update'];
  const runs = versions.map((): { readonly own: number; readonly other: number; readonly beside: number }[] => []);
  try {
    for (let round = 0, first = count; round <= rounds; round++, first += 2 * count)
      for (const version of versions.keys()) {
        const own = await written(gateway.url, recordsFrom(first, version));
        const other = await written(hand.url, recordsFrom(first + count, version));
        const beside = await slowestBeside(gateway.url, written(gateway.url, recordsFrom(first, version + 2)));
        // The first round does not count, because code is still being compiled.
        if (round > 0) runs[version]?.push({ own, other, beside });
      }
  } finally {
    await hand.stop();
    await gateway.stop();
  }
  for (const [version, ofVersion] of runs.entries()) {
    const own = median(ofVersion.map((run) => run.own));
    const other = median(ofVersion.map((run) => run.other));
    const beside = median(ofVersion.map((run) => run.beside));
    const times = [own.toFixed(0), other.toFixed(0)] as const;
    measured.push([`${name}, ${versions[version]}`, ...times, ratioOf(...times), beside.toFixed(0)]);
    expect(own / other).toBeLessThan(3);
  }
}

test.each(byName(servers()))('%s', compared);
