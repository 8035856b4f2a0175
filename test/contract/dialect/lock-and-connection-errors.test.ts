/** Errors caused by other sessions: locks, lost connections, missing rights. The test provokes all of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Opened, open } from '../../support/open-database.ts';
import {
  engines,
  freshDatabase,
  openSession,
  type ServerDatabase,
  type ServerEngine,
} from '../../support/servers/engines.ts';
import { ddl, failure } from './failing.ts';

describe.each(
  engines()
    .filter((engine): engine is ServerEngine => engine.client !== 'pglite')
    .map((engine) => [engine.name, engine] as const),
)('on %s', (name, engine) => {
  const isMysql = engine.client === 'mysql';
  let fresh: ServerDatabase;
  let opened: Opened;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec(ddl[engine.client]);
    opened = await open(fresh);
  });
  afterAll(async () => {
    await opened?.close();
    await fresh?.drop();
  });
  const meaning = async (work: Promise<unknown>) => opened.dialect.classifyError(await failure(work)).kind;
  /** Opens the same database by another address, or as another user. */
  const at = async (change: (url: URL) => void): Promise<Opened> => {
    const url = new URL(fresh.url);
    change(url);
    return open({ ...fresh, url: url.href });
  };

  test('a lock that another one holds', async () => {
    const other = await openSession(fresh);
    await other.exec('BEGIN; UPDATE parent SET n = 1 WHERE id = 1');
    const wait = isMysql ? 'SET SESSION innodb_lock_wait_timeout = 1' : 'SET LOCAL lock_timeout = 50';
    const error = await failure(opened.inOneSession('BEGIN', wait, 'UPDATE parent SET n = 2 WHERE id = 1'));
    expect(opened.dialect.classifyError(error)).toEqual({ kind: 'retry' });
    await other.close();
  });

  test('a deadlock', async () => {
    const other = await openSession(fresh);
    const fast = isMysql ? '' : "SET deadlock_timeout = '10ms';";
    await other.exec(`${fast} BEGIN; UPDATE parent SET n = 1 WHERE id = 1`);
    const mine = opened.inOneSession(
      'BEGIN',
      'UPDATE parent SET n = 2 WHERE id = 2',
      'UPDATE parent SET n = 2 WHERE id = 1',
    );
    const both = Promise.allSettled([
      mine,
      waiting(fresh, isMysql).then(() => other.exec('UPDATE parent SET n = 1 WHERE id = 2')),
    ]);
    // Whichever session is the victim, the other one must be released.
    await Promise.race([mine, both]).catch(() => undefined);
    await other.exec('ROLLBACK').catch(() => undefined);
    const victims = (await both).flatMap((one) =>
      one.status === 'rejected' ? [opened.dialect.classifyError(one.reason)] : [],
    );
    expect(victims).toEqual([{ kind: 'retry' }]);
    await other.close();
  });

  test('a session that was ended', async () => {
    const mine = meaning(opened.sql(isMysql ? 'SELECT sleep(20), 20231' : 'SELECT pg_sleep(20), 20231'));
    await killOne(fresh, isMysql);
    expect(await mine).toBe('connection');
  });

  test('a port where no server listens', async () => {
    const closed = at((url) => {
      url.port = '1';
    });
    expect(await meaning(closed)).toBe('connection');
  });

  test('there is no such database', async () => {
    const missingDatabase = at((url) => {
      url.pathname = '/nowhere_at_all';
    });
    expect(await meaning(missingDatabase)).toBe('schema');
  });

  test('a user with few rights, one connection, and then another password', async () => {
    const user = `u_${fresh.url.slice(-12)}`;
    const grants = isMysql
      ? [
          `CREATE USER '${user}'@'%' IDENTIFIED BY 'first'`,
          `GRANT SELECT ON t TO '${user}'@'%'`,
          `GRANT SELECT (id) ON secret TO '${user}'@'%'`,
          `GRANT USAGE ON *.* TO '${user}'@'%'${name === 'mysql' ? '' : ' WITH MAX_USER_CONNECTIONS 1'}`,
          ...(name === 'mysql' ? [`ALTER USER '${user}'@'%' WITH MAX_USER_CONNECTIONS 1`] : []),
        ]
      : [`CREATE ROLE "${user}" LOGIN PASSWORD 'first' CONNECTION LIMIT 1`, `GRANT SELECT ON t TO "${user}"`];
    for (const grant of grants) await fresh.exec(grant);
    try {
      const as = () =>
        at((url) => {
          url.username = user;
          url.password = 'first';
        });
      const poor = await as();
      try {
        expect(await meaning(poor.sql('SELECT * FROM secret'))).toBe('permission');
        expect(await meaning(poor.sql('SELECT n FROM secret'))).toBe('permission');
        expect(await meaning(poor.sql('DELETE FROM t'))).toBe('permission');
        expect(await meaning(as())).toBe('busy');
      } finally {
        await poor.close();
      }
      if (isMysql) {
        const wrong = at((url) => {
          url.username = user;
          url.password = 'second';
        });
        expect(await meaning(wrong)).toBe('permission');
      }
    } finally {
      await fresh.exec(isMysql ? `DROP USER '${user}'@'%'` : `DROP OWNED BY "${user}"; DROP ROLE "${user}"`);
    }
  });

  test.runIf(isMysql)('a statement that is larger than the server takes', async () => {
    const [[limit] = []] = (await opened.sql('SELECT @@max_allowed_packet')).cells;
    const value = 'x'.repeat(Number(limit) + 1000);
    // Old servers close the connection while we are still sending, so their error message is lost.
    expect(name === 'mysql56' ? ['too large', 'connection'] : ['too large']).toContain(
      await meaning(opened.run({ text: 'SELECT ?', values: [value] })),
    );
  });

  test.runIf(!isMysql)('a snapshot that was overtaken', async () => {
    const other = await openSession(fresh);
    await other.exec('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM parent');
    await fresh.exec('UPDATE parent SET n = 7 WHERE id = 2');
    const error = await failure(other.exec('UPDATE parent SET n = 8 WHERE id = 2'));
    expect(opened.dialect.classifyError(error)).toEqual({ kind: 'retry' });
    await other.close();
  });
});

/** Waits until a session waits for a lock. InnoDB refreshes this information only every tenth of a second. */
async function waiting(fresh: ServerDatabase, isMysql: boolean): Promise<void> {
  const ask = isMysql
    ? "SELECT 1 FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'"
    : "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await fresh.query(ask)).length === 0) await sleep(150);
}

/** Kills the session with the statement that contains 20231, as soon as it runs. */
async function killOne(fresh: ServerDatabase, isMysql: boolean): Promise<void> {
  const ask = isMysql
    ? "SELECT id FROM information_schema.PROCESSLIST WHERE db = database() AND info LIKE 'SELECT sleep(20), 20231%'"
    : "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(20), 20231%'";
  for (;;) {
    // MySQL fails to list processes while another test's statement contains a character outside the BMP.
    const [[id] = []] = await fresh.query(ask).catch((error: unknown) => {
      if (String(error).includes('Cannot convert string')) return [];
      throw error;
    });
    if (id !== undefined) return fresh.exec(isMysql ? `KILL ${id}` : `SELECT pg_terminate_backend(${id})`);
    await sleep(20);
  }
}
