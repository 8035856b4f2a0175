/** An upsert of one record by two workers beside one process. Each write waits until the other worker knows of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byName, onePerDriver, type ServerEngine } from '../support/servers/engines.ts';
import { ensureWrk, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, inTurn, postHeaders, served } from './served.ts';

const connections = 16;
const measured: (readonly string[])[] = [];
const request: Request = {
  method: 'POST',
  path: '/api/3/action/datastore_upsert',
  headers: postHeaders,
  body: '{"resource_id":"records","method":"upsert","records":[{"id":{n},"name":"written {n}"}]}',
  cycle: 1000,
};

beforeAll(ensureWrk);
afterAll(() => {
  const title = `An upsert of one record that is there, ${connections} connections, two workers, beside database and load on the same two cores`;
  report('write-workers', title, ['Server', ...columns('one process')], measured);
});

const withWorkers = (engine: ServerEngine, workers: number) =>
  served(engine, '{ ttl: 1m }', '', '50ms', undefined, null, workers);

test.each(byName(onePerDriver()))('%s', async (name, engine) => {
  const two = await withWorkers(engine, 2);
  const one = await withWorkers(engine, 1);
  try {
    const compared = await inTurn({ url: two.url, request }, { url: one.url, request }, connections);
    measured.push(cellsOf(name, compared));
    expect(compared.ratio).toBeGreaterThan(0);
  } finally {
    await one.stop();
    await two.stop();
  }
});
