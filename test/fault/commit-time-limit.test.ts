import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { type FreshDatabase, freshDatabase, openSession } from '../support/servers/engines.ts';
import type { Session } from '../support/servers/sessions.ts';
import { openTap, type Tap } from '../support/tap.ts';

const engines = inject('engines').filter(({ client }) => client === 'postgres');
const access = { read: 'public', write: 'token' };

describe.runIf(engines.length > 0).each(engines)('deferred checks on $name', (engine) => {
  let database: FreshDatabase;
  let holder: Session;
  let tap: Tap;
  let gateway: TestGateway;
  beforeEach(async () => {
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE parent (id int PRIMARY KEY, n int);
      CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      INSERT INTO parent VALUES (1, 0), (2, 0); INSERT INTO child VALUES (1, 1)`);
    holder = await openSession({ client: 'postgres', url: database.url ?? '' });
    tap = await openTap(database.url ?? '');
    gateway = await startGateway({
      databases: { db: { client: 'postgres', connection: tap.url, statementTimeout: '1s', pool: { max: 1 } } },
      resources: {
        parent: { database: 'db', table: 'parent', access },
        child: { database: 'db', table: 'child', access },
      },
    });
  });
  afterEach(async () => {
    tap?.thaw();
    await gateway?.close();
    tap?.close();
    await holder?.close();
    await database?.drop();
  });

  const children = () => database.query('SELECT id, parent FROM child ORDER BY id');
  /** Only sessions of this database: other test files wait for locks on the same server, too. */
  const ownSessions = '(SELECT pid FROM pg_stat_activity WHERE datname = current_database())';
  const waiting = async () =>
    (await holder.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN ${ownSessions}`)).length;
  const write = (method: string, ...records: readonly object[]) =>
    gateway.call('datastore_upsert', { resource_id: 'child', method, records });
  /** Each write, and the table whose records its constraint checks lock. */
  const writes = {
    'an insert': ['parent', () => write('insert', { id: 9, parent: 2 })],
    'an update of one record': ['parent', () => write('update', { id: 1, parent: 2 })],
    'an upsert of two records': ['parent', () => write('upsert', { id: 1, parent: 2 }, { id: 9, parent: 2 })],
    'a delete': [
      'child',
      () => gateway.call('datastore_records_delete', { resource_id: 'parent', filters: { id: 1 } }),
    ],
  } as const;

  test.each(Object.entries(writes))(
    '%s whose checks wait ends in time, although nobody cancels it',
    async (_, [locked, run]) => {
      await holder.exec(`BEGIN; SELECT * FROM ${locked} FOR UPDATE`);
      const before = await children();
      const answer = run().catch(() => null);
      await expect.poll(waiting, { interval: 10 }).toBe(1);
      // Now the gateway can neither cancel the statement nor close the connection.
      tap.freeze();
      await expect.poll(waiting, { timeout: 2500 }).toBe(0);
      await holder.exec('ROLLBACK');
      tap.thaw();
      await answer;
      expect(await children()).toEqual(before);
    },
  );

  test('a check that waits for too long is a 409, and the session is used again', async () => {
    await holder.exec('BEGIN; SELECT * FROM parent FOR UPDATE');
    const { status, text } = await write('insert', { id: 9, parent: 2 });
    expect([status, text]).toEqual([409, expect.stringContaining('took too long')]);
    await holder.exec('ROLLBACK');
    expect((await write('insert', { id: 9, parent: 2 })).status).toBe(200);
  });

  test('a check that fails undoes the write, and the session is used again', async () => {
    for (const method of ['insert', 'upsert']) {
      const { status, text } = await write(method, { id: 9, parent: 7 });
      expect([status, text]).toEqual([409, expect.stringContaining('violates foreign key constraint')]);
      expect(await children()).toEqual([['1', '1']]);
    }
    expect((await write('insert', { id: 9, parent: 2 })).status).toBe(200);
    expect(await children()).toEqual([
      ['1', '1'],
      ['9', '2'],
    ]);
  });
});
