/** Advice about replicas, and about the statement timeouts of servers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adviceOf } from '../../support/advised.ts';
import { open } from '../../support/open-database.ts';
import { byName, engines, freshDatabase, openSession, servers } from '../../support/servers/engines.ts';
import { startPostgres, startStandby } from '../../support/servers/postgres.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';

const config = (client: string, connection: string, write: 'token' | 'none' = 'none') => ({
  databases: { db: { client, connection } },
  resources: { film: { database: 'db', table: 'film', access: { write } } },
});

// A server from TEST_POSTGRES_URL may run on another machine, where we cannot start a standby.
describe.runIf(servers().some(({ name }) => name === 'postgres') && process.env.TEST_POSTGRES_URL === undefined)(
  'a standby of PostgreSQL',
  () => {
    let scope: Scope;
    let primary: string;
    let standby: string;
    beforeAll(async () => {
      scope = openScope();
      const machine = thisMachine();
      primary = await startPostgres(scope, machine, { wal_level: 'replica', max_wal_senders: 5 });
      const session = await openSession({ client: 'postgres', url: primary });
      await session.exec(
        'CREATE TABLE film (id int PRIMARY KEY); CREATE ROLE reader LOGIN; GRANT SELECT ON film TO reader',
      );
      await session.close();
      standby = await startStandby(scope, machine, primary);
    }, 60_000);
    afterAll(() => scope?.close());

    test('is named with its lag, also to a user without rights to see how it is fed', async () => {
      expect(await adviceOf(config('postgres', primary, 'token'), 'read-only')).toEqual([]);
      const session = await openSession({ client: 'postgres', url: primary });
      const admin = await openSession({ client: 'postgres', url: standby });
      const url = new URL(standby);
      url.username = 'reader';
      const says = async () => (await adviceOf(config('postgres', url.href), 'read-only')).map(({ text }) => text);
      try {
        await session.exec('INSERT INTO film VALUES (1)');
        // Wait for the row first: until the standby has received it, it reports that it has replayed everything, and so is "not behind".
        await expect.poll(() => admin.query('SELECT count(*)::text FROM film'), { timeout: 10_000 }).toEqual([['1']]);
        await expect
          .poll(says, { timeout: 10_000 })
          .toEqual([expect.stringMatching(/^is a replica, not behind now: /)]);
        await admin.exec('SELECT pg_wal_replay_pause()');
        await session.exec('INSERT INTO film VALUES (2)');
        await sleep(1100);
        await expect
          .poll(says, { timeout: 10_000 })
          .toEqual([expect.stringMatching(/^is a replica, up to [1-9]\d*\.\d+ s behind: /)]);
        expect(await admin.query('SELECT count(*)::text FROM film')).toEqual([['1']]);
        expect((await adviceOf(config('postgres', standby, 'token'), 'read-only')).map(({ path }) => path)).toEqual([
          'databases.db',
          'resources.film.access.write',
        ]);
        await admin.exec('SELECT pg_wal_replay_resume()');
      } finally {
        await session.close();
        await admin.close();
      }
    });
  },
);

test.each(byName(servers().filter(({ name }) => name === 'mariadb')))('a replica of %s', async (_, engine) => {
  const fresh = await freshDatabase(engine);
  const admin = await openSession(engine);
  const user = new URL(fresh.url).pathname.slice(1);
  try {
    await fresh.exec(
      `CREATE TABLE film (id int PRIMARY KEY); CREATE USER '${user}'@'%'; GRANT SELECT ON film TO '${user}'@'%'`,
    );
    const says = async (url = fresh.url) =>
      (await adviceOf(config(engine.client, url), 'read-only')).map(({ text }) => text);
    expect(await says()).toEqual([]);
    // Port 1: nothing listens there.
    await admin.exec(`CHANGE MASTER '${user}' TO MASTER_HOST = '127.0.0.1', MASTER_PORT = 1, MASTER_USER = 'x'`);
    // A stopped replication channel is also left on servers that used to be replicas, so there is no warning.
    expect(await says()).toEqual([]);
    await admin.exec(`START SLAVE '${user}'`);
    expect(await says()).toEqual([
      expect.stringMatching(/^is a replica that receives nothing from its primary at the moment, how far/),
    ]);
    const url = new URL(fresh.url);
    url.username = user;
    // This user lacks the right to see the state of replication.
    expect(await says(url.href)).toEqual([]);
  } finally {
    await admin.exec(`STOP SLAVE '${user}'; RESET SLAVE '${user}' ALL; DROP USER '${user}'@'%'`);
    await admin.close();
    await fresh.drop();
  }
});

test.each(byName(servers()))('time limits: whether %s ends a read itself', async (name, engine) => {
  const fresh = await freshDatabase(engine);
  try {
    await fresh.exec('CREATE TABLE film (id int PRIMARY KEY)');
    const advice = await adviceOf(config(engine.client, fresh.url), 'time-limits');
    const isOld = name === 'mysql56';
    expect(advice.map(({ path }) => path)).toEqual(isOld ? ['databases.db.statementTimeout'] : []);
    if (isOld) await expect(fresh.exec('SET SESSION max_execution_time = 100')).rejects.toThrow();
  } finally {
    await fresh.drop();
  }
});

// This setting is new in PostgreSQL 17, which PGlite has.
test.each(byName(engines().filter(({ name }) => name === 'pglite')))(
  'the limit of transactions of %s',
  async (_, engine) => {
    const fresh = await freshDatabase(engine);
    const opened = await open(fresh);
    const { advisor } = opened.dialect;
    const limit = async () => {
      const answers = [];
      for (const query of advisor.queries([], [])) answers.push(await opened.run(query));
      return advisor.facts(answers).transactionTimeout;
    };
    try {
      expect(await limit()).toBeNull();
      await opened.run({ text: "SET transaction_timeout = '5s'", values: [] });
      expect(await limit()).toBe(5000);
    } finally {
      await opened.close();
      await fresh.drop();
    }
  },
);
