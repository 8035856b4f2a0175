/** Several worker processes: none may show old records after a write was answered. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, metric } from '../../support/admin-port.ts';
import { openProgram, type Program, type Running } from '../../support/program.ts';
import { anyServer, byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';
import { type Connection, connections, isAlive, lines, pids, running } from '../../support/workers.ts';

// MySQL only: PostgreSQL can report the outcome of a lost commit, so none stays unknown, and PGlite runs in one process.
const forgetful = servers().filter(({ client }) => client === 'mysql');
const token = 'test-token';
const sha256 = createHash('sha256').update(token).digest('hex');

/** The messages between the processes do not depend on the engine. */
describe.each(byName(anyServer(forgetful)))('on %s', (_, engine) => {
  let program: Program;
  let folder: string;
  let fresh: ServerDatabase;
  let tap: Tap;
  let gateway: Running;
  let to: readonly Connection[];
  let n = 0;

  const file = (name: string, { table = 't', read = 'public', workers = 3, port = 0 } = {}): string => {
    const path = join(folder, name);
    const configuration = {
      server: { port, workers },
      admin: { port: 0 },
      log: { requests: 'all' },
      cache: { ttl: '1h' },
      databases: { db: { client: engine.client, connection: tap.url, maxStaleness: 'none' } },
      resources: { t: { database: 'db', table, access: { read, write: 'token' } } },
      tokens: [{ name: 'x', sha256, read: ['*'], write: ['*'] }],
    };
    writeFileSync(path, JSON.stringify(configuration));
    return path;
  };
  const write = async (by: Connection) => {
    const answer = await by.call('datastore_upsert', { resource_id: 't', records: [{ id: 1, n: ++n }] }, token);
    expect(answer.status).toBe(200);
  };
  const search = { resource_id: 't', fields: 'n' };
  const see = async (by: Connection, as = '') => {
    const { status, verdict, text } = await by.call('datastore_search', search, as);
    const { result }: { result?: { records: { n: number }[] } } = JSON.parse(text);
    return { status, verdict, n: result?.records[0]?.n };
  };
  const all = (as = '') => Promise.all(to.map((connection) => see(connection, as)));
  const pidOf = (worker: number) => pids(gateway).get(worker) ?? 0;
  const nth = (worker: number): Connection => {
    const connection = to[worker - 1];
    if (connection === undefined) throw new Error(`no connection to worker ${worker}`);
    return connection;
  };
  /** Waits until another process has replaced this one, and connects to it. */
  const replaced = async (pid: number) => {
    const others = () => [...pids(gateway).values()].filter((other) => other !== pid);
    await expect.poll(() => others().length, { timeout: 10_000 }).toBe(3);
    for (const connection of to) connection.close();
    to = await connections(gateway, search);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-workers-'));
    program = openProgram();
    fresh = await freshDatabase(engine);
    await fresh.exec('CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0)');
    tap = await openTap(fresh.url);
    gateway = running(await program.serve(['serve', file('gateway.yaml')]));
    to = await connections(gateway, search);
  });
  afterAll(async () => {
    for (const connection of to ?? []) connection.close();
    await gateway?.stop();
    tap?.close();
    program?.remove();
    rmSync(folder, { recursive: true, force: true });
    await fresh?.drop();
  });

  test('no worker shows old records after a write that another one has answered', async () => {
    for (let i = 0; i < 30; i++) {
      await write(nth((i % 3) + 1));
      expect((await all()).map((seen) => seen.n)).toEqual([n, n, n]);
    }
    expect((await all()).map(({ verdict }) => verdict)).toEqual(['HIT', 'HIT', 'HIT']);
  });

  test('writes at the same time share their messages to the other workers', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, i) => write(nth((i % 3) + 1))));
    // Only the database knows which of the writes was the last.
    const now = await fresh.query('SELECT n FROM t');
    for (const seen of await all()) expect(JSON.stringify(now)).toContain(String(seen.n));
  });

  test('a write waits for the others to hear of it', async () => {
    await write(nth(1));
    await all();
    process.kill(gateway.pid, 'SIGSTOP');
    const written = write(nth(1));
    const first = await Promise.race([written, sleep(200, 'waits')]);
    // The write is not answered yet, so the old record may still be shown.
    const meanwhile = await see(nth(2));
    process.kill(gateway.pid, 'SIGCONT');
    expect([first, meanwhile]).toEqual(['waits', { status: 200, verdict: 'HIT', n: n - 1 }]);
    await written;
    expect((await see(nth(2))).n).toBe(n);
  });

  test('a worker that hangs is ended before the write is answered, and replaced', async () => {
    await all();
    const pid = pidOf(3);
    process.kill(pid, 'SIGSTOP');
    const began = performance.now();
    await write(nth(1));
    expect(isAlive(pid)).toBe(false);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect((await see(nth(2))).n).toBe(n);
    await replaced(pid);
    expect((await all()).map((seen) => seen.n)).toEqual([n, n, n]);
    expect(lines(gateway)).toContainEqual(expect.objectContaining({ pid, why: 'it was silent for too long' }));
  });

  test('a worker that dies ends no request of the others, and their caches are emptied', async () => {
    await all();
    const pid = pidOf(2);
    const others = [nth(1), nth(3)];
    let going = true;
    const calls = Promise.all(
      others.map(async (connection) => {
        const seen = new Set<string | number | null>();
        while (going) {
          const { status, verdict } = await see(connection);
          seen.add(status).add(verdict);
        }
        return seen;
      }),
    );
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => isAlive(pid) || pidOf(2) === pid || pids(gateway).size < 3, { timeout: 10_000 })
      .toBe(false);
    going = false;
    for (const seen of await calls) expect(seen).toEqual(new Set([200, 'HIT', 'MISS']));
    await replaced(pid);
    await write(nth(2));
    expect((await all()).map((seen) => seen.n)).toEqual([n, n, n]);
  });

  test('while a commit is in doubt no worker keeps anything, and then all show it', async () => {
    await all();
    // A single record is one autocommitted statement.
    tap.watch((bytes) => (/update /i.test(bytes.toString('latin1')) ? { hangUpAndDeliverAfter: 500 } : 'pass'));
    const lost = await nth(1).call('datastore_upsert', { resource_id: 't', records: [{ id: 1, n: ++n }] }, token);
    tap.watch(() => 'pass');
    expect(lost.status).toBe(503);
    expect((await all()).map(({ verdict }) => verdict)).toEqual([null, null, null]);
    await expect.poll(async () => (await all()).map(({ verdict }) => verdict)).toEqual(['HIT', 'HIT', 'HIT']);
    expect((await all()).map((seen) => seen.n)).toEqual([n, n, n]);
  });

  test('SIGHUP: a wrong configuration is reported once and changes nothing; a revoked token is revoked everywhere', async () => {
    file('gateway.yaml', { table: 'nowhere' });
    process.kill(gateway.pid, 'SIGHUP');
    await expect.poll(() => gateway.said().includes('not taken over'), { timeout: 20_000 }).toBe(true);
    expect(gateway.said().match(/must name a table/g)).toHaveLength(1);
    expect((await all()).map(({ status }) => status)).toEqual([200, 200, 200]);

    file('gateway.yaml', { read: 'token' });
    process.kill(gateway.pid, 'SIGHUP');
    await expect
      .poll(() => lines(gateway).map(({ msg }) => msg), { interval: 2, timeout: 20_000 })
      .toContain('reloaded');
    expect((await all()).map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await all(token)).map(({ status }) => status)).toEqual([200, 200, 200]);

    // A replacement worker that starts now has never seen the old file.
    const pid = pidOf(2);
    process.kill(pid, 'SIGKILL');
    await replaced(pid);
    expect((await all()).map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  test('one admin port speaks for all: counts are added up and never fall, and a hanging worker is replaced', async () => {
    const admin = lines(gateway).find(({ msg }) => msg === 'started')?.admin ?? '';
    const about = { action: 'datastore_search', resource: 't', status: '200' };
    const hits = async () =>
      metric((await ask(admin, '/metrics')).text, 'gateway_requests_total', { ...about, cache: 'hit' });
    for (let i = 0; i < 3; i++) await all(token);
    const before = (await hits()) ?? 0;
    for (let i = 0; i < 4; i++) await all(token);
    expect(await hits()).toBe(before + 12);

    const ready = async () => JSON.parse((await ask(admin, '/ready')).text);
    const databases = { db: { up: true, why: null, absent: [] } };
    expect(await ready()).toEqual({ ready: true, draining: false, workers: { serving: 3, configured: 3 }, databases });
    const pid = pidOf(3);
    process.kill(pid, 'SIGSTOP');
    expect((await ask(admin, '/live')).status).toBe(200);
    expect(isAlive(pid)).toBe(false);
    expect((await ready()).workers.serving).toBe(2);
    await replaced(pid);
    expect((await ready()).workers.serving).toBe(3);
    const { text } = await ask(admin, '/metrics');
    expect(await hits()).toBeGreaterThanOrEqual(before + 12);
    expect(metric(text, 'gateway_workers')).toBe(3);
    expect(metric(text, 'gateway_workers_ended_total')).toBeGreaterThan(0);
    expect(metric(text, 'gateway_database_up', { database: 'db' })).toBe(1);
    // Each worker gets a third of the pool.
    expect(metric(text, 'gateway_pool_max', { database: 'db', pool: 'calls' })).toBe(9);
  });

  test('SIGTERM: running calls are answered, and no process is left', async () => {
    const { port } = new URL(gateway.url);
    const slow = connect(Number(port), '127.0.0.1');
    let answer = '';
    slow.on('data', (bytes) => {
      answer += bytes;
    });
    const body = JSON.stringify(search);
    const ended = new Promise((resolve) => slow.on('close', resolve));
    slow.write(`POST /api/action/datastore_search HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n`);
    slow.write(`Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
    await sleep(50);
    const mine = [gateway.pid, ...pids(gateway).values()];
    expect(mine).toHaveLength(4);
    const stopped = gateway.stop();
    await sleep(50);
    const admin = lines(gateway).find(({ msg }) => msg === 'started')?.admin ?? '';
    const ready = await ask(admin, '/ready');
    expect([ready.status, JSON.parse(ready.text).draining]).toEqual([503, true]);
    slow.write(body.slice(5));
    expect((await stopped).code).toBe(0);
    await ended;
    expect(answer).toContain('HTTP/1.1 200 OK');
    expect(mine.filter(isAlive)).toEqual([]);
  });

  // This tests the test itself, so only `npm run fuzz` takes the time for it.
  test.runIf(process.env.FUZZ_CASES !== undefined)(
    'the check finds a gateway that answers a write before the others have heard of it',
    async () => {
      const hasty = program.with({
        file: 'src/cache/buses/cluster.ts',
        right: 'return next;',
        wrong: 'return Promise.resolve();',
      });
      const wrong = running(await hasty.serve(['serve', file('hasty.yaml', { workers: 2 })]));
      const workers = [...pids(wrong).values()];
      try {
        const [first, second] = await connections(wrong, search);
        if (first === undefined || second === undefined) throw new Error('no connections');
        await see(second);
        process.kill(wrong.pid, 'SIGSTOP');
        expect(await Promise.race([write(first).then(() => 'answered'), sleep(2000, 'waits')])).toBe('answered');
        expect(await see(second)).toEqual({ status: 200, verdict: 'HIT', n: n - 1 });
      } finally {
        process.kill(wrong.pid, 'SIGKILL');
      }
      // A worker that has lost the primary exits.
      await expect.poll(() => workers.filter(isAlive), { timeout: 5000 }).toEqual([]);
    },
  );

  test('a start that fails ends with every complaint once, or with the address that is taken', async () => {
    const bad = await program.run(['serve', file('bad.yaml', { table: 'nowhere' })]);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/^resources\.t\.table .*"nowhere"\n$/)]);

    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => other.on('listening', listening));
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const ended = await program.run(['serve', file('taken.yaml', { port, workers: 2 })]);
    other.close();
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringContaining(`another program listens on port ${port} of 127.0.0.1: `),
    ]);
  });
});
