import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { fetched } from '../../support/fetched.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';

const cache = { ttl: '0s' };

// Without PGlite, which has no network.
describe.runIf(inject('engines').length > 0).each(inject('engines').map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    let database: ServerDatabase;
    let tap: Tap;
    let gateway: TestGateway;
    beforeAll(async () => {
      database = await freshDatabase(engine);
      const type = engine.client === 'postgres' ? 'timestamp' : 'datetime(3)';
      await database.exec(`CREATE TABLE t (id int PRIMARY KEY, at ${type}, name varchar(20), till ${type})`);
      const rows = Array.from({ length: 9 }, (_, nth) => {
        const at = `2020-01-02 03:04:0${nth}${nth % 2 === 0 ? '.5' : ''}`;
        return `(${nth}, '${at}', 'a,"${nth}"', ${nth === 4 ? 'NULL' : `'${at}'`})`;
      });
      await database.exec(`INSERT INTO t VALUES ${rows.join(', ')}`);
      await database.exec('CREATE TABLE wide (id int PRIMARY KEY, text text)');
      await database.exec(`INSERT INTO wide VALUES (1, NULL), (2, '${'x'.repeat(60_000)}'), (3, 'ü')`);
      tap = await openTap(database.url);
      gateway = await startGateway({
        databases: { db: { ...entry(database), connection: tap.url } },
        resources: Object.fromEntries(['t', 'wide'].map((table) => [table, { database: 'db', table, cache }])),
      });
    });
    afterAll(async () => {
      await gateway?.close();
      tap?.close();
      await database?.drop();
    });

    /** Repeats a request while the server's bytes are split into pieces of different lengths. */
    const isTheSame = async (ask: () => Promise<unknown>, sizes: readonly number[]) => {
      const whole = await ask();
      try {
        for (const bytes of sizes) {
          tap.split(bytes);
          expect(await ask()).toEqual(whole);
        }
      } finally {
        tap.split(null);
      }
      return whole;
    };
    // Lengths that also split the few bytes after the last row.
    const sizes = Array.from({ length: 30 }, (_, nth) => 20 + nth);

    test.each(['csv', 'json'])(
      'a download is the same, wherever the bytes of the server are cut: %s',
      async (format) => {
        const download = async () => {
          const { body, isWhole } = await fetched(`${gateway.url}/datastore/dump/t?format=${format}`);
          return [isWhole, String(body)];
        };
        const whole = await isTheSame(download, sizes);
        expect(whole).toEqual([true, expect.stringContaining('2020-01-02T03:04:08.500')]);
      },
    );

    test('so is a search', async () => {
      const search = (resource_id: string) => async () =>
        (await gateway.result('datastore_search', { resource_id })).records;
      expect(await isTheSame(search('t'), sizes)).toHaveLength(9);
      const { records } = await gateway.result('datastore_search', { resource_id: 'wide' });
      expect(records).toMatchObject([{ text: null }, { text: 'x'.repeat(60_000) }, { text: 'ü' }]);
      expect(await isTheSame(search('wide'), [1000, 4099, 59_999])).toEqual(records);
    });
  },
);
