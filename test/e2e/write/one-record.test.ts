import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';

const access = { read: 'token', write: 'token', deleteAll: true };

// Without PGlite: it has no network round trips to save.
describe.runIf(inject('engines').length > 0).each(inject('engines').map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    const isMysql = engine.client === 'mysql';
    let database: ServerDatabase;
    let gateway: TestGateway;
    let tap: Tap;
    let sent = '';

    beforeAll(async () => {
      database = await freshDatabase(engine);
      await database.exec(`CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL, b varchar(5));
      CREATE TABLE pair (x int, y varchar(20) NOT NULL, a int, PRIMARY KEY (x, y));
      CREATE TABLE turned (k int PRIMARY KEY, a int);
      CREATE TABLE exact (k int PRIMARY KEY, a real);
      CREATE TABLE parted (k int PRIMARY KEY, a int) PARTITION BY RANGE (k)${isMysql ? ' (PARTITION one VALUES LESS THAN (10))' : '; CREATE TABLE one PARTITION OF parted FOR VALUES FROM (0) TO (10)'}`);
      tap = await openTap(database.url);
      tap.watch((bytes) => {
        sent += bytes.toString('latin1');
        return 'pass';
      });
      const resource = (table: string) => ({ database: 'db', table, access });
      gateway = await startGateway({
        databases: { db: { ...entry(database), connection: tap.url } },
        resources: Object.fromEntries(['t', 'pair', 'turned', 'parted', 'exact'].map((name) => [name, resource(name)])),
      });
    });
    afterAll(async () => {
      await gateway?.close();
      tap?.close();
      await database?.drop();
    });

    const upsert = (resource_id: string, record: object, method = 'upsert') =>
      gateway.call('datastore_upsert', { resource_id, records: [record], method });
    const rows = (table: string, order: string) => database.query(`SELECT * FROM ${table} ORDER BY ${order}`);
    const shown = async (table: string, order = 'k') => (await rows(table, order)).map((row) => row.map(String));

    test('a record that is there costs one way to the server', async () => {
      await database.exec(
        `INSERT INTO t VALUES (1, 1, 'x'), (2, 2, 'x'); INSERT INTO pair VALUES (1, 'A', 1), (1, 'b', 1)`,
      );
      // From the second time on, a PostgreSQL session uses a prepared statement.
      for (const [method, a, texts] of [
        ['upsert', 7, 2],
        ['update', 8, isMysql ? 2 : 0],
      ] as const) {
        sent = '';
        expect((await upsert('t', { k: 2, a, b: null }, method)).status).toBe(200);
        expect((await upsert('pair', { x: 1, y: 'A', a }, method)).status).toBe(200);
        expect(sent).not.toMatch(/BEGIN|for update|COMMIT/i);
        expect(sent.match(/\bupdate /g) ?? []).toHaveLength(texts);
        expect(await shown('t')).toEqual([
          ['1', '1', 'x'],
          ['2', String(a), 'null'],
        ]);
        expect(await shown('pair', 'y')).toEqual([
          ['1', 'A', String(a)],
          ['1', 'b', '1'],
        ]);
      }
    });

    test.skipIf(isMysql)('no session keeps a plan of all partitions', async () => {
      await database.exec(`INSERT INTO parted VALUES (1, 0)`);
      for (let a = 1; a < 4; a++) {
        sent = '';
        expect((await upsert('parted', { k: 1, a })).status).toBe(200);
        expect(sent).not.toMatch(/BEGIN/i);
        expect(sent.match(/\bupdate /g)).toHaveLength(1);
        expect(await shown('parted')).toEqual([['1', String(a)]]);
      }
    });

    test('one that is not there is inserted, and one that only resembles it is left alone', async () => {
      expect((await upsert('t', { k: 3, a: 3 })).status).toBe(200);
      expect(await shown('t')).toHaveLength(3);
      const { status } = await upsert('pair', { x: 1, y: 'a', a: 9 });
      // Where the collation considers both equal, the unique index does too.
      expect(status).toBe(isMysql ? 409 : 200);
      expect((await shown('pair', 'y')).filter(([, y]) => y === 'A')).toEqual([['1', 'A', '8']]);
    });

    test('an error of the server names the record and field, and nothing is written', async () => {
      const before = await shown('t');
      for (const [record, field] of [
        [{ k: 1, a: null }, 'a'],
        [{ k: 1, b: 'too long' }, 'b'],
      ] as const) {
        const { status, text } = await upsert('t', record);
        expect([status, JSON.parse(text).error]).toEqual([409, expect.objectContaining({ records_row: 0 })]);
        expect(JSON.parse(text).error.records_field).toBe(field);
      }
      expect(await shown('t')).toEqual(before);
    });

    // MySQL always gets a FLOAT as the double that it stores.
    test.skipIf(isMysql)('a column that became a double meanwhile holds what was sent', async () => {
      await database.exec('INSERT INTO exact VALUES (1, 0)');
      expect((await upsert('exact', { k: 1, a: 0.5 })).status).toBe(200);
      await database.exec('ALTER TABLE exact ALTER a TYPE double precision');
      expect((await upsert('exact', { k: 1, a: 0.1 })).status).toBe(200);
      expect(await shown('exact')).toEqual([['1', '0.1']]);
    });

    test('a key that became a text meanwhile leads to no other record', async () => {
      await upsert('turned', { k: 5, a: 1 });
      await database.exec(
        isMysql
          ? "ALTER TABLE turned MODIFY k varchar(20); DELETE FROM turned; INSERT INTO turned VALUES ('05', 1)"
          : "ALTER TABLE turned ALTER k TYPE text; DELETE FROM turned; INSERT INTO turned VALUES ('05', 1)",
      );
      await upsert('turned', { k: 5, a: 7 });
      expect((await shown('turned')).filter(([k]) => k !== '5')).toEqual([['05', '1']]);
    });
  },
);
