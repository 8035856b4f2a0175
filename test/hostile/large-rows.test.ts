/** A row that is larger than the limit of the answer is refused as soon as its first bytes announce its size, before it is in memory. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../support/servers/engines.ts';
import { openTap, type Tap } from '../support/tap.ts';

const rowBytes = 40_000_000;
const columns = [...'abcdefghij'];

describe.each(byName(servers()))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let tap: Tap;
  let gateway: TestGateway;
  /** Number of bytes that the server has sent. */
  let sent = 0;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const type = engine.client === 'mysql' ? 'longtext' : 'text';
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, ${columns.map((name) => `${name} ${type}`).join(', ')})`);
    await database.exec('INSERT INTO t (id) VALUES (1)');
    // One column at a time: MySQL 5.6 refuses to write more than 9 MB at once, newer ones more than a tenth of the redo log.
    for (const name of columns) await database.exec(`UPDATE t SET ${name} = REPEAT('x', ${rowBytes / columns.length})`);
    await database.exec("INSERT INTO t (id, a) VALUES (2, 'small')");
    tap = await openTap(database.url);
    tap.watch(
      () => 'pass',
      (bytes) => {
        sent += bytes.length;
        return 0;
      },
    );
    gateway = await startGateway({
      databases: { db: { ...entry(database), connection: tap.url } },
      resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
      limits: { responseBytes: '1MB' },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    tap?.close();
    await database?.drop();
  });

  test.each([
    ['written as objects', {}],
    ['written as lines', { records_format: 'csv' }],
    ['with a cursor', { include_next_page: true }],
  ])('%s', async (_, more) => {
    sent = 0;
    const { status, text } = await gateway.call('datastore_search', { resource_id: 't', limit: 1, ...more });
    expect([status, text]).toEqual([409, expect.stringContaining('limits.responseBytes')]);
    // Besides what the gateway reads, the socket buffers fill up.
    expect(sent).toBeLessThan(rowBytes / 2);
    const { records } = await gateway.result('datastore_search', { resource_id: 't', filters: { id: 2 } });
    expect(records).toMatchObject([{ id: 2, a: 'small' }]);
  });

  test('of a deletion, which then deletes nothing', async () => {
    sent = 0;
    const call = { resource_id: 't', filters: { id: 1 }, include_deleted_records: true };
    const { status, text } = await gateway.call('datastore_records_delete', call);
    expect([status, text]).toEqual([409, expect.stringContaining('nothing was done')]);
    expect(sent).toBeLessThan(rowBytes / 2);
    expect(await database.query('SELECT count(*) FROM t')).toEqual([['2']]);
  });
});
