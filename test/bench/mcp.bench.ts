/** A search by an agent, compared with the same search as an action. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byName, servers } from '../support/servers/engines.ts';
import { ensureWrk } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, inTurn, postHeaders, served } from './served.ts';

const connections = 8;
const measured: (readonly string[])[] = [];
const args = { resource_id: 'records', limit: 20 };
const own = {
  method: 'POST',
  path: '/mcp',
  headers: postHeaders,
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search_records', arguments: args },
  }),
} as const;
const other = {
  method: 'POST',
  path: '/api/3/action/datastore_search',
  headers: postHeaders,
  body: JSON.stringify({ ...args, include_next_page: true }),
} as const;

beforeAll(ensureWrk);
afterAll(() => {
  const title = `A search of 20 records as a tool of /mcp, and as an action, ${connections} connections, one process`;
  report('mcp', title, ['Search', ...columns('action')], measured);
});

/** With `log.requests: all` no answer takes the fast path, which takes equal requests only: ids of agents make each a new one. */
const kinds = [
  ['not kept', '{ ttl: 0s }', 'mcp: { serve: auto }'],
  ['kept', '{ ttl: 1h }', 'mcp: { serve: auto }\nlog: { requests: all }'],
  ['kept, the action on the fast path', '{ ttl: 1h }', 'mcp: { serve: auto }'],
] as const;

test.each(byName(servers()))('%s', async (_, engine) => {
  const ratios: number[] = [];
  for (const [name, cache, more] of kinds) {
    const gateway = await served(engine, cache, more);
    const compared = await inTurn(
      { url: gateway.url, request: own },
      { url: gateway.url, request: other },
      connections,
    );
    await gateway.stop();
    measured.push(cellsOf(name, compared));
    ratios.push(compared.ratio);
  }
  expect(ratios[0]).toBeGreaterThan(1 / 1.2);
});
