/** The cost of proving that cached answers contain the writes of other clients, and the hit rate that remains while they write. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servers } from '../support/servers/engines.ts';
import { ensureWrk, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, headers, hitsWhileOthersCommit, inTurn, served } from './served.ts';

const connections = 128;
const path = '/api/3/action/datastore_search?resource_id=records&limit=100';
const request: Request = { method: 'GET', path, headers };
const measured: (readonly string[])[] = [];

beforeAll(ensureWrk);
afterAll(() => {
  const title = `A cached search of 100 records, ${connections} connections, one process, by maxStaleness`;
  report('outside', title, ['Server, maxStaleness', ...columns('none'), 'Hits while others commit 100/s'], measured);
});

const engines = servers().filter(({ name }) => name !== 'mysql56');
const cases = engines.flatMap((engine) =>
  ['50ms', '0', 'not cached'].map((staleness) => [engine.name, staleness, engine] as const),
);

test.each(cases)('%s, %s', async (name, staleness, engine) => {
  const cache = staleness === 'not cached' ? '{ ttl: 0 }' : '{ ttl: 1h }';
  const own = await served(engine, cache, '', staleness === 'not cached' ? 'none' : staleness);
  const other = await served(engine, '{ ttl: 1h }', '', 'none');
  try {
    const compared = await inTurn({ url: own.url, request }, { url: other.url, request }, connections);
    await own.database.exec('CREATE TABLE mark (n integer)');
    const hits = staleness === 'not cached' ? '–' : `${Math.round(await hitsWhileOthersCommit(engine, own, path))} %`;
    measured.push([...cellsOf(`${name}, ${staleness}`, compared), hits]);
    expect(compared.ratio).toBeGreaterThan(0);
  } finally {
    await own.stop();
    await other.stop();
  }
});
