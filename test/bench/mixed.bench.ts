/** The latency of the slowest hits while writes invalidate everything five times per second, compared with no writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byName, servers } from '../support/servers/engines.ts';
import { ensureWrk, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, headers, inTurn, postHeaders, served } from './served.ts';

const connections = 32;
const everyMs = 200;
const measured: (readonly string[])[] = [];
const search = '/api/3/action/datastore_search?resource_id';
const request: Request = { method: 'GET', path: `${search}=records&limit=100&offset={n}`, headers, cycle: 10 };

beforeAll(ensureWrk);
afterAll(() => {
  const title = `Ten cached searches of 100 records, ${connections} connections, while five writes a second make them old`;
  report('mixed', title, ['Server', ...columns('without writes')], measured);
});

test.each(byName(servers()))('%s', async (name, engine) => {
  const written = await served(engine, '{ ttl: 1h }');
  const quiet = await served(engine, '{ ttl: 1h }');
  const stop = new AbortController();
  let writes = 0;
  const writing = (async () => {
    for (; !stop.signal.aborted; await sleep(everyMs)) {
      const records = [{ id: 1, name: `written ${writes}` }];
      const answer = await fetch(`${written.url}/api/3/action/datastore_upsert`, {
        method: 'POST',
        headers: postHeaders,
        body: JSON.stringify({ resource_id: 'records', records }),
      });
      if (answer.status !== 200) throw new Error(await answer.text());
      writes++;
    }
  })();
  try {
    const compared = await inTurn({ url: written.url, request }, { url: quiet.url, request }, connections);
    measured.push(cellsOf(name, compared));
    expect(writes).toBeGreaterThan(10);
  } finally {
    stop.abort();
    await writing;
    await written.stop();
    await quiet.stop();
  }
});
