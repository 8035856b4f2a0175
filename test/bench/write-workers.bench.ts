/**
 * An upsert of one record with two workers, compared with a single process; also the CPU time per call. Each write waits until the other worker has
 * been told. If database, load and workers share two cores, the rate cannot grow, so the CPU time shows the cost of a second worker.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byName, onePerDriver, type ServerEngine } from '../support/servers/engines.ts';
import { ensureWrk, type Request } from './load.ts';
import { inTurn } from './peers/measure.ts';
import { processIdOf } from './peers/processor-time.ts';
import { ratioOf, report } from './report.ts';
import { postHeaders, rounds, seconds, served } from './served.ts';

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
  const title =
    'An upsert of one record that is there, 8 connections, two workers, beside database and load on the same two cores';
  const rates = ['Two workers (1/s)', 'one process (1/s)', 'Ratio'];
  const times = [
    'CPU of a call, two workers (ms)',
    'of its server',
    'CPU of a call, one process (ms)',
    'of its server',
  ];
  report('write-workers', title, ['Server', ...rates, ...times], measured);
});

const withWorkers = (engine: ServerEngine, workers: number) =>
  served(engine, '{ ttl: 1m }', '', '50ms', undefined, null, workers);

test.each(byName(onePerDriver()))('%s', async (name, engine) => {
  const two = await withWorkers(engine, 2);
  const one = await withWorkers(engine, 1);
  try {
    const contenders = [two, one].map((gateway) => ({ ...gateway, request }));
    const server = await processIdOf(two.database);
    const found = await inTurn(contenders, { isLong: false, rounds, seconds, server });
    const [ofTwo = '', ofOne = ''] = found.map(({ perSecond }) => perSecond.toFixed(0));
    const times = found.flatMap(({ own, server }) => [own.toFixed(2), server.toFixed(2)]);
    measured.push([name, ofTwo, ofOne, ratioOf(ofTwo, ofOne), ...times]);
    expect(Number(ofTwo)).toBeGreaterThan(0);
  } finally {
    await one.stop();
    await two.stop();
  }
});
