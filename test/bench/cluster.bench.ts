/** Uncached searches on PostgreSQL alone and with read replicas. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servers } from '../support/servers/engines.ts';
import { startPostgres, startStandby } from '../support/servers/postgres.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { openScope } from '../support/servers/scope.ts';
import { ensureWrk, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, headers, inTurn, served } from './served.ts';

const connections = 8;
const measured: (readonly string[])[] = [];
/** Replicas only answer reads of cached resources. Each call has another filter, which all records match, and is not kept for the next round. */
const always = `filters=${encodeURIComponent('{"id":{"gt":-N}}').replace('N', '{n}')}`;
/** A cheap search is limited by the gateway. An expensive one is limited by the server, because it scans all records. */
const searches = {
  'the first 100 records': `/api/3/action/datastore_search?resource_id=records&limit=100&include_total=false&${always}`,
  'a word': `/api/3/action/datastore_search?resource_id=records&q=number&limit=5&sort=note,id&${always}`,
} as const;

beforeAll(ensureWrk);
afterAll(() => {
  const title = `Searches that are always new, ${connections} connections, one process, PostgreSQL with read replicas on the same two cores`;
  report('cluster', title, ['Replicas, search', ...columns('without')], measured);
});

const cases = [1, 2].flatMap((replicas) => Object.keys(searches).map((search) => [replicas, search] as const));

test.runIf(servers().some(({ name }) => name === 'postgres')).each(cases)('%i, %s', async (count, search) => {
  const scope = openScope();
  const machine = thisMachine();
  try {
    const url = await startPostgres(scope, machine, { wal_level: 'replica', max_wal_senders: 5 });
    const engine = { name: 'postgres', client: 'postgres', url, version: '' } as const;
    const alone = await served(engine, '{ ttl: 1ms }');
    const replicas: string[] = [];
    for (let nth = 1; nth <= count; nth++) {
      const standby = new URL(await startStandby(scope, machine, url, `standby${nth}`));
      standby.pathname = new URL(alone.database.url).pathname;
      replicas.push(standby.href);
    }
    const shared = await served(engine, '{ ttl: 1ms }', '', '50ms', async () => undefined, {
      of: alone.database,
      replicas,
    });
    try {
      const [, path = ''] = Object.entries(searches).find(([name]) => name === search) ?? [];
      const request: Request = { method: 'GET', path, headers, cycle: 10_000_000 };
      const compared = await inTurn({ url: shared.url, request }, { url: alone.url, request }, connections);
      measured.push(cellsOf(`${count}, ${search}`, compared));
      expect(compared.ratio).toBeGreaterThan(0);
    } finally {
      await shared.stop();
      await alone.stop();
    }
  } finally {
    await scope.close();
  }
});
