/** The process that reads the log stalls for a while, or exits: no log line is lost or held back, and the gateway keeps running. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openProgram, type Program } from '../../support/program.ts';

let program: Program;
let folder: string;
let child: ChildProcess;
let output: string;
let url: string;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

beforeAll(() => {
  program = openProgram();
  folder = mkdtempSync(join(tmpdir(), 'gateway-stalled-'));
});
afterAll(() => {
  agent.destroy();
  program?.remove();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const path = join(folder, 'gateway.yaml');
  const configuration = {
    server: { port: 0 },
    databases: { away: { client: 'mysql', connection: 'mysql://127.0.0.1:1/away' } },
    resources: { t: { database: 'away', table: 't' } },
    log: { requests: 'all' },
  };
  writeFileSync(path, JSON.stringify(configuration));
  child = program.start(['serve', path]);
  output = '';
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  const address = () => /"address":"([^"]+)".*"msg":"started"/.exec(output)?.[1] ?? '';
  await expect.poll(address, { timeout: 20_000 }).toMatch(/^http/);
  url = address();
});
afterEach(() => {
  child.kill('SIGKILL');
});

const call = (): Promise<number> =>
  new Promise((resolve, reject) => {
    get(`${url}/api/3/action/status_show`, { agent }, (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode ?? 0));
    }).on('error', reject);
  });
/** More lines than the pipe can buffer, so that the last write blocks. */
const calls = 1600;
async function fill(): Promise<void> {
  child.stderr?.pause();
  for (let n = 0; n < calls; n += 4) await Promise.all([call(), call(), call(), call()]);
  // By now the queued lines should be written, but the previous write is still blocked.
  await sleep(500);
}
const answered = () => output.split('\n').filter((line) => line.endsWith('"msg":"answered"}')).length;

test('lines that were logged during a write are written after it', async () => {
  await fill();
  expect(answered()).toBeLessThan(calls);
  child.stderr?.resume();
  await expect.poll(answered, { timeout: 20_000 }).toBe(calls);
});

test('a reader that leaves while lines wait for it does not end the gateway', async () => {
  await fill();
  // A line that has been logged but not flushed yet.
  await call();
  child.stderr?.destroy();
  await sleep(500);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  expect(await call()).toBe(200);
});
