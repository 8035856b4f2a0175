/** What a write waits for the other gateways. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { post } from '../support/post.ts';
import { programAt, root } from '../support/program.ts';
import { anyServer, freshDatabase } from '../support/servers/engines.ts';
import { openScope } from '../support/servers/scope.ts';
import { running } from '../support/workers.ts';
import { median, report } from './report.ts';
import { postHeaders, token } from './served.ts';

const writes = 300;
const rounds = 5;
const measured: (readonly string[])[] = [];
afterAll(() => {
  const title = 'An upsert of one record that is there, one client, several gateways';
  const header = ['Bus, gateways', 'p50 (ms)', 'p50 without a bus (ms)', 'p95 (ms)', 'p95 without a bus (ms)'];
  report('gateways', title, header, measured);
});

const [engine] = anyServer();

test.each([2, 4])('%s gateways', async (count) => {
  if (engine === undefined) throw new Error('no server');
  const scope = openScope();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const program = programAt(join(root, 'dist/main.js'), folder);
  const database = await freshDatabase(engine);
  await database.exec('CREATE TABLE records (id integer PRIMARY KEY, n integer); INSERT INTO records VALUES (1, 0)');
  const sha256 = createHash('sha256').update(token).digest('hex');
  const agent = new Agent({ keepAlive: true });
  const fleet = (otherGateways: boolean, maxStaleness: number | 'none') =>
    Promise.all(
      Array.from({ length: count }, async (_, nth) => {
        const file = join(folder, `${nth}.yaml`);
        const configuration = {
          server: { port: 0 },
          databases: { db: { client: engine.client, connection: database.url, maxStaleness } },
          resources: { records: { database: 'db', table: 'records', access: { read: 'token', write: 'token' } } },
          tokens: [{ name: 'bench', sha256, read: ['*'], write: ['*'] }],
          cache: { ttl: '1h', otherGateways },
          log: { requests: 'none' },
        };
        writeFileSync(file, JSON.stringify(configuration));
        return running(await program.serve(['serve', file]));
      }),
    );
  /** Milliseconds of each write to the first gateway. */
  const write = async (gateways: Awaited<ReturnType<typeof fleet>>) => {
    const times: number[] = [];
    for (let n = 0; n < writes; n++) {
      const began = performance.now();
      const body = JSON.stringify({ resource_id: 'records', method: 'upsert', records: [{ id: 1, n }] });
      const { status } = await post(agent, `${gateways[0]?.url}/api/3/action/datastore_upsert`, postHeaders, body);
      times.push(performance.now() - began);
      expect(status).toBe(200);
    }
    return times;
  };
  try {
    const fleets = {
      none: await fleet(false, 'none'),
      database: await fleet(true, 0),
    };
    const times: Record<keyof typeof fleets, number[]> = { none: [], database: [] };
    for (let round = 0; round < rounds; round++)
      for (const bus of ['none', 'database'] as const) times[bus].push(...(await write(fleets[bus])));
    const p95 = (numbers: readonly number[]) =>
      [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * 0.95)] ?? 0;
    const own = [median(times.database), median(times.none), p95(times.database), p95(times.none)];
    measured.push([`maxStaleness: 0, ${count}`, ...own.map((one) => one.toFixed(2))]);
    await Promise.all(Object.values(fleets).flatMap((gateways) => gateways.map((gateway) => gateway.stop())));
  } finally {
    agent.destroy();
    await database.drop();
    await scope.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
