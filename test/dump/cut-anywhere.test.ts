import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freshDatabase, type ServerDatabase } from '../servers/engines.ts';
import { entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { openTap, type Tap } from '../support/tap.ts';
import { fetched } from './fetched.ts';

// PGlite is in this process: nothing is cut between it and the gateway.
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
      tap = await openTap(database.url);
      gateway = await startGateway({
        databases: { db: { ...entry(database), connection: tap.url } },
        resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
      });
    });
    afterAll(async () => {
      await gateway?.close();
      tap?.close();
      await database?.drop();
    });

    test.each(['csv', 'json'])('a download is the same, wherever what the server says is cut: %s', async (format) => {
      const download = async () => {
        const { body, isWhole } = await fetched(`${gateway.url}/datastore/dump/t?format=${format}`);
        return [isWhole, String(body)];
      };
      const whole = await download();
      expect(whole[1]).toContain('2020-01-02T03:04:08.500');
      try {
        // Also in the few bytes after the last row, in a piece with rows and with none.
        for (let bytes = 20; bytes < 50; bytes++) {
          tap.split(bytes);
          expect(await download()).toEqual(whole);
        }
      } finally {
        tap.split(null);
      }
    });
  },
);
