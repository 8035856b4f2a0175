import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { engines, freshDatabase, type ServerDatabase, type ServerEngine } from '../../support/servers/engines.ts';

/** PGlite is not among them: its one session belongs to the gateway, so no other changes its tables. */
const servers = engines().filter((engine) => engine.client !== 'pglite');

const named = servers.map((engine) => [engine.name, engine] as const);
// Most of their time is waiting until the catalogue may be read again: the engines wait together, the tests of one in turn.
describe.concurrent.each(named)('on %s', (_, engine) => {
  describe.sequential('in turn', () => tests(engine));
});

function tests(engine: ServerEngine): void {
  const isMysql = engine.client === 'mysql';
  const retype = (table: string, column: string, type: string) =>
    isMysql
      ? `ALTER TABLE ${table} MODIFY ${column} ${type}`
      : `ALTER TABLE ${table} ALTER ${column} TYPE ${type} USING ${column}::${type}`;
  let database: ServerDatabase;
  let gateway: TestGateway;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id int PRIMARY KEY, n int, note varchar(20))');
    await database.exec("INSERT INTO t VALUES (1, 5, 'five'), (2, 7, 'seven')");
    const access = { read: 'public', write: 'token', deleteAll: false };
    await database.exec('CREATE TABLE quick (id int PRIMARY KEY, n int)');
    gateway = await startGateway({
      databases: { db: { client: engine.client, connection: database.url, refresh: 0 } },
      resources: { t: { database: 'db', table: 't', access }, quick: { database: 'db', table: 'quick', access } },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const search = (params: Record<string, unknown>) => gateway.call('datastore_search', { resource_id: 't', ...params });

  test('an added column is seen when a caller names it', async () => {
    await database.exec('ALTER TABLE t ADD added int');
    const answer = await search({ fields: ['id', 'added'], sort: 'id' });
    expect(JSON.parse(answer.text).result?.records).toEqual([
      { id: 1, added: null },
      { id: 2, added: null },
    ]);
    await database.exec('ALTER TABLE t DROP COLUMN added');
    expect((await search({ fields: ['id', 'added'] })).status).toBe(409);
    expect(JSON.parse((await search({ filters: { id: 1 } })).text).result.records).toEqual([
      { _id: 1, id: 1, n: 5, note: 'five' },
    ]);
  });

  test('a retyped column is never encoded as its former type', async () => {
    await database.exec(retype('t', 'n', 'varchar(40)'));
    await database.exec(`UPDATE t SET n = '"], "injected": [1' WHERE id = 2`);
    const answer = await search({ filters: { id: 2 } });
    expect(JSON.parse(answer.text).result).toMatchObject({
      records: [{ _id: 2, id: 2, n: '"], "injected": [1', note: 'seven' }],
      fields: [{ type: 'int' }, { type: 'int4' }, { id: 'n', type: 'text' }, { type: 'text' }],
      total: 1,
    });
    await database.exec("UPDATE t SET n = '7' WHERE id = 2");
    await database.exec(retype('t', 'n', 'int'));
    // To the catalogue it still is text: compared so, 'seven' would be cast by the engine.
    expect((await search({ filters: { n: 'seven' } })).status).toBe(409);
    expect(JSON.parse((await search({ filters: { n: 7 }, fields: 'id,n' })).text).result.records).toEqual([
      { id: 2, n: 7 },
    ]);
  });

  test('a delete by a retyped column goes by its new type', async () => {
    await database.exec("INSERT INTO t VALUES (3, 9, 'nine')");
    await database.exec(retype('t', 'n', 'varchar(40)'));
    await database.exec("INSERT INTO t VALUES (4, '9abc', 'not nine'), (5, '09', 'not nine')");
    await gateway.result('datastore_records_delete', { resource_id: 't', filters: { n: 9 } });
    expect(await database.query('SELECT id FROM t WHERE id > 2 ORDER BY id')).toEqual([['4'], ['5']]);
    await database.exec('DELETE FROM t WHERE id > 2');
    await database.exec(retype('t', 'n', 'int'));
  });

  test('a value that fits only the new type of a column is found', async () => {
    await database.exec(retype('t', 'n', 'varchar(40)'));
    await database.exec("UPDATE t SET n = 'many' WHERE id = 2");
    // A refusal makes the catalogue be read again at most every 5 s.
    const found = async () => JSON.parse((await search({ filters: { n: 'many' } })).text).result?.total;
    await expect.poll(found, { timeout: 10_000 }).toBe(1);
    await database.exec("UPDATE t SET n = '7' WHERE id = 2");
    await database.exec(retype('t', 'n', 'int'));
  });

  test('a dropped table is 404, and served again when it is back', async () => {
    const quick = () => gateway.call('datastore_search', { resource_id: 'quick' });
    await database.exec('DROP TABLE quick');
    await expect.poll(async () => (await quick()).status, { timeout: 15_000 }).toBe(404);
    await database.exec('CREATE TABLE quick (id int PRIMARY KEY, n int)');
    await expect.poll(async () => (await quick()).status, { timeout: 15_000 }).toBe(200);
  });

  test('a retype under load: every answer is right before or right after', async () => {
    const answers: string[] = [];
    let retyping = true;
    const asking = (async () => {
      while (retyping) {
        const burst = Array.from({ length: 5 }, () => search({ filters: { n: '7' }, fields: 'id,n' }));
        answers.push(...(await Promise.all(burst)).map((answer) => answer.text));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    // A call during which there are two changes may get a 503: however slow the machine, each sees one.
    const aBurst = async () => {
      const { length } = answers;
      while (answers.length < length + 5) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    for (const type of ['varchar(40)', 'int', 'varchar(40)', 'int']) {
      await aBurst();
      await database.exec(retype('t', 'n', type));
    }
    await aBurst();
    retyping = false;
    await asking;
    const records = new Set(answers.map((text) => JSON.stringify(JSON.parse(text).result?.records ?? text)));
    expect([...records].filter((one) => one !== '[{"id":2,"n":7}]' && one !== '[{"id":2,"n":"7"}]')).toEqual([]);
    expect(records.size).toBe(2);
    expect(answers.length).toBeGreaterThan(20);
  });
}
