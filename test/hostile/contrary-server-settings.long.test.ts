import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { type FreshDatabase, freshDatabase, openSession, type ServerEngine } from '../support/servers/engines.ts';
import { startMariadb } from '../support/servers/mariadb.ts';
import { startMysql56 } from '../support/servers/mysql56.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { attack } from './attack.ts';
import { jsons, texts } from './payloads.ts';
import { nearTheDatabase } from './positions.ts';
import { columns, configuration, furnish, kin, snapshot } from './world.ts';

/** Server settings that change how values are quoted, formatted, compared or committed. Not every server knows all of them. */
const mysqlGlobals: readonly string[] = [
  "sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES,PAD_CHAR_TO_FULL_LENGTH,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,NO_ZERO_DATE,NO_ZERO_IN_DATE,IGNORE_SPACE'",
  ...["time_zone = '+05:30'", 'autocommit = 0', 'sql_select_limit = 1', 'sql_auto_is_null = 1', 'sql_safe_updates = 1'],
  ...["completion_type = 'RELEASE'", 'foreign_key_checks = 0', 'unique_checks = 0', "character_set_client = 'gbk'"],
  ...["character_set_results = 'latin1'", "collation_connection = 'gbk_chinese_ci'", "tx_isolation = 'SERIALIZABLE'"],
];

/** The same for a role or a database of PostgreSQL. */
const postgresSettings: readonly string[] = [
  ...[
    "DateStyle = 'SQL, DMY'",
    "IntervalStyle = 'sql_standard'",
    "bytea_output = 'escape'",
    'extra_float_digits = -15',
  ],
  ...[
    'standard_conforming_strings = off',
    'backslash_quote = on',
    "TimeZone = 'America/St_Johns'",
    'array_nulls = off',
  ],
  ...["default_transaction_isolation = 'serializable'", 'search_path = zq_odd', "client_encoding = 'LATIN1'"],
  ...[
    'transform_null_equals = on',
    'quote_all_identifiers = on',
    'gin_fuzzy_search_limit = 1',
    "lc_monetary = 'C.UTF-8'",
  ],
];

/** Starts a separate server, because global settings of the shared one would affect other tests. */
async function ownServer(engine: ServerEngine, scope: Scope): Promise<ServerEngine | null> {
  if (engine.name === 'mariadb') return { ...engine, url: await startMariadb(scope, thisMachine()) };
  return engine.name === 'mysql56' ? { ...engine, url: await startMysql56(scope, thisMachine()) } : null;
}

async function contraryMysql(server: ServerEngine): Promise<readonly string[]> {
  const session = await openSession(server);
  const refused: string[] = [];
  for (const setting of mysqlGlobals) await session.exec(`SET GLOBAL ${setting}`).catch(() => refused.push(setting));
  await session.close();
  return refused;
}

/** Creates a role and a database, both with all of these settings. */
async function contraryRole(
  engine: ServerEngine,
  database: FreshDatabase,
): Promise<{ url: string; drop(): Promise<void> }> {
  const [role, password] = [`zq_${randomBytes(6).toString('hex')}`, randomBytes(6).toString('hex')];
  const url = new URL(database.url ?? engine.url);
  const name = url.pathname.slice(1);
  await database.exec(`
    CREATE ROLE ${role} LOGIN PASSWORD '${password}'; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
    CREATE SCHEMA zq_odd AUTHORIZATION ${role}; CREATE TABLE zq_odd.zq_film (id int PRIMARY KEY, t text);
    CREATE DOMAIN zq_odd.zq_mood AS int; CREATE VIEW zq_odd.pg_class AS SELECT 1 AS x;
    ${postgresSettings.map((setting) => `ALTER ROLE ${role} SET ${setting}; ALTER DATABASE "${name}" SET ${setting};`).join('\n')}`);
  [url.username, url.password] = [role, password];
  return {
    url: url.href,
    async drop() {
      const session = await openSession(engine);
      await session.exec(`DROP ROLE IF EXISTS ${role}`);
      await session.close();
    },
  };
}

const subjects = inject('engines').filter(({ name }) => name !== 'mysql');

