/** An upsert of one record, compared with a hand-written transaction. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byName, servers } from '../support/servers/engines.ts';
import { ensureWrk, type Request } from './load.ts';
import { report } from './report.ts';
import { besideHand, cellsOf, columns, postHeaders } from './served.ts';

const connections = 8;
const measured: (readonly string[])[] = [];
const body = '{"resource_id":"records","method":"upsert","records":[{"id":{n},"name":"written {n}"}]}';
const request: Request = {
  method: 'POST',
  path: '/api/3/action/datastore_upsert',
  headers: postHeaders,
  body,
  cycle: 1000,
};

beforeAll(ensureWrk);
afterAll(() => {
  const title = `An upsert of one record that is there, ${connections} connections, one process`;
  report('write', title, ['Server', ...columns('handler by hand')], measured);
});

test.each(byName(servers()))('%s', async (name, engine) => {
  const compared = await besideHand(engine, '{ ttl: 1m }', request, connections);
  measured.push(cellsOf(name, compared));
  expect(compared.ratio).toBeGreaterThan(0.8);
});
