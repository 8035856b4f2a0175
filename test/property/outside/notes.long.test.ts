import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TokenLog, TokenSource } from '../../../src/model/token.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { open } from '../../support/open-database.ts';
import { installFeed } from '../../support/queried-feeds.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { variants } from './variants.ts';

const variant = variants().find(({ queried }) => queried === 'triggers');

describe.skipIf(variant === undefined)('notes of triggers on PostgreSQL', () => {
  let scope: Scope;
  let engine: ServerEngine;
  let database: ServerDatabase;
  const gateways: TestGateway[] = [];
  beforeAll(async () => {
    scope = openScope();
    if (variant !== undefined) engine = await variant.start(scope);
  });
  afterAll(() => scope.close());
  beforeEach(async () => {
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE a (id integer PRIMARY KEY, n integer); CREATE TABLE b (id integer PRIMARY KEY, n integer);
      CREATE TABLE other (id integer PRIMARY KEY, n integer); INSERT INTO a VALUES (1, 0); INSERT INTO b VALUES (1, 0); INSERT INTO other VALUES (1, 0);
      CREATE SCHEMA hidden; CREATE TABLE hidden.t (id integer PRIMARY KEY, n integer); INSERT INTO hidden.t VALUES (1, 0);
      CREATE VIEW v AS SELECT id, n FROM hidden.t`);
  });
  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.close();
    await database.drop();
  });

  const start = async (feed: string, connection = database.url) => {
    const gateway = await startGateway({
      databases: { db: { client: 'postgres', connection, maxStaleness: '50ms', refresh: 0, feed } },
      resources: Object.fromEntries(
        ['a', 'b', 'v'].map((table) => [table, { database: 'db', table, key: ['id'], access: { read: 'public' } }]),
      ),
      cache: { ttl: '1h' },
    });
    gateways.push(gateway);
    return gateway;
  };
  const read = async ({ url }: TestGateway, table: string) => {
    const response = await fetch(`${url}/api/3/action/datastore_search?resource_id=${table}`);
    const { result }: { result: { records: readonly { n: number }[] } } = JSON.parse(await response.text());
    return { isHit: response.headers.get('x-cache') === 'HIT', n: result.records[0]?.n };
  };
  const later = () => sleep(60);
  /** Until a write to `other`, which has no resource, leaves these in the cache. */
  const settled = (gateway: TestGateway, tables: readonly string[]) =>
    expect
      .poll(
        async () => {
          for (const table of tables) await read(gateway, table);
          await database.exec('UPDATE other SET n = n + 1');
          await later();
          return Promise.all(tables.map(async (table) => (await read(gateway, table)).isHit));
        },
        { timeout: 20_000 },
      )
      .toEqual(tables.map(() => true));
  const install = () => installFeed('triggers', database, ['a', 'b', 'v']);

  test('without them the gateway does not start, and prints the SQL that makes it start', async () => {
    await expect(start('triggers')).rejects.toThrow(
      /databases\.db\.feed.*CREATE SCHEMA gw; CREATE UNLOGGED TABLE gw\.touched/,
    );
    await expect(start('required')).rejects.toThrow('wal_level is minimal');
    await install();
    await settled(await start('triggers'), ['a', 'b', 'v']);
  });

  test('a role with rights to the views and the notes is enough', async () => {
    await install();
    await database.exec(`CREATE ROLE narrow LOGIN; GRANT SELECT ON a, b, v TO narrow`);
    const url = new URL(database.url);
    url.username = 'narrow';
    try {
      await expect(start('triggers', url.href)).rejects.toThrow('narrow may not read gw.touched');
      await database.exec(`GRANT USAGE ON SCHEMA gw TO narrow; GRANT SELECT, DELETE ON gw.touched TO narrow;
        GRANT SELECT, UPDATE ON gw.swept TO narrow`);
      const gateway = await start('triggers', url.href);
      await settled(gateway, ['a', 'b', 'v']);
      await database.exec('UPDATE hidden.t SET n = 5');
      await later();
      expect([await read(gateway, 'v'), await read(gateway, 'a')]).toEqual([
        { isHit: false, n: 5 },
        { isHit: true, n: 0 },
      ]);
    } finally {
      await database.exec('DROP OWNED BY narrow; DROP ROLE narrow');
    }
  });

  test.each([
    ['a disabled trigger', 'ALTER TABLE a DISABLE TRIGGER gw_touch', 'ALTER TABLE a ENABLE ALWAYS TRIGGER gw_touch'],
    [
      'a trigger that replication skips',
      'ALTER TABLE a ENABLE TRIGGER gw_touch',
      'ALTER TABLE a ENABLE ALWAYS TRIGGER gw_touch',
    ],
    ['a dropped trigger', 'DROP TRIGGER gw_touch ON a', null],
  ])('%s leaves no answer old, and costs the answers of its table only', async (_, without, again) => {
    await install();
    const gateway = await start('triggers');
    await settled(gateway, ['a', 'b', 'v']);
    await database.exec(without);
    await settled(gateway, ['b', 'v']);
    await read(gateway, 'a');
    await database.exec('UPDATE a SET n = 1');
    await later();
    expect(await read(gateway, 'a')).toEqual({ isHit: false, n: 1 });
    await database.exec('UPDATE other SET n = n + 1');
    await later();
    expect((await read(gateway, 'a')).isHit).toBe(false);
    if (again === null) return;
    await database.exec(again);
    await settled(gateway, ['a', 'b', 'v']);
    // Between two questions.
    for (const statement of [without, 'UPDATE a SET n = 2', again]) await database.exec(statement);
    await later();
    expect(await read(gateway, 'a')).toEqual({ isHit: false, n: 2 });
  });

  test.each([
    ['notes that are emptied', 'TRUNCATE gw.touched'],
    ['notes that are hidden', 'ALTER TABLE gw.touched ENABLE ROW LEVEL SECURITY'],
    [
      'another function',
      `CREATE OR REPLACE FUNCTION gw.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    ],
    ['no notes', 'DROP SCHEMA gw CASCADE'],
  ])('%s leave no answer old', async (_, meddle) => {
    await install();
    const gateway = await start('triggers');
    await settled(gateway, ['a', 'b', 'v']);
    const session = await openSession(database);
    await session.exec('BEGIN');
    await session.exec('UPDATE a SET n = 1');
    await database.exec('UPDATE b SET n = 1');
    // TRUNCATE would wait for the note of the open transaction.
    if (!meddle.startsWith('CREATE')) await session.exec('COMMIT');
    await database.exec(meddle);
    if (meddle.startsWith('CREATE')) await session.exec('COMMIT');
    await session.close();
    await later();
    expect([(await read(gateway, 'a')).n, (await read(gateway, 'b')).n]).toEqual([1, 1]);
    await database.exec('UPDATE a SET n = 2');
    await later();
    expect((await read(gateway, 'a')).n).toBe(2);
  });

  test('notes that have been read are deleted, every ten seconds', async () => {
    await install();
    const gateway = await start('triggers');
    const notes = async () => Number((await database.query('SELECT count(*) FROM gw.touched'))[0]?.[0]);
    const changed = async (n: number) => {
      await database.exec(`UPDATE a SET n = ${n}; UPDATE b SET n = ${n}`);
      await later();
      expect([(await read(gateway, 'a')).n, (await read(gateway, 'b')).n]).toEqual([n, n]);
    };
    await settled(gateway, ['a', 'b']);
    for (const n of [1, 2, 3]) await changed(n);
    const before = await notes();
    expect(before).toBeGreaterThanOrEqual(3);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
    try {
      await changed(4);
      // Those that are newer than the last time stay until the next.
      clock.mockImplementation(() => now() + 20_000);
      await changed(5);
      await expect.poll(notes, { timeout: 5000 }).toBeLessThan(before);
      await changed(6);
    } finally {
      clock.mockRestore();
    }
  });

  test('what one gateway deletes, another that has not read it does not miss', async () => {
    await install();
    const opened = await open(database);
    try {
      const source = await opened.token();
      const log = source?.queried.triggers;
      if (source === null || log === undefined) throw new Error('no triggers');
      const names = [{ database: '', schema: 'public', name: 'a' }];
      const relations = { served: names, shown: names, related: names };
      const before = await opened.sample(source);
      await database.exec('UPDATE a SET n = 1');
      const after = await opened.sample(source);
      expect(await tablesOf(source, log, before, after)).toContain('a');
      // Another gateway is further.
      await database.exec('UPDATE a SET n = 2');
      const swept = log.sweep?.(await opened.sample(source));
      if (swept !== undefined) await opened.run(swept);
      expect(await database.query('SELECT count(*) FROM gw.touched')).toEqual([['0']]);
      expect(await tablesOf(source, log, before, after)).toBeNull();
      const next = await opened.sample(source);
      await database.exec('UPDATE a SET n = 3');
      expect(await tablesOf(source, log, next, await opened.sample(source))).toContain('a');
      // Nothing old is left: nothing is written.
      const idle = await opened.sample(source);
      if (swept !== undefined) await opened.run(swept);
      expect(await opened.sample(source)).toBe(idle);

      async function tablesOf({ ended }: TokenSource, { inspect, question }: TokenLog, from: string, to: string) {
        const ids = ended(from, to) ?? [];
        const answers = [];
        for (const statement of inspect(from, ids, relations, null)) answers.push(await opened.run(statement));
        const found = question({ before: from, after: to }, ids, answers, null, relations);
        return found === null || !('tables' in found) ? null : (found.tables?.map(({ name }) => name) ?? null);
      }
    } finally {
      await opened.close();
    }
  });

  test('a transaction that was prepared before a crash is not missed, although the crash loses the notes', async () => {
    await install();
    const gateway = await start('triggers');
    await settled(gateway, ['a', 'b', 'v']);
    await database.exec('BEGIN; UPDATE a SET n = 7');
    await database.exec(`PREPARE TRANSACTION 'p'`);
    const again = await scope.stop(Number(new URL(engine.url).port), 'SIGQUIT');
    await again();
    const session = await openSession(database);
    await expect.poll(() => read(gateway, 'a').catch(() => null), { timeout: 20_000 }).toMatchObject({ n: 0 });
    await session.exec('UPDATE other SET n = n + 1');
    await later();
    await read(gateway, 'a');
    await session.exec(`COMMIT PREPARED 'p'`);
    await session.close();
    await later();
    expect((await read(gateway, 'a')).n).toBe(7);
  });
});