// Without PGlite, which has no roles or database settings. A MySQL server from a URL belongs to somebody else, and has the same dialect as the other
// two.
describe.runIf(subjects.length > 0).each(subjects.map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    const cleanUp: (() => Promise<void>)[] = [];
    let database: FreshDatabase;
    let usual: string;
    let gateway: TestGateway;
    const picture = async (from: TestGateway) => {
      const fields = columns[kin(engine)];
      const answers = [
        { fields },
        { sort: 'c desc,n' },
        { filters: { c: 'chars4712' } },
        { q: 'chars4713' },
        { q: '20:30:40' },
        { filters: { day: '2024-02-29', clock: '20:30:40' } },
      ];
      const texts: string[] = [];
      for (const params of answers)
        texts.push((await from.call('datastore_search', { resource_id: 'films', ...params })).text);
      return texts.join('\n');
    };

    beforeAll(async () => {
      const scope = openScope();
      cleanUp.push(() => scope.close());
      const server = (await ownServer(engine, scope)) ?? engine;
      database = await freshDatabase(server);
      cleanUp.push(() => database.drop());
      await furnish(database, engine);
      const before = await startGateway(configuration(database, engine));
      usual = await picture(before);
      await before.close();
      if (server.client === 'postgres') {
        const role = await contraryRole(server, database);
        cleanUp.unshift(async () => undefined);
        cleanUp.splice(1, 0, role.drop);
        gateway = await startGateway(configuration(database, engine, { connection: role.url }));
      } else {
        expect((await contraryMysql(server)).length).toBeLessThanOrEqual(2);
        gateway = await startGateway(configuration(database, engine));
      }
      cleanUp.push(() => gateway.close());
    }, 120_000);
    afterAll(async () => {
      for (const step of cleanUp.reverse()) await step();
    });

    test('values look as they always do', async () => {
      expect(usual).toContain('"total":3');
      expect(await picture(gateway)).toBe(usual);
    });

    test('no payload becomes SQL', { timeout: 120_000 }, async () => {
      const before = await snapshot(database);
      const payloads = [...texts.map((text) => JSON.stringify(text)), ...jsons];
      const places = nearTheDatabase(columns[kin(engine)]).map((position) => ({
        ...position,
        share: position.share * 6,
      }));
      expect((await attack(gateway, places, payloads)).wrong).toEqual([]);
      expect(await snapshot(database)).toBe(before);
    });

    test('texts come back byte for byte, and find themselves', async () => {
      const records = texts
        .filter((t) => t.isWellFormed() && (engine.client === 'mysql' || !t.includes('\0')))
        .map((t, id) => ({ id, t }));
      for (const method of ['insert', 'upsert', 'update'])
        await gateway.result('datastore_upsert', { resource_id: 'sink', method, records });
      const search = async (params: object) =>
        (await gateway.result('datastore_search', { resource_id: 'sink', fields: ['id', 't'], limit: 1000, ...params }))
          .records;
      expect(await search({})).toEqual(records);
      for (const record of records) expect(await search({ filters: { t: record.t } })).toEqual([record]);
      await gateway.result('datastore_records_delete', {
        resource_id: 'sink',
        filters: { t: records.map(({ t }) => t) },
      });
      expect(await search({})).toEqual([]);
    });

    test('values of every type are stored as they always are', async () => {
      const record = {
        ...{
          id: 1,
          t: 'it\'s \\ "x"',
          c: 'pad',
          n: -3,
          big: '9007199254740993',
          d: '12.50',
          f: 0.1,
          day: '2024-03-04',
          clock: '01:02:03',
        },
        ...{ at: '2024-03-04T05:06:07.000', bin: '\\x00275c22', bits: '10000001', mood: 'cross' },
        ...(engine.client === 'mysql'
          ? { flags: 'x2', latin: "naïve\\'" }
          : {
              tags: ['a', null, 'NULL', '\\"'],
              nums: [1, null],
              span: '1 day 02:03:04',
              zoned: '2024-03-04T05:06:07+00:00',
              doc: { a: ["\\'", null] },
              price: '$1.50',
            }),
      };
      await gateway.result('datastore_upsert', { resource_id: 'films', method: 'insert', records: [record] });
      const found = await gateway.result('datastore_search', {
        resource_id: 'films',
        filters: { id: 1 },
        fields: Object.keys(record),
      });
      expect(found.records).toEqual([{ ...record, big: Number(record.big), d: 12.5 }]);
      await gateway.result('datastore_records_delete', { resource_id: 'films', filters: { t: record.t } });
      expect((await gateway.result('datastore_search', { resource_id: 'films' })).total).toBe(3);
    });
  },
);
