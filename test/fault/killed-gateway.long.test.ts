import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { token } from '../support/gateway.ts';
import { onServer } from '../support/leaks.ts';
import { openProgram, type Program } from '../support/program.ts';
import { freshDatabase, onePerDriver, openSession } from '../support/servers/engines.ts';

const calls = 1000;
const each = 5;
/** Number of answers to wait for before the gateway is killed. */
const answersBeforeKill = 100;

// One engine of each driver, because a killed process loses the same on every engine. Without PGlite, which dies with the process.
const engines = onePerDriver();

describe.runIf(engines.length > 0)('a gateway that is killed in the middle of a thousand upserts', () => {
  let program: Program;
  beforeAll(() => {
    program = openProgram();
  });
  afterAll(() => program?.remove());

  test.each(engines.map((engine) => [engine.name, engine] as const))(
    'has written every acknowledged call, and no half of one: %s',
    async (_, engine) => {
      const database = await freshDatabase(engine);
      const admin = await openSession(engine);
      const file = join(tmpdir(), `gateway-killed-${process.pid}-${engine.name}.yaml`);
      const agent = new Agent({ maxSockets: calls });
      try {
        await database.exec('CREATE TABLE t (k int PRIMARY KEY, c int NOT NULL)');
        await database.exec(engine.client === 'mysql' ? 'USE mysql' : 'SELECT 1');
        const sha256 = createHash('sha256').update(token).digest('hex');
        const access = { read: 'token', write: 'token' };
        const pool = { max: 10, acquireTimeout: '60s' };
        writeFileSync(
          file,
          JSON.stringify({
            server: { port: 0 },
            databases: { db: { client: engine.client, connection: database.url, pool } },
            resources: { t: { database: 'db', table: 't', access } },
            tokens: [{ name: 'tester', sha256, read: ['*'], write: ['*'] }],
          }),
        );
        const running = await program.serve(['serve', file]);
        if (!('url' in running)) throw new Error(running.stderr);
        const acknowledged = new Set<number>();
        const upsert = (call: number) =>
          new Promise<void>((resolve) => {
            const records = Array.from({ length: each }, (_record, nth) => ({ k: call * each + nth, c: call }));
            const headers = { Authorization: token, 'Content-Type': 'application/json' };
            const url = `${running.url}/api/3/action/datastore_upsert`;
            const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
              let text = '';
              answer.on('data', (chunk) => {
                text += chunk;
              });
              answer.on('error', () => resolve());
              answer.on('end', () => {
                if (answer.statusCode === 200 && text.endsWith('}')) acknowledged.add(call);
                if (acknowledged.size === answersBeforeKill) process.kill(running.pid, 'SIGKILL');
                resolve();
              });
            });
            sent.on('error', () => resolve());
            sent.end(JSON.stringify({ resource_id: 't', records }));
          });
        await Promise.all(Array.from({ length: calls }, (_call, nth) => upsert(nth)));
        expect(acknowledged.size).toBeGreaterThanOrEqual(answersBeforeKill);
        expect(acknowledged.size).toBeLessThan(calls);

        // The server notices the lost connections and ends their statements.
        const name = new URL(database.url).pathname.slice(1);
        await expect
          .poll(async () => (await onServer(admin, engine.client, name)).sessions, { timeout: 20_000, interval: 50 })
          .toBe(0);
        const table = engine.client === 'mysql' ? `${name}.t` : 't';
        const found = await database.query(`SELECT c, count(*) FROM ${table} GROUP BY c`);
        expect(found.filter(([, count]) => Number(count) !== each)).toEqual([]);
        const stored = new Set(found.map(([call]) => Number(call)));
        expect([...acknowledged].filter((call) => !stored.has(call))).toEqual([]);

        const again = await program.serve(['serve', file]);
        if (!('url' in again)) throw new Error(again.stderr);
        const url = `${again.url}/api/3/action/datastore_search?resource_id=t&limit=0`;
        const answer = await fetch(url, { headers: { Authorization: token } });
        expect(await answer.json()).toMatchObject({ result: { total: stored.size * each } });
        await again.stop();
      } finally {
        rmSync(file, { force: true });
        agent.destroy();
        await admin.close();
        await database.drop();
      }
    },
    60_000,
  );
});
