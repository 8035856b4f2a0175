/** An uncached search without a total, compared with the same statement in a hand-written handler. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byName, servers } from '../support/servers/engines.ts';
import { ensureWrk } from './load.ts';
import { report } from './report.ts';
import { besideHand, cellsOf, columns, headers } from './served.ts';

const connections = 8;
const measured: (readonly string[])[] = [];
const path = '/api/3/action/datastore_search?resource_id=records&limit=100&include_total=false';

beforeAll(ensureWrk);
afterAll(() => {
  const title = `A search of 100 records (14 kB) that is not kept, ${connections} connections, one process`;
  report('uncached', title, ['Server', ...columns('handler by hand')], measured);
});

test.each(byName(servers()))('%s', async (name, engine) => {
  const request = { method: 'GET', path, headers } as const;
  const compared = await besideHand(engine, '{ ttl: 0s }', request, connections);
  measured.push(cellsOf(name, compared));
  expect(compared.ratio).toBeGreaterThan(0.9);
});
