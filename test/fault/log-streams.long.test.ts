import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { untilLogIsRead } from '../property/outside/check.ts';
import { variants } from '../property/outside/variants.ts';
import { openProgram, type Program } from '../support/program.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { running } from '../support/workers.ts';

/** One server with a log for each driver, all of them in `npm run fuzz`. */
const withLog = variants().filter(({ hasLog }) => hasLog);
const onePerClient = withLog.filter(
  ({ client }, nth, all) => all.findIndex((other) => other.client === client) === nth,
);
const tried = process.env.FUZZ_CASES === undefined ? onePerClient : withLog;

/** Lists the connections that read the log, and on PostgreSQL the replication slots. */
const streams = {
  postgres: `SELECT application_name FROM pg_stat_replication UNION ALL SELECT slot_name FROM pg_replication_slots`,
  mysql: `SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND LIKE 'Binlog Dump%'`,
};

describe.each(tried.map((variant) => [variant.name, variant] as const))('the log of %s', (_, variant) => {
  let scope: Scope;
  let program: Program;
  let folder: string;
  let engine: ServerEngine;
  let database: ServerDatabase;
  beforeAll(async () => {
    scope = openScope();
    program = openProgram();
    folder = mkdtempSync(join(tmpdir(), 'gateway-log-'));
    engine = await variant.start(scope);
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE r (id integer PRIMARY KEY, n integer); INSERT INTO r VALUES (1, 0);
      CREATE TABLE bulk (id integer, n integer); INSERT INTO bulk VALUES (1, 0);`);
  });
  afterAll(async () => {
    program?.remove();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    await database?.drop();
    await scope?.close();
  });

  const configured = (workers: number) => {
    const file = join(folder, 'gateway.yaml');
    const configuration = {
      server: { port: 0, workers, drainTimeout: '500ms' },
      databases: {
        db: { client: engine.client, connection: database.url, feed: 'required', pool: { acquireTimeout: '300ms' } },
      },
      resources: { r: { database: 'db', table: 'r', key: ['id'], access: { read: 'public' } } },
      cache: { ttl: '1h' },
    };
    writeFileSync(file, JSON.stringify(configuration));
    return file;
  };
  /** Starts a gateway that reads the log. */
  const reading = async (workers: number) => {
    const gateway = running(await program.serve(['serve', configured(workers)]));
    onTestFinished(() => void gateway.stop());
    await untilLogIsRead(gateway.url, database);
    return gateway;
  };
  const open = async () => (await database.query(streams[engine.client])).length;
  /** One connection, and on PostgreSQL also its slot. */
  const one = variant.client === 'postgres' ? 2 : 1;

  test('one process reads it for all workers', async () => {
    const gateway = await reading(2);
    for (let nth = 0; nth < 5; nth++) await untilLogIsRead(gateway.url, database);
    expect(await open()).toBe(one);
    await gateway.stop();
    await expect.poll(open).toBe(0);
  });

  test('a gateway that is killed leaves nothing on the server', async () => {
    const gateway = await reading(1);
    process.kill(gateway.pid, 'SIGKILL');
    await expect.poll(open, { timeout: 10_000 }).toBe(0);
  });

  test.runIf(variant.client === 'postgres')('a gateway that hangs leaves nothing on the server', async () => {
    const gateway = await reading(1);
    process.kill(gateway.pid, 'SIGSTOP');
    try {
      await expect.poll(open, { timeout: 10_000 }).toBe(0);
    } finally {
      process.kill(gateway.pid, 'SIGCONT');
    }
  });

  test('the server shuts down at once; when it is back, its log names tables again', async () => {
    const gateway = await reading(1);
    const port = Number(new URL(engine.url).port);
    const began = performance.now();
    const again = await scope.stop(port, engine.client === 'postgres' ? 'SIGINT' : 'SIGTERM');
    const took = performance.now() - began;
    await again();
    // If shutdown waited for the stream to be confirmed, it would never end.
    expect(took).toBeLessThan(30_000);
    const session = await openSession(database);
    await untilLogIsRead(gateway.url, session);
    await session.close();
  });
});

const decodable = withLog.find(({ client }) => client === 'postgres');
describe.skipIf(decodable === undefined)('decoding on PostgreSQL', () => {
  let scope: Scope;
  let engine: ServerEngine;
  let database: ServerDatabase;
  let program: Program;
  let folder: string;
  beforeAll(async () => {
    scope = openScope();
    program = openProgram();
    folder = mkdtempSync(join(tmpdir(), 'gateway-log-'));
    if (decodable === undefined) return;
    engine = await decodable.start(scope);
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE r (id integer PRIMARY KEY, n integer); INSERT INTO r VALUES (1, 0);
      CREATE TABLE bulk (id integer, n integer); INSERT INTO bulk VALUES (1, 0);
      CREATE ROLE gw LOGIN; GRANT SELECT ON r TO gw; CREATE ROLE gw_feed LOGIN REPLICATION;`);
  });
  afterAll(async () => {
    program?.remove();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    await database?.drop();
    await scope?.close();
  });

  const urlOf = (user: string) => {
    const url = new URL(database.url);
    url.username = user;
    return url.href;
  };
  const file = (settings: object) => {
    const path = join(folder, 'gateway.yaml');
    const configuration = {
      server: { port: 0 },
      databases: { db: { client: 'postgres', connection: urlOf('gw'), feed: 'required', ...settings } },
      resources: { r: { database: 'db', table: 'r', access: { read: 'public' } } },
      cache: { ttl: '1h' },
    };
    writeFileSync(path, JSON.stringify(configuration));
    return path;
  };

  test('a role without the right to replicate is refused, with the statement that grants it', async () => {
    const { code, stderr } = await program.run(['serve', file({})]);
    expect(code).toBe(2);
    expect(stderr).toContain('databases.db.feed');
    expect(stderr).toContain('the role gw may not replicate');
    expect(stderr).toContain('CREATE ROLE gateway_feed LOGIN REPLICATION');
  });

  test('a login of its own reads it; updates without a key and prepared transactions go on', async () => {
    const gateway = running(await program.serve(['serve', file({ feedConnection: urlOf('gw_feed') })]));
    try {
      await untilLogIsRead(gateway.url, database);
      await database.exec('UPDATE bulk SET n = 7; DELETE FROM bulk WHERE n = 8;');
      await database.exec('BEGIN');
      await database.exec('UPDATE bulk SET n = 9');
      await database.exec(`PREPARE TRANSACTION 'p'`);
      await database.exec(`COMMIT PREPARED 'p'`);
      expect(await database.query('SELECT n FROM bulk')).toEqual([['9']]);
    } finally {
      await gateway.stop();
    }
  });

  test('a first look makes no slot', async () => {
    const gateway = running(await program.serve(['serve', database.url, '--port', '0']));
    try {
      const [, token = ''] = await gateway.printed(/Token\s+(dsg_\S+)/);
      const headers = { Authorization: token };
      for (let nth = 0; nth < 10; nth++) {
        const search = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=r`, { headers });
        expect(search.status).toBe(200);
        await database.exec('UPDATE bulk SET n = n + 1');
        await sleep(60);
      }
      expect(await database.query('SELECT slot_name FROM pg_replication_slots')).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });

  test('no slot is made where the gateway would count as a synchronous standby', async () => {
    await database.exec(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await database.exec('SELECT pg_reload_conf()');
    // Without any standby, only commits that do not wait for one succeed.
    await database.exec('SET synchronous_commit = local');
    try {
      await expect.poll(() => database.query('SHOW synchronous_standby_names')).toEqual([['*']]);
      const { code, stderr } = await program.run(['serve', file({ feedConnection: urlOf('gw_feed') })]);
      expect(code).toBe(2);
      expect(stderr).toContain('the gateway would count as a synchronous standby');
    } finally {
      await database.exec('ALTER SYSTEM RESET synchronous_standby_names');
      await database.exec('SELECT pg_reload_conf()');
    }
  });
});
