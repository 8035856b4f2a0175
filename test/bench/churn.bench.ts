/** The gateway's memory after ten minutes of searches that are all different. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servers } from '../support/servers/engines.ts';
import { ensureWrk, type Request, wrk } from './load.ts';
import { report } from './report.ts';
import { headers, served } from './served.ts';

const connections = 32;
const minutes = Number(process.env.CHURN_MINUTES ?? 10);
const maxMegabytes = 256;
/** V8 frees evicted entries late, so they can use the same amount again. On Node 24 its young generation takes 115 MB more under load. */
const mostMegabytes = 2 * maxMegabytes + 250;
const measured: (readonly string[])[] = [];

beforeAll(ensureWrk);
afterAll(() => {
  const title = `Memory under searches that are always new, with a cache of ${maxMegabytes} MB`;
  report('churn', title, ['After', 'Searches', 'Resident memory (MB)', 'Beside the cache (MB)'], measured);
});

/** A search for up to 100 records (200 bytes to 15 kB), with a filter that no other search has. */
const search = (round: number, isZipped: boolean): Request => ({
  method: 'GET',
  path: `/api/3/action/datastore_search?resource_id=records&include_total=false&limit={size}&filters=${encodeURIComponent(`{"id":{"gt":-${round}`)}{n}%7D%7D`,
  headers: isZipped ? { ...headers, 'Accept-Encoding': 'gzip' } : headers,
  cycle: 1_000_000,
  sizes: 100,
});

test('always new searches', { timeout: (minutes + 5) * 60_000 }, async () => {
  const [engine] = servers();
  if (engine === undefined) throw new Error('this benchmark needs a database server');
  const gateway = await served(engine, '{ ttl: 24h }', `cache: { maxBytes: ${maxMegabytes}MB }`);
  const resident = () => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  };
  try {
    const began = performance.now();
    let searches = 0;
    let last = 0;
    for (let round = 1; performance.now() - began < minutes * 60_000; round++) {
      const each = Math.min(10, minutes * 6);
      const { perSecond } = await wrk(gateway.url, search(round, round % 3 === 0), connections, each);
      searches += perSecond * each;
      last = resident();
      const elapsed = (performance.now() - began) / 60_000;
      if (elapsed < minutes && Math.floor(elapsed) === Math.floor(elapsed - each / 60)) continue;
      const cells = [`${elapsed.toFixed(0)} min`, Math.round(searches).toLocaleString('en')];
      measured.push([...cells, last.toFixed(0), (last - maxMegabytes).toFixed(0)]);
    }
    expect(last).toBeLessThan(mostMegabytes);
  } finally {
    await gateway.stop();
  }
});
