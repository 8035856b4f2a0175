/**
 * What ten gateways ask of their database behind a balancer that takes them in turn, and where each resource has its gateway. There each
 * answer is loaded once, as it would be where the gateways shared their answers; what such an answer takes is in `shared-answers`.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { post } from '../support/post.ts';
import { programAt, type Running, root } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { freshDatabase, type ServerDatabase, servers } from '../support/servers/engines.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { startRedis } from '../support/servers/redis.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { running } from '../support/workers.ts';
import { processIdOf, processorTime } from './peers/processor-time.ts';
import { report } from './report.ts';
import { headers, postHeaders, token } from './served.ts';

const size = 10;
/** Of each resource so many searches; both are asked with a frequency of 1/rank. */
const [resources, searches] = [20, 200];
const clients = 8;
/** After how many searches, on average, a resource is written; and how many there are. */
const mixes = [
  ['cold start', null, 5000],
  ['a write after 1,000 searches', 1000, 10_000],
  ['a write after 100 searches', 100, 5000],
  ['a write after 10 searches', 10, 5000],
] as const;

const names = Array.from({ length: resources }, (_, nth) => `records_${nth}`);
const measured: (readonly string[])[] = [];
let scope: Scope;
let folder: string;
let database: ServerDatabase;
let fleet: readonly Running[] = [];

beforeAll(async () => {
  const engine = servers().find(({ name }) => name === 'postgres');
  if (engine === undefined) throw new Error('this needs PostgreSQL');
  scope = openScope();
  folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  database = await freshDatabase(engine);
  for (const name of names) {
    await database.exec(`CREATE TABLE ${name} (id integer PRIMARY KEY, name text, note text, n integer)`);
    await database.exec(
      `INSERT INTO ${name} SELECT n, 'record number ' || n, repeat('abcdefg ', 6), n % 97 FROM generate_series(1, 2000) n`,
    );
  }
  const redis = await startRedis(scope, thisMachine());
  const sha256 = createHash('sha256').update(token).digest('hex');
  const access = { read: 'token', write: 'token' };
  const configuration = {
    server: { port: 0 },
    databases: { db: { client: engine.client, connection: database.url, maxStaleness: 'none', pool: { max: 4 } } },
    resources: Object.fromEntries(names.map((name) => [name, { database: 'db', table: name, access }])),
    tokens: [{ name: 'bench', sha256, read: ['*'], write: ['*'] }],
    cache: { ttl: '1h', bus: redis },
    log: { requests: 'none' },
  };
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, JSON.stringify(configuration));
  const program = programAt(join(root, 'dist/main.js'), folder);
  fleet = await Promise.all(Array.from({ length: size }, async () => running(await program.serve(['serve', file]))));
  // Members have a lease a second after they have joined.
  await sleep(2000);
}, 120_000);
afterAll(async () => {
  await Promise.all(fleet.map((gateway) => gateway.stop()));
  await database?.drop();
  await scope?.close();
  rmSync(folder, { recursive: true, force: true });
  const title = `${size} gateways on Redis, ${resources} resources with ${searches} searches each, PostgreSQL`;
  const of = [
    'from the database (%)',
    'not asked since the last write (%)',
    'processor time of the server (ms for each search)',
    'of the gateways',
  ];
  report('shared', title, ['Mix, balancer', ...of], measured);
}, 60_000);

/** Draws ranks from 0 up, each 1/rank as often as the first. */
function zipf(random: Random, count: number): () => number {
  let sum = 0;
  const sums = Array.from({ length: count }, (_, rank) => {
    sum += 1 / (rank + 1);
    return sum;
  });
  return () => {
    const drawn = random.next() * sum;
    return sums.findIndex((up) => drawn < up);
  };
}

/** Half of the searches are pages in the order of the key, the others look at each record. */
const pathOf = (resource: string, search: number) =>
  `/api/3/action/datastore_search?resource_id=${resource}&limit=50&${search % 2 === 0 ? `offset=${search * 5}` : `q=${search}&sort=n,id`}`;

const write = (agent: Agent, url: string, resource: string, n: number) => {
  const body = JSON.stringify({ resource_id: resource, method: 'update', records: [{ id: 1, n }] });
  return post(agent, `${url}/api/3/action/datastore_upsert`, postHeaders, body);
};

/** How an answer came: `HIT`, or from the database. */
const ask = (agent: Agent, url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(String(answer.headers['x-cache']));
        else reject(new Error(`${answer.statusCode} to ${url}`));
      });
    }).on('error', reject);
  });

const cases = mixes.flatMap((mix) => (['in turn', 'by resource'] as const).map((by) => [...mix, by] as const));

test.each(cases)('%s, %s, %i: %s', { timeout: 600_000 }, async (name, each, count, by) => {
  const [first] = fleet;
  if (first === undefined) throw new Error('no gateway');
  // A gateway closes connections that were idle for long.
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  // Nothing that was kept before is valid.
  for (const [nth, resource] of names.entries())
    expect((await write(agent, first.url, resource, nth)).status).toBe(200);
  const random = new Random(20261124);
  const [resourceOf, searchOf] = [zipf(random, resources), zipf(random, searches)];
  let turn = 0;
  const gatewayOf = (resource: number) => fleet[(by === 'in turn' ? turn++ : resource) % size]?.url ?? '';
  const pid = await processIdOf(database);
  const spent = () => [processorTime(pid), fleet.reduce((sum, { pid }) => sum + processorTime(pid), 0)] as const;
  const began = spent();
  let [left, loaded, unasked] = [count, 0, 0];
  /** By resource, the searches since its last write. Gateways that shared their answers would load no others. */
  const asked = names.map(() => new Set<number>());
  const client = async () => {
    while (left-- > 0) {
      if (each !== null && random.isIn(1 / each)) {
        const resource = resourceOf();
        expect((await write(agent, gatewayOf(resource), names[resource] ?? '', left)).status).toBe(200);
        asked[resource]?.clear();
      }
      const resource = resourceOf();
      const search = searchOf();
      if (asked[resource]?.has(search) === false) unasked++;
      asked[resource]?.add(search);
      const url = gatewayOf(resource) + pathOf(names[resource] ?? '', search);
      if ((await ask(agent, url)) !== 'HIT') loaded++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const costs = spent().map((now, nth) => ((1000 * (now - (began[nth] ?? 0))) / count).toFixed(2));
  const percent = (part: number) => ((100 * part) / count).toFixed(1);
  measured.push([`${name}, ${by}`, percent(loaded), percent(unasked), ...costs]);
  expect(loaded).toBeGreaterThan(0);
});
