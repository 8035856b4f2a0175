import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { postgres } from '../../src/dialects/postgres.ts';
import { adviceOf } from '../support/advised.ts';
import { fetched } from '../support/fetched.ts';
import { entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { backTo, handles } from '../support/leaks.ts';
import { freshDatabase, openSession, type ServerDatabase } from '../support/servers/engines.ts';
import { startMariadb } from '../support/servers/mariadb.ts';
import { startMysql56 } from '../support/servers/mysql56.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import type { Session } from '../support/servers/sessions.ts';

const machine = thisMachine();
const start = { postgres: startPostgres, mariadb: startMariadb, mysql56: startMysql56 };
const pidFile = { postgres: 'postgres/data/postmaster.pid', mariadb: 'mariadb/pid', mysql56: 'mysql56/pid' };
/** Rights that the gateway's user must not have: with them it could connect even when other users cannot. */
const mighty = { postgres: '', mariadb: 'SUPER, READ_ONLY ADMIN', mysql56: 'SUPER' };
// Servers that this file starts for itself, because others are in use by other files.
const ownEngines = inject('engines').flatMap(({ name, client }) =>
  name === 'postgres' || name === 'mariadb' || name === 'mysql56' ? [{ name, client }] : [],
);

describe.runIf(ownEngines.length > 0).each(ownEngines.map((engine) => [engine.name, engine] as const))(
  'on a %s of its own',
  (_, { name, client }) => {
    let scope: Scope;
    let server: string;
    let database: ServerDatabase;
    let gateway: TestGateway;
    let before: number;
    beforeAll(async () => {
      scope = openScope();
      server = await start[name](scope, machine);
      database = await freshDatabase({ name, client, url: server, version: '' });
      const user =
        client === 'postgres'
          ? ['CREATE ROLE gw LOGIN', 'GRANT ALL ON ALL TABLES IN SCHEMA public TO gw']
          : [
              "CREATE USER gw@'127.0.0.1'",
              "GRANT ALL ON *.* TO gw@'127.0.0.1'",
              `REVOKE ${mighty[name]} ON *.* FROM gw@'127.0.0.1'`,
            ];
      await database.exec('CREATE TABLE t (k int PRIMARY KEY)');
      for (const sql of user) await database.exec(sql);
      gateway = await startGateway({
        databases: {
          db: {
            ...entry({ ...database, url: asGateway() }),
            statementTimeout: '1s',
            pool: { max: 3, acquireTimeout: '300ms' },
          },
        },
        resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
      });
      // Fill the pool and the kept-alive connections of the client.
      await Promise.all(Array.from({ length: 8 }, (_, k) => upsert(100 + k)));
      before = handles();
    });
    afterEach(async () => {
      expect(await back()).toBeLessThan(2000);
      await backTo(before, handles);
    });
    afterAll(async () => {
      await gateway?.close();
      await scope?.close();
    });

    const asGateway = () => {
      const url = new URL(database.url);
      url.username = 'gw';
      return url.href;
    };
    const search = async () =>
      (await fetched(`${gateway.url}/api/action/datastore_search?resource_id=t`, { Connection: 'close' })).status;
    const upsert = async (k: number) => {
      const { status, text } = await gateway.call('datastore_upsert', { resource_id: 't', records: [{ k }] });
      return { status, error: JSON.parse(text).error };
    };
    const back = async () => {
      const since = performance.now();
      await expect.poll(search, { timeout: 10_000, interval: 20 }).toBe(200);
      await expect.poll(async () => (await upsert(1)).status, { timeout: 10_000, interval: 20 }).toBe(200);
      return performance.now() - since;
    };
    const admin = async (...sql: readonly string[]) => {
      const session = await openSession({ client, url: server });
      for (const one of sql) await session.exec(one);
      await session.close();
    };
    /** Kills all sessions of the gateway's user. Returns when they are gone. */
    const kill = async () => {
      const { pids, end } =
        client === 'postgres'
          ? { pids: `SELECT pid FROM pg_stat_activity WHERE usename = 'gw'`, end: 'SELECT pg_terminate_backend' }
          : { pids: `SELECT id FROM information_schema.processlist WHERE user = 'gw'`, end: 'KILL ' };
      const session = await openSession({ client, url: server });
      const killed = await session.query(pids);
      for (const [one] of killed) await session.exec(`${end}(${one})`).catch(() => undefined);
      const ids = killed.map(([one]) => one);
      const still = async () => (await session.query(pids)).filter(([one]) => ids.includes(one));
      await expect.poll(still, { timeout: 5000, interval: 20 }).toEqual([]);
      await session.close();
    };
    const pid = () => Number(readFileSync(join(scope.folder, pidFile[name]), 'utf8').split('\n')[0]);
    /** The server process and its children: PostgreSQL has one for each session. */
    const processes = () => {
      const children = readFileSync(`/proc/${pid()}/task/${pid()}/children`, 'utf8').trim();
      return [pid(), ...(children === '' ? [] : children.split(' ').map(Number))];
    };
    const signal = (how: NodeJS.Signals) => {
      for (const one of processes()) process.kill(one, how);
    };
    /** All threads must have stopped: on a busy machine one may still answer while another is already stopped. */
    const isStopped = () =>
      processes()
        .flatMap((one) => readdirSync(`/proc/${one}/task`).map((thread) => `/proc/${one}/task/${thread}/stat`))
        .every((file) => /\) T /.test(readFileSync(file, 'utf8')));

    // macOS has no /proc to list a server's processes.
    test.runIf(existsSync('/proc'))('a server that hangs: 503, and served again when it goes on', async () => {
      signal('SIGSTOP');
      try {
        await expect.poll(isStopped).toBe(true);
        for (const answer of await Promise.all([upsert(2), upsert(3), upsert(4), upsert(5)])) {
          expect(answer.status).toBeOneOf([409, 503]);
        }
        await expect
          .poll(async () => (await upsert(6)).error?.message, { timeout: 10_000 })
          .toMatch(/cannot be reached/);
      } finally {
        signal('SIGCONT');
      }
    });

    test('a server without a connection left: 503, and served again when there is one', async () => {
      let holders: Session[] = [];
      /** Takes all connections. The gateway reconnects by itself, and may get one before the holders. */
      const fill = async () => {
        await kill();
        for (const holder of holders) await holder.close().catch(() => undefined);
        holders = [];
        for (let isFull = client === 'postgres'; !isFull && holders.length < 20; )
          await openSession({ client, url: asGateway() }).then(
            (holder) => holders.push(holder),
            () => {
              isFull = true;
            },
          );
      };
      await admin(client === 'postgres' ? 'ALTER ROLE gw CONNECTION LIMIT 0' : 'SET GLOBAL max_connections = 10');
      try {
        const busy = {
          status: 503,
          error: { __type: 'Service Unavailable', message: 'the database is busy, try again' },
        };
        await expect.poll(() => fill().then(() => upsert(7)), { timeout: 10_000 }).toEqual(busy);
        expect(await Promise.all([upsert(7), upsert(8)])).toEqual([busy, busy]);
      } finally {
        for (const holder of holders) await holder.close();
        await admin(client === 'postgres' ? 'ALTER ROLE gw CONNECTION LIMIT -1' : 'SET GLOBAL max_connections = 200');
      }
    });

    test('a server that became read-only: writes are a 503, searches go on', async () => {
      const set = (on: boolean) =>
        client === 'postgres'
          ? admin(`ALTER SYSTEM SET default_transaction_read_only = ${on ? 'on' : 'off'}`, 'SELECT pg_reload_conf()')
          : admin(`SET GLOBAL read_only = ${on ? 1 : 0}`);
      await set(true);
      try {
        await expect.poll(async () => (await upsert(10)).status, { timeout: 5000 }).toBe(503);
        expect(await upsert(10)).toEqual({
          status: 503,
          error: { __type: 'Service Unavailable', message: 'the database takes no writes now, try again' },
        });
        expect(await search()).toBe(200);
        // `check` would have warned about it.
        const written = { database: 'db', table: 't', access: { write: 'token' }, invalidates: [] };
        const config = { databases: { db: { client, connection: asGateway() } }, resources: { t: written } };
        expect(await adviceOf(config, 'read-only')).toMatchObject([{ path: 'resources.t.access.write' }]);
      } finally {
        await set(false);
      }
    });

    // When one of its processes crashes, PostgreSQL ends all of them and restarts on the same address.
    test.runIf(name === 'postgres')('a server that crashes: 503 at most, and served within two seconds', async () => {
      const life = async () => {
        const session = await openSession({ client, url: server });
        const [row] = await session.query(postgres.serverQuery);
        await session.close();
        return row?.[3];
      };
      const first = await life();
      const [row] = await database.query(`SELECT pid FROM pg_stat_activity WHERE usename = 'gw' LIMIT 1`);
      process.kill(Number(row?.[0]), 'SIGKILL');
      const seen = new Set<number>();
      for (const until = performance.now() + 1000; performance.now() < until; await sleep(10)) seen.add(await search());
      expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      // After the crash a transaction id may be reused, so the server is not asked about transactions from before.
      expect(await life()).not.toBe(first);
    });

    test('a server that is restarted: 503 at most meanwhile', async () => {
      const seen = new Set<number>();
      let isBack = false;
      const asking = (async () => {
        for (; !isBack; await sleep(10)) seen.add(await search());
      })();
      // On SIGTERM PostgreSQL would wait for its clients to disconnect.
      const begin = await scope.stop(Number(new URL(server).port), client === 'postgres' ? 'SIGINT' : 'SIGTERM');
      await expect.poll(search).toBe(503);
      await begin();
      isBack = true;
      await asking;
      expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    });
  },
);
