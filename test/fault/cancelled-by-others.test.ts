/** An administrator cancels a statement of the gateway: the call fails, and caching continues. */
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { byName, freshDatabase, onePerDriver, openSession } from '../support/servers/engines.ts';

const waiting = {
  postgres: `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  mysql: `SELECT id FROM information_schema.processlist WHERE db = database() AND info LIKE 'UPDATE %' AND id <> connection_id()`,
};

test.each(byName(onePerDriver()))('a write that somebody else cancels, on %s', async (_, engine) => {
  const database = await freshDatabase(engine);
  await database.exec('CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0)');
  const holder = await openSession({ client: engine.client, url: database.url });
  const gateway = await startGateway({
    // A single session, so that later reads reuse the session of the write.
    databases: { db: { client: engine.client, connection: database.url, pool: { max: 1 } } },
    resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
    cache: { ttl: '1h' },
  });
  const read = async () => {
    const { headers } = await gateway.call('datastore_search', { resource_id: 't' });
    return headers.get('x-cache');
  };
  try {
    await expect.poll(read).toBe('HIT');
    await holder.exec('BEGIN; UPDATE t SET n = 5 WHERE id = 1');
    const writing = gateway.call('datastore_upsert', { resource_id: 't', records: [{ id: 1, n: 9 }] });
    let found: string | null | undefined;
    const running = async () => {
      found = (await database.query(waiting[engine.client]))[0]?.[0];
      return found;
    };
    await expect.poll(running).toBeTruthy();
    await database.exec(engine.client === 'postgres' ? `SELECT pg_cancel_backend(${found})` : `KILL QUERY ${found}`);
    const { status } = await writing;
    // MariaDB reports an interrupted statement, and sometimes a timeout.
    expect(engine.client === 'postgres' ? [409] : [409, 503]).toContain(status);
    await holder.exec('ROLLBACK');
    expect(await database.query('SELECT n FROM t')).toEqual([['0']]);
    await expect.poll(read).toBe('HIT');
  } finally {
    await gateway.close();
    await holder.close();
    await database.drop();
  }
});
