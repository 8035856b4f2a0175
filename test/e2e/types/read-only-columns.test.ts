import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type Engine, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

interface Fixed {
  readonly ddl: string;
  /** Each read-only column, and the value it shows for the record with n = 21. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The columns that can be filtered. */
  readonly computed: readonly string[];
}

const onPostgres: Fixed = {
  ddl: `CREATE TYPE pair AS (a int, b text);
    CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int, twice int GENERATED ALWAYS AS (n * 2) STORED,
      spot point DEFAULT '(1,2.5)', area polygon DEFAULT '((0,0),(0,1),(1,0))', p pair DEFAULT ROW(1, 'a b'),
      pairs pair[] DEFAULT ARRAY[ROW(1, 'x')::pair], bits "char" DEFAULT 'c');
    INSERT INTO t (n) VALUES (21), (22);`,
  shown: {
    id: 1,
    twice: 42,
    spot: '(1,2.5)',
    area: '((0,0),(0,1),(1,0))',
    p: '(1,"a b")',
    pairs: '{"(1,x)"}',
    bits: 'c',
  },
  computed: ['id', 'twice'],
};
const generated = ', twice int GENERATED ALWAYS AS (n * 2) STORED, thrice int GENERATED ALWAYS AS (n * 3) VIRTUAL';
const onMysql = (hasGenerated: boolean): Fixed => ({
  ddl: `CREATE TABLE t (id int PRIMARY KEY AUTO_INCREMENT, n int${hasGenerated ? generated : ''}, spot point, area polygon);
    INSERT INTO t (n, spot, area) VALUES (21, ST_GeomFromText('POINT(1 2.5)'), ST_GeomFromText('POLYGON((0 0,0 1,1 0,0 0))')),
      (22, NULL, NULL);`,
  shown: {
    ...(hasGenerated ? { twice: 42, thrice: 63 } : {}),
    spot: 'POINT(1 2.5)',
    area: 'POLYGON((0 0,0 1,1 0,0 0))',
  },
  computed: hasGenerated ? ['twice', 'thrice'] : [],
});
const fixedOn = ({ client, name }: Engine): Fixed => (client === 'mysql' ? onMysql(name !== 'mysql56') : onPostgres);

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const { ddl, shown, computed } = fixedOn(engine);
  const columns = Object.keys(shown);
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(ddl);
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  const search = async (filters: Record<string, unknown>, fields = columns) =>
    (await gateway.result('datastore_search', { resource_id: 't', fields, filters })).records;
  const upsert = async (method: string, record: Record<string, unknown>) => {
    const { status, text } = await gateway.call('datastore_upsert', { resource_id: 't', method, records: [record] });
    return [status, JSON.parse(text).error?.records_field];
  };

  test('what the database computes is shown, and geometry and composites as text', async () => {
    expect(await search({ n: 21 })).toEqual([shown]);
  });

  test.each(columns)('%s cannot be written', async (column) => {
    expect(await upsert('insert', { n: 1, [column]: shown[column] })).toEqual([409, column]);
    // A read-only key can still be used to find its record.
    const changed = column === 'id' ? [200, undefined] : [409, column];
    expect(await upsert('update', { id: 1, n: 21, [column]: shown[column] })).toEqual(changed);
  });

  test.each(computed)('%s can be filtered', async (column) => {
    expect(await search({ [column]: shown[column] }, ['n'])).toEqual([{ n: 21 }]);
  });

  test.each(columns.filter((column) => !computed.includes(column)))('%s cannot be filtered', async (column) => {
    for (const action of ['datastore_search', 'datastore_records_delete']) {
      const answer = await gateway.call(action, { resource_id: 't', filters: { [column]: shown[column] } });
      expect([answer.status, JSON.parse(answer.text).error.filters?.[0]]).toEqual([
        409,
        expect.stringContaining(`"${column}"`),
      ]);
    }
  });

  test('a record without them gets what the database computes', async () => {
    expect(await upsert('insert', { n: 50 })).toEqual([200, undefined]);
    expect(await upsert('update', { _id: 2, n: 23 })).toEqual([200, undefined]);
    for (const name of computed.filter((column) => column !== 'id')) {
      const factor = Number(shown[name]) / 21;
      expect(await search({ n: [50, 23] }, [name])).toEqual([{ [name]: 23 * factor }, { [name]: 50 * factor }]);
    }
    expect(await search({ n: [50, 23] }, ['n'])).toEqual([{ n: 23 }, { n: 50 }]);
  });
});
