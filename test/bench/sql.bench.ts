/** A cached SELECT, compared with the cached search of the same records. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servers } from '../support/servers/engines.ts';
import { ensureWrk, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, headers, inTurn, postHeaders, served } from './served.ts';

const connections = 32;
const measured: (readonly string[])[] = [];
const sql = 'SELECT * FROM "records" ORDER BY id LIMIT 100';
const get = (path: string): Request => ({ method: 'GET', path: `/api/3/action/${path}`, headers });
const post = (action: string, params: object): Request => ({
  ...{ method: 'POST', path: `/api/3/action/${action}`, headers: postHeaders },
  body: JSON.stringify(params),
});

beforeAll(ensureWrk);
afterAll(() => {
  const title = `A cached SELECT of 100 records, ${connections} connections, one process`;
  report('sql', title, ['Case', ...columns('cached search')], measured);
});

test.each([
  [
    'GET',
    get(`datastore_search_sql?sql=${encodeURIComponent(sql)}`),
    get('datastore_search?resource_id=records&limit=100'),
  ],
  ['POST', post('datastore_search_sql', { sql }), post('datastore_search', { resource_id: 'records', limit: 100 })],
] as const)('%s', async (name, own, other) => {
  const [engine] = servers();
  if (engine === undefined) throw new Error('this benchmark needs a database server');
  const gateway = await served(engine, '{ ttl: 1h }', '', '50ms', async () => undefined, null, null, true);
  try {
    const compared = await inTurn(
      { url: gateway.url, request: own },
      { url: gateway.url, request: other },
      connections,
    );
    measured.push(cellsOf(name, compared));
    expect(compared.ratio).toBeGreaterThan(0.95);
  } finally {
    await gateway.stop();
  }
});
