/** What an answer takes that is read from the database, and the same bytes in Redis: a second level of the caches would need these. */
import { createHash } from 'node:crypto';
import { createClient } from '@redis/client';
import { afterAll, expect, test } from 'vitest';
import { anyServer } from '../support/servers/engines.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { startRedis } from '../support/servers/redis.ts';
import { openScope } from '../support/servers/scope.ts';
import { median, report } from './report.ts';
import { headers, served } from './served.ts';

const times = 200;
const answers: (readonly string[])[] = [];
afterAll(() => {
  const title = 'An answer of 100 records (14 kB): a search that is not kept, and the same bytes in Redis';
  report('shared-answers', title, ['Answer', 'search (ms)', 'GET (ms)', 'SET (ms)'], answers);
});

test('what an answer takes, from the database and from Redis', async () => {
  const [engine] = anyServer();
  if (engine === undefined) throw new Error('no server');
  const scope = openScope();
  const more = 'INSERT INTO records (name, note, price) SELECT name, note, price + id FROM records, (VALUES ';
  const gateway = await served(engine, '{ ttl: 0s }', '', '50ms', (one) =>
    one.exec(`${more}${Array.from({ length: 20 }, (_, n) => `(${n})`).join(', ')}) AS n (n)`),
  );
  const client = createClient({ url: await startRedis(scope, thisMachine()) });
  try {
    await client.connect();
    for (const [name, sort] of [
      ['in the order of the key', 'id'],
      ['sorted by a number', 'price,id'],
      ['sorted by two texts', 'note,name,id'],
    ] as const) {
      const search = `datastore_search?resource_id=records&limit=100&include_total=false&sort=${sort}`;
      const url = `${gateway.url}/api/3/action/${search}`;
      const body = Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
      const key = createHash('sha256').update(url).digest('hex');
      const [asked, stored, found]: [number[], number[], number[]] = [[], [], []];
      for (let nth = 0; nth < times; nth++) {
        asked.push(await took(async () => (await fetch(url, { headers })).arrayBuffer()));
        stored.push(await took(() => client.set(key, body, { expiration: { type: 'EX', value: 60 } })));
        found.push(await took(() => client.get(key)));
      }
      expect(stored).toHaveLength(times);
      answers.push([name, ...[asked, found, stored].map((all) => median(all).toFixed(2))]);
    }
  } finally {
    client.destroy();
    await gateway.stop();
    await scope.close();
  }
});

async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
