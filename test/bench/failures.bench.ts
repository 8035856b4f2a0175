/** What clients of three gateways on Redis notice of failures: how long writes take, and when all gateways use their caches again. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Faults, type Fleet, partitions, standing, usualFaults } from '../fault/fleet.ts';
import { redisFaults } from '../fault/redis-faults.ts';
import { programAt, root } from '../support/program.ts';
import { anyServer, freshDatabase, type ServerDatabase } from '../support/servers/engines.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { startRedis } from '../support/servers/redis.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { openTap } from '../support/tap.ts';
import { running } from '../support/workers.ts';
import { report } from './report.ts';
import { postHeaders, token } from './served.ts';

const measured: (readonly string[])[] = [];
const agent = new Agent({ keepAlive: true });
let scope: Scope;
let folder: string;
let database: ServerDatabase;
let fleet: Fleet;
let faults: Faults = {};

beforeAll(async () => {
  const [engine] = anyServer();
  if (engine === undefined) throw new Error('no server');
  scope = openScope();
  folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  database = await freshDatabase(engine);
  await database.exec('CREATE TABLE records (id integer PRIMARY KEY, n integer); INSERT INTO records VALUES (1, 0)');
  const redis = await startRedis(scope, thisMachine());
  faults = {
    ...partitions,
    ...redisFaults(scope, redis),
    ...usualFaults,
    'a gateway stands still for 10 s': standing(10_000),
  };
  const lines = await Promise.all([1, 2, 3].map(() => openTap(redis)));
  const program = programAt(join(root, 'dist/main.js'), folder);
  const sha256 = createHash('sha256').update(token).digest('hex');
  const started = lines.map(async ({ url }, nth) => {
    const file = join(folder, `${nth}.yaml`);
    const configuration = {
      server: { port: 0 },
      databases: { db: { client: engine.client, connection: database.url, maxStaleness: 'none' } },
      resources: { records: { database: 'db', table: 'records', access: { read: 'token', write: 'token' } } },
      tokens: [{ name: 'bench', sha256, read: ['*'], write: ['*'] }],
      cache: { ttl: '1h', bus: { url, required: true } },
      log: { requests: 'none' },
    };
    writeFileSync(file, JSON.stringify(configuration));
    return running(await program.serve(['serve', file]));
  });
  fleet = { gateways: await Promise.all(started), lines, networks: [] };
}, 120_000);
afterAll(async () => {
  agent.destroy();
  await Promise.all((fleet?.gateways ?? []).map((gateway) => gateway.stop()));
  for (const line of fleet?.lines ?? []) line.close();
  await database?.drop();
  await scope?.close();
  rmSync(folder, { recursive: true, force: true });
  const title = 'Failures of three gateways on Redis, bus.required, while the two others write';
  report('failures', title, ['Failure', 'longest write (ms)', 'refused', 'all caches used after (ms)'], measured);
}, 60_000);

interface Answer {
  readonly status: number;
  readonly verdict: string;
}

function call(url: string, body: string | null): Promise<Answer> {
  const action = body === null ? 'datastore_search?resource_id=records' : 'datastore_upsert';
  const method = body === null ? 'GET' : 'POST';
  return new Promise((resolve) => {
    const sent = request(`${url}/api/3/action/${action}`, { agent, method, headers: postHeaders }, (answer) => {
      answer.resume();
      const verdict = String(answer.headers['x-cache']);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, verdict }));
    });
    sent.on('error', () => resolve({ status: 0, verdict: '' }));
    sent.end(body);
  });
}

/** Milliseconds until each gateway has answered from its cache. */
async function recovery(): Promise<number> {
  const began = performance.now();
  const isUsed = async (url: string) => {
    while ((await call(url, null)).verdict !== 'HIT') await sleep(10);
  };
  await Promise.all(fleet.gateways.map(({ url }) => isUsed(url)));
  return performance.now() - began;
}

test('each failure', async () => {
  for (const [name, fault] of Object.entries(faults)) await measure(name, fault);
});

async function measure(name: string, fault: Faults[string]): Promise<void> {
  await recovery();
  let isOver = false;
  const times: number[] = [];
  let refused = 0;
  const writing = fleet.gateways.slice(1).map(async ({ url }) => {
    for (let n = 0; !isOver; n++, await sleep(20)) {
      const began = performance.now();
      const body = JSON.stringify({ resource_id: 'records', method: 'update', records: [{ id: 1, n }] });
      const { status } = await call(url, body);
      times.push(performance.now() - began);
      if (status !== 200) refused++;
    }
  });
  // The first gateway is the one that fails.
  await fault(fleet, 0);
  isOver = true;
  await Promise.all(writing);
  const after = await recovery();
  measured.push([name, Math.max(...times).toFixed(0), String(refused), after.toFixed(0)]);
  expect(times.length).toBeGreaterThan(0);
}
