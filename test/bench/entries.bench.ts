/** Cached searches among a million small entries, compared with the same among a thousand. */
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerEngine, servers } from '../support/servers/engines.ts';
import { ensureWrk, type Request, wrk } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, headers, inTurn, served } from './served.ts';

const connections = 32;
const many = Number(process.env.ENTRIES ?? 1_000_000);
const few = 1000;
const measured: (readonly string[])[] = [];
let bytes = 0;

// Each entry has a different filter; most of them match no record.
const filters = encodeURIComponent('{"id":N}').replace('N', '{n}');
const path = `/api/3/action/datastore_search?resource_id=records&fields=id&limit=1&include_total=false&filters=${filters}`;
const request: Request = { method: 'GET', path, headers };

beforeAll(ensureWrk);
afterAll(() => {
  const title = `Cached searches (${bytes} bytes each), ${many.toLocaleString('en')} of them kept beside ${few.toLocaleString('en')}, ${connections} connections, one process`;
  report('entries', title, ['Asked', ...columns(`with ${few.toLocaleString('en')}`)], measured);
});

test('as many as there are', { timeout: 1_800_000 }, async () => {
  const [engine] = servers();
  if (engine === undefined) throw new Error('this benchmark needs a database server');
  const [crowded, empty] = [await filled(engine, many), await filled(engine, few)];
  try {
    const among = (kept: number) => ({ ...request, random: kept });
    // The same searches on both gateways, so that only the number of other entries differs.
    const same = await inTurn(
      { url: crowded.url, request: among(few) },
      { url: empty.url, request: among(few) },
      connections,
    );
    measured.push(cellsOf(`any of the same ${few.toLocaleString('en')}`, same));
    // Here the memory itself is slower, because the entries are scattered over two gigabytes.
    const any = await inTurn(
      { url: crowded.url, request: among(many) },
      { url: empty.url, request: among(few) },
      connections,
    );
    measured.push(cellsOf(`any of the ${many.toLocaleString('en')}`, any));
    // Make sure that nothing was evicted, so that only hits were measured.
    const agent = new Agent({ keepAlive: true });
    const missing: number[] = [];
    for (let nth = 1; nth <= many; nth += Math.ceil(many / 1000))
      if ((await ask(crowded.url, nth, agent)) !== 'HIT') missing.push(nth);
    expect(missing).toEqual([]);
    agent.destroy();
    expect(same.ratio).toBeGreaterThan(0.95);
  } finally {
    await crowded.stop();
    await empty.stop();
  }
});

/**
 * A gateway that has answered each of this many searches once. No more are sent at a time than there are connections to the database.
 * It looks for no commits: filling takes minutes, and the other gateway's table or the server's own ANALYZE would invalidate what is there.
 */
async function filled(engine: ServerEngine, entries: number) {
  const gateway = await served(engine, '{ ttl: 24h }', 'cache: { maxBytes: 8GB }', 'none');
  await wrk(gateway.url, { ...request, cycle: entries, once: true }, 8, 3600);
  return gateway;
}

/** The `X-Cache` header of the answer. */
function ask(url: string, nth: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`${url}${path.replace('{n}', String(nth))}`, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`));
      bytes = Number(answer.headers['content-length']);
      answer.resume().on('end', () => resolve(String(answer.headers['x-cache'])));
    }).on('error', reject);
  });
}
