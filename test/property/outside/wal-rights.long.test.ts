import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { freshDatabase, type ServerDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { variants } from './variants.ts';

const variant = variants().find(({ queried }) => queried === 'wal');
const walFunction = 'pg_get_wal_records_info(pg_lsn, pg_lsn)';

describe.skipIf(variant === undefined)('pg_walinspect and its rights', () => {
  let scope: Scope;
  let engine: ServerEngine;
  let database: ServerDatabase;
  let gateway: TestGateway | null = null;
  let connection = '';
  beforeAll(async () => {
    scope = openScope();
    if (variant !== undefined) engine = await variant.start(scope);
  });
  afterAll(() => scope.close());
  beforeEach(async () => {
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE a (id integer PRIMARY KEY, n integer); INSERT INTO a VALUES (1, 0);
      CREATE TABLE other (n integer); CREATE TABLE bulk (n integer); INSERT INTO other VALUES (0); CREATE ROLE narrow LOGIN; GRANT SELECT ON a TO narrow`);
    const url = new URL(database.url);
    url.username = 'narrow';
    connection = url.href;
  });
  afterEach(async () => {
    await gateway?.close();
    gateway = null;
    await database.exec('DROP OWNED BY narrow; DROP ROLE narrow');
    await database.drop();
  });

  const start = async (feed: string) => {
    gateway = await startGateway({
      databases: { db: { client: 'postgres', connection, maxStaleness: '50ms', refresh: 0, feed } },
      resources: { a: { database: 'db', table: 'a', access: { read: 'public' } } },
      cache: { ttl: '1h' },
    });
  };
  const read = async () => {
    const response = await fetch(`${gateway?.url}/api/3/action/datastore_search?resource_id=a`);
    const { result }: { result: { records: readonly { n: number }[] } } = JSON.parse(await response.text());
    return { isHit: response.headers.get('x-cache') === 'HIT', n: result.records[0]?.n };
  };
  /** Whether a write to `other`, which has no resource, leaves the answers of `a` in the cache. */
  const isNamed = async () => {
    await read();
    await database.exec('UPDATE other SET n = n + 1');
    await sleep(60);
    return (await read()).isHit;
  };
  const settled = () => expect.poll(isNamed, { timeout: 20_000 }).toBe(true);

  test('without the extension the gateway does not start; one function is enough', async () => {
    await expect(start('wal')).rejects.toThrow(
      `is wal, which cannot be used: the database lacks the extension pg_walinspect. To change that: CREATE EXTENSION pg_walinspect; GRANT EXECUTE ON FUNCTION ${walFunction} TO narrow`,
    );
    await database.exec('CREATE SCHEMA apart; CREATE EXTENSION pg_walinspect SCHEMA apart');
    await expect(start('wal')).rejects.toThrow(
      'the search_path of narrow finds no pg_get_wal_records_info of pg_walinspect, which is in the schema apart',
    );
    await database.exec('ALTER EXTENSION pg_walinspect SET SCHEMA public');
    await expect(start('wal')).rejects.toThrow('narrow may not execute pg_get_wal_records_info');
    await database.exec(`GRANT EXECUTE ON FUNCTION ${walFunction} TO narrow`);
    await start('auto');
    await settled();
    await database.exec('UPDATE a SET n = 7');
    await sleep(60);
    expect(await read()).toEqual({ isHit: false, n: 7 });
  });

  test.each([
    ['a right that is revoked', `REVOKE EXECUTE ON FUNCTION ${walFunction} FROM narrow`],
    ['an extension that is dropped', 'DROP EXTENSION pg_walinspect'],
  ])('%s leaves no answer old, and names come back with it', async (_, without) => {
    await database.exec(`CREATE EXTENSION pg_walinspect; GRANT EXECUTE ON FUNCTION ${walFunction} TO narrow`);
    await start('wal');
    await settled();
    await database.exec(without);
    for (let n = 1; n <= 5; n++) {
      await database.exec(`UPDATE a SET n = ${n}`);
      await sleep(60);
      expect((await read()).n).toBe(n);
    }
    expect(await isNamed()).toBe(false);
    await database.exec(
      `CREATE EXTENSION IF NOT EXISTS pg_walinspect; GRANT EXECUTE ON FUNCTION ${walFunction} TO narrow`,
    );
    await settled();
  });

  test('a transaction that is too large to be read, or began too early, names nothing and leaves no answer old', async () => {
    await database.exec(`CREATE EXTENSION pg_walinspect; GRANT EXECUTE ON FUNCTION ${walFunction} TO narrow`);
    await start('wal');
    await settled();
    await database.exec('UPDATE a SET n = 1; INSERT INTO bulk SELECT n FROM generate_series(1, 50000) n');
    await sleep(60);
    expect(await read()).toEqual({ isHit: false, n: 1 });
    await settled();
    await database.exec(`BEGIN; UPDATE a SET n = 2; PREPARE TRANSACTION 'early'`);
    await database.exec('INSERT INTO bulk SELECT n FROM generate_series(1, 50000) n');
    await settled();
    await database.exec(`COMMIT PREPARED 'early'`);
    await sleep(60);
    expect(await read()).toEqual({ isHit: false, n: 2 });
    await settled();
  });
});
