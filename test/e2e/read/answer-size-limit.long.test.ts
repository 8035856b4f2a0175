import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordsFormats } from '../../../src/model/http.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const longName = 'n'.repeat(60);
const rows = 20_000;

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, ${longName} int)`);
    for (let at = 0; at < rows; at += 5000) {
      const values = Array.from({ length: 5000 }, (_, nth) => `(${at + nth}, ${nth})`);
      await database.exec(`INSERT INTO t VALUES ${values.join(', ')}`);
    }
    gateway = await startGateway({
      databases: { db: { ...entry(database), ...(engine.name === 'pglite' ? {} : { pool: { max: 1 } }) } },
      resources: { t: { database: 'db', table: 't', cache: { ttl: '0s' } } },
      limits: { responseBytes: '200kB' },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const search = async (limit: number, records_format: string) => {
    const params = { resource_id: 't', limit, records_format, include_total: false };
    const { status, text } = await gateway.call('datastore_search', params);
    return { status, ...JSON.parse(text) };
  };

  // The limit is reached by the rows that the server sends, or only by the column names that are repeated in each record.
  test.each([...recordsFormats.map((format) => [format, rows] as const), ['objects', 3000] as const])(
    '%s, %i records: a refusal that says what to change, and the session is none the worse',
    async (format, limit) => {
      expect(await search(limit, format)).toMatchObject({
        status: 409,
        error: { __type: 'Validation Error', limit: [expect.stringMatching(/200000 bytes/)] },
      });
      const { status, result } = await search(2, format);
      expect([status, result.fields.length]).toEqual([200, 3]);
      expect((await search(1000, format)).status).toBe(200);
    },
  );
});
