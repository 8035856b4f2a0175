/** Reloads while workers are starting: a reload must not end them, and none may serve with an outdated configuration. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProgram, type Program, type Running } from '../../support/program.ts';
import { anyServer, byName, freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { freePort } from '../../support/servers/scope.ts';
import { openTap, type Tap } from '../../support/tap.ts';
import { Connection, connections, lines, pids, running } from '../../support/workers.ts';

const token = 'test-token';
const sha256 = createHash('sha256').update(token).digest('hex');
const search = { resource_id: 't' };
/** A generous limit in milliseconds for busy machines. */
const pollOptions = { timeout: 20_000, interval: 10 };

/** Process handling does not depend on the engine. */
describe.each(byName(anyServer()))('on %s', (_, engine) => {
  let program: Program;
  let folder: string;
  let fresh: ServerDatabase;
  let tap: Tap;
  let gateway: Running;
  /** A fixed port: with port 0, workers started after all others have ended would get another port. */
  let port: number;
  let changes = 0;

  /** Each configuration differs from the previous one. */
  const configure = ({ table = 't', read = 'public', databases = {}, listening = port } = {}): string => {
    const path = join(folder, 'gateway.yaml');
    const configuration = {
      server: { port: listening, workers: 2 },
      log: { requests: 'all' },
      cache: { ttl: `${++changes}h` },
      databases: { db: { client: engine.client, connection: fresh.url }, ...databases },
      resources: { t: { database: 'db', table, access: { read, write: 'token' } } },
      tokens: [{ name: 'x', sha256, read: ['*'], write: ['*'] }],
    };
    writeFileSync(`${path}.new`, JSON.stringify(configuration));
    renameSync(`${path}.new`, path);
    return path;
  };
  const logged = (msg: string) => lines(gateway).filter((line) => line.msg === msg);
  const reload = async (changed: Parameters<typeof configure>[0] = {}, how = 'reloaded') => {
    const before = logged(how).length;
    configure(changed);
    process.kill(gateway.pid, 'SIGHUP');
    await expect.poll(() => logged(how).length, pollOptions).toBe(before + 1);
  };
  const pidOf = (worker: number): number => {
    const pid = pids(gateway).get(worker);
    if (pid === undefined) throw new Error(`worker ${worker} does not serve`);
    return pid;
  };
  /** Kills processes; resolves when the primary has noticed. */
  const end = async (...processes: readonly number[]) => {
    const ended = logged('worker ended').length + processes.length;
    for (const pid of processes) process.kill(pid, 'SIGKILL');
    await expect.poll(() => logged('worker ended').length, pollOptions).toBe(ended);
  };
  const allServe = () => expect.poll(() => pids(gateway).size, pollOptions).toBe(2);
  /** Waits until the replacement worker is running and has the current configuration, but does not serve yet. Returns its process id. */
  const starting = async () => {
    const children = () =>
      readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/children`, 'utf8').match(/\d+/g) ?? [];
    const serving = new Set(pids(gateway).values());
    const others = () => children().flatMap((pid) => (serving.has(Number(pid)) ? [] : [Number(pid)]));
    await expect.poll(() => others().length, pollOptions).toBe(1);
    return others()[0] ?? 0;
  };
  /** The status of a call over a new connection, or the error. */
  const status = async (): Promise<number | string> => {
    const connection = new Connection(gateway.url);
    const called = connection.call('datastore_search', search).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    return called.finally(() => connection.close());
  };
  const statuses = async () => {
    const to = await connections(gateway, search);
    const answers = await Promise.all(to.map((connection) => connection.call('datastore_search', search)));
    for (const connection of to) connection.close();
    return answers.map((answer) => answer.status);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-starts-'));
    program = openProgram();
    fresh = await freshDatabase(engine);
    await fresh.exec('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)');
    tap = await openTap(fresh.url);
    port = await freePort();
    gateway = running(await program.serve(['serve', configure()]));
  });
  afterAll(async () => {
    await gateway?.stop();
    tap?.close();
    program?.remove();
    rmSync(folder, { recursive: true, force: true });
    await fresh?.drop();
  });

  test('reloads that come faster than a worker starts end none, and calls are never refused', async () => {
    let going = true;
    const seen = new Set<number | string>();
    const calls = (async () => {
      for (; going; await sleep(2)) seen.add(await status());
    })();
    const reloads = (async () => {
      while (going) await reload();
    })();
    try {
      await end(pidOf(1));
      await allServe();
      await end(pidOf(2));
      await allServe();
    } finally {
      going = false;
    }
    await Promise.all([calls, reloads]);
    // Calls are cut off when their worker is killed.
    seen.delete('ECONNRESET');
    expect([...seen]).toEqual([200]);
    expect(logged('worker ended')).toHaveLength(2);
  });

  test('a worker that has started with the older configuration serves with the current one', async () => {
    await end(pidOf(1));
    const pid = await starting();
    await reload({ read: 'token' });
    await allServe();
    expect(pidOf(1)).toBe(pid);
    expect(await statuses()).toEqual([403, 403]);
  });

  test('the replacement of a worker keeps the settings that need a restart', async () => {
    // A port that is taken: a worker that listened there would end, and so fail to serve.
    const other = createServer().listen(0, '127.0.0.1');
    try {
      await once(other, 'listening');
      await reload({ read: 'token', listening: Object(other.address()).port });
      await end(pidOf(2));
      await allServe();
      expect(await statuses()).toEqual([403, 403]);
    } finally {
      other.close();
    }
  });

  test('while no worker serves, a reload waits for one that checks the configuration', async () => {
    await end(pidOf(1), pidOf(2));
    await reload({ table: 'nowhere' }, 'configuration not taken over');
    expect(gateway.said().match(/must name a table/g)).toHaveLength(1);
    await allServe();
    expect(await statuses()).toEqual([403, 403]);
  });

  test('a worker that hangs while it checks a reload is ended, and the reload goes on without it', async () => {
    const before = logged('worker ended').length;
    tap.freeze();
    const slow = { client: engine.client, connection: tap.url };
    const reloaded = reload({ read: 'token', databases: { slow } });
    await sleep(500);
    process.kill(pidOf(1), 'SIGSTOP');
    await sleep(500);
    tap.thaw();
    await reloaded;
    expect(logged('worker ended')).toHaveLength(before + 1);
    await allServe();
  });

  test('a reload whose workers all end adopts nothing, and a worker that has waited for its end holds up no write', async () => {
    await end(pidOf(2));
    const waiting = await starting();
    tap.freeze();
    const slowDatabase = { client: engine.client, connection: tap.url };
    const refused = reload({ databases: { late: slowDatabase } }, 'configuration not taken over');
    // The worker has started by now, and will report to the primary after the reload.
    await sleep(1500);
    await end(waiting, pidOf(1));
    await refused;
    expect(gateway.said().match(/was not checked/g)).toHaveLength(1);
    tap.thaw();
    await expect.poll(status, pollOptions).toBe(403);
    const connection = new Connection(gateway.url);
    const written = connection.call('datastore_upsert', { resource_id: 't', records: [{ id: 1 }] }, token);
    expect(await Promise.race([written.then((answer) => answer.status), sleep(5000, 'waits')])).toBe(200);
    connection.close();
  });
});
