/** Cached searches where a million small answers are kept, beside the same where there are a thousand. */
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerEngine, servers } from '../servers/engines.ts';
import { ensureWrk, type Request } from './load.ts';
import { report } from './report.ts';
import { cellsOf, columns, headers, inTurn, served } from './served.ts';

const connections = 32;
const many = Number(process.env.ENTRIES ?? 1_000_000);
const few = 1000;
const measured: (readonly string[])[] = [];
let bytes = 0;

// Each key is another filter; most of them find nothing.
const filters = encodeURIComponent('{"id":N}').replace('N', '{n}');
const path = `/api/3/action/datastore_search?resource_id=records&fields=id&limit=1&include_total=false&filters=${filters}`;
const request: Request = { method: 'GET', path, headers };

beforeAll(ensureWrk);
afterAll(() => {
  const title = `Cached searches (${bytes} bytes each), any of ${many.toLocaleString('en')} kept beside any of ${few.toLocaleString('en')}, ${connections} connections, one process`;
  report('entries', title, ['Case', ...columns(`of ${few.toLocaleString('en')}`)], measured);
});

test('as many as there are', { timeout: 1_800_000 }, async () => {
  const [engine] = servers();
  if (engine === undefined) throw new Error('this benchmark needs a database server');
  const [crowded, empty] = [await filled(engine, many), await filled(engine, few)];
  try {
    const compared = await inTurn(
      { url: crowded.url, request: { ...request, random: many } },
      { url: empty.url, request: { ...request, random: few } },
      connections,
    );
    measured.push(cellsOf('GET', compared));
    // Nothing was pushed out, and nothing but hits was measured.
    const agent = new Agent({ keepAlive: true });
    for (let nth = 1; nth <= many; nth += Math.ceil(many / 1000))
      expect(await ask(crowded.url, nth, agent)).toBe('HIT');
    agent.destroy();
    expect(compared.ratio).toBeGreaterThan(0.95);
  } finally {
    await crowded.stop();
    await empty.stop();
  }
});

/** A gateway that was asked each of so many searches once. */
async function filled(engine: ServerEngine, entries: number) {
  const gateway = await served(engine, '{ ttl: 24h }', 'cache: { maxBytes: 8GB }');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const some = async () => {
    while (next < entries) await ask(gateway.url, ++next, agent);
  };
  await Promise.all(Array.from({ length: connections }, some));
  agent.destroy();
  return gateway;
}

/** The state of the cache that the answer tells. */
function ask(url: string, nth: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get(`${url}${path.replace('{n}', String(nth))}`, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`));
      bytes = Number(answer.headers['content-length']);
      answer.resume().on('end', () => resolve(String(answer.headers['x-cache'])));
    }).on('error', reject);
  });
}
