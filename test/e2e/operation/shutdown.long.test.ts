/** The gateway ends on a signal, even if databases or clients hang. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ask } from '../../support/admin-port.ts';
import { openProgram, type Program, type Running } from '../../support/program.ts';
import { anyServer, byName, freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { freePort } from '../../support/servers/scope.ts';
import { openTap, type Tap } from '../../support/tap.ts';
import { fewWorkers, lines, running } from '../../support/workers.ts';

/** Signal handling does not depend on the engine. */
describe.each(byName(anyServer()))('on %s', (_, engine) => {
  let program: Program;
  let fresh: ServerDatabase;
  let folder: string;
  let tap: Tap;

  beforeAll(async () => {
    program = openProgram();
    fresh = await freshDatabase(engine);
    await fresh.exec('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)');
    folder = mkdtempSync(join(tmpdir(), 'gateway-end-'));
    tap = await openTap(fresh.url);
  });
  afterAll(async () => {
    tap?.close();
    program?.remove();
    rmSync(folder, { recursive: true, force: true });
    await fresh?.drop();
  });

  const configure = (workers: number, drainDelay = '0s'): string => {
    const path = join(folder, `${workers} ${drainDelay}.yaml`);
    const configuration = {
      server: { port: 0, workers, drainDelay, drainTimeout: '3s' },
      admin: { port: 0 },
      databases: { db: { client: engine.client, connection: tap.url } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
    };
    writeFileSync(path, JSON.stringify(configuration));
    return path;
  };
  const search = '/api/3/action/datastore_search?resource_id=t';

  test('a database that hangs keeps no process beyond drainTimeout, neither one nor one of several', async () => {
    const both = await Promise.all([1, 2].map((workers) => program.serve(['serve', configure(workers)])));
    const gateways = both.map(running);
    for (const { url } of gateways) expect((await fetch(url + search)).status).toBe(200);
    tap.freeze();
    const ends = async (gateway: Running) => {
      const admin = lines(gateway).find(({ msg }) => msg === 'started')?.admin ?? '';
      const call = fetch(`${gateway.url}${search}&limit=5`).catch((error: unknown) => error);
      await sleep(100);
      const began = performance.now();
      const ended = gateway.stop();
      await sleep(200);
      // New connections are refused, and /ready reports it to load balancers.
      expect(await fetch(gateway.url + search).catch((error: unknown) => error)).toBeInstanceOf(Error);
      const ready = await ask(admin, '/ready');
      expect([ready.status, JSON.parse(ready.text).draining]).toEqual([503, true]);
      expect((await ended).code).toBe(0);
      expect(performance.now() - began).toBeLessThan(3000 + 3000 + 2000);
      expect(await call).toBeInstanceOf(Error);
    };
    try {
      await Promise.all(gateways.map(ends));
    } finally {
      tap.thaw();
    }
  });

  test.each(fewWorkers(2))(
    'in the drainDelay it serves on, while /ready is a 503, with workers: %i',
    async (workers) => {
      const gateway = running(await program.serve(['serve', configure(workers, '3s')]));
      const admin = lines(gateway).find(({ msg }) => msg === 'started')?.admin ?? '';
      const called = async () => {
        const { status, headers } = await fetch(gateway.url + search);
        return [status, headers.get('connection')];
      };
      expect(await called()).toEqual([200, 'keep-alive']);
      const ended = gateway.stop();
      await expect.poll(async () => (await ask(admin, '/ready')).status).toBe(503);
      // Clients that keep connections alive are told to close them (`Connection: close`).
      await expect.poll(called).toEqual([200, 'close']);
      expect((await ended).code).toBe(0);
    },
  );

  test.each(fewWorkers(1))('it ends though the reader of its log is gone, with workers: %i', async (workers) => {
    const child = program.start(['serve', configure(workers)]);
    let output = '';
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    await expect.poll(() => output, { timeout: 20_000 }).toContain('"msg":"started"');
    child.stderr?.destroy();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await Promise.race([ended, sleep(10_000, 'goes on')])).toEqual([0, null]);
  });

  // macOS has no /dev/full.
  test.runIf(existsSync('/dev/full'))('where its log cannot be written it serves, and ends', async () => {
    const port = await freePort();
    const main = join(inject('compiled'), 'main.js');
    const args = [process.execPath, main, 'serve', configure(1), '--port', `${port}`];
    const child = spawn('sh', ['-c', 'exec "$0" "$@" 2>/dev/full', ...args]);
    try {
      const ended = once(child, 'exit');
      const status = () => fetch(`http://127.0.0.1:${port}${search}`).then(({ status }) => status, String);
      await expect.poll(status, { timeout: 20_000 }).toBe(200);
      child.kill('SIGTERM');
      expect(await Promise.race([ended, sleep(10_000, 'goes on')])).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('a second signal does not wait', async () => {
    const gateway = running(await program.serve(['serve', configure(1)]));
    tap.freeze();
    const call = fetch(gateway.url + search).catch((error: unknown) => error);
    await sleep(100);
    const ended = gateway.stop();
    await sleep(100);
    const began = performance.now();
    process.kill(gateway.pid, 'SIGTERM');
    expect((await ended).code).toBe(1);
    expect(performance.now() - began).toBeLessThan(500);
    tap.thaw();
    await call;
  });

  test('while it starts, a SIGHUP does not end it and a SIGTERM does', async () => {
    tap.freeze();
    const child = program.start(['serve', configure(1)]);
    const ended = once(child, 'exit');
    // Signals must work even before the databases have answered. Here the first connection is open, but the server hangs.
    const before = tap.open;
    await expect.poll(() => tap.open, { timeout: 20_000 }).toBeGreaterThan(before);
    child.kill('SIGHUP');
    expect(await Promise.race([ended, sleep(200, 'goes on')])).toBe('goes on');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    tap.thaw();
  });
});
