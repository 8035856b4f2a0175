/** Advice for a large table. We run its SQL as printed; afterwards the query plans use the index, and the advice is gone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as actions from '../../../src/actions/index.ts';
import { adviseOn } from '../../../src/commands/advice/advice.ts';
import { loadSettings } from '../../../src/config/load.ts';
import type { Statement } from '../../../src/model/rows.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { closePools, openReadOnlyPools } from '../../../src/servers/pools.ts';
import { resolveAll } from '../../../src/tables/resolve.ts';
import { readDatabases } from '../../../src/tables/snapshot.ts';
import { listTables } from '../../../src/tables/survey.ts';
import { type Advised, adviceOf } from '../../support/advised.ts';
import { planOf } from '../../support/drained.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { byName, fewServers, freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { bounds } from '../../support/table.ts';
import { watchStatements } from '../../support/watch-statements.ts';

/** Enough rows that even a low estimate is above the limit from which tables count as large. */
const rows = 260_000;

describe.each(byName(fewServers()))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  const q = (name: string) => (isMysql ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`);
  /** A table and a column whose names need quoting. */
  const table = 'big `"permits"';
  const note = "the owner's note";
  let fresh: ServerDatabase;
  let opened: Opened;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    const numbers = isMysql
      ? `(SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d + 100000 * g.d n FROM ${[...'abcefg'].map((alias) => `(SELECT 0 d ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((d) => `UNION ALL SELECT ${d}`).join(' ')}) ${alias}`).join(', ')}) numbers WHERE n < ${rows}`
      : `generate_series(0, ${rows - 1}) n`;
    const text = (word: string) => (isMysql ? `CONCAT('${word} ', n)` : `'${word} ' || n`);
    const time = isMysql
      ? `DATE_ADD('2000-01-01', INTERVAL n MINUTE)`
      : `timestamp '2000-01-01' + n * interval '1 minute'`;
    await fresh.exec(
      `CREATE TABLE ${q(table)} (id int NOT NULL PRIMARY KEY, city varchar(40), ${q(note)} text, padded char(20), amount decimal(10,2) NOT NULL, opened ${isMysql ? "datetime DEFAULT NULL COMMENT 'NULL DEFAULT NULL, it''s'" : 'timestamp'}, visits int) ${isMysql ? 'STATS_SAMPLE_PAGES = 1000' : ''};
       INSERT INTO ${q(table)} SELECT n, ${text('city')}, ${text('note')}, 'padded', n / 7, ${time}, n FROM ${numbers};
       CREATE INDEX by_opened ON ${q(table)} (opened);
       ${isMysql ? `ANALYZE TABLE ${q(table)}` : `ANALYZE ${q(table)}`};`,
    );
    opened = await open(fresh);
  });
  afterAll(async () => {
    await opened?.close();
    await fresh?.drop();
  });

  const written = (more: object = {}) => ({
    databases: { db: { client: engine.client, connection: fresh.url } },
    resources: { permits: { database: 'db', table, ...more } },
  });
  const carryOut = async (advice: readonly Advised[]) => {
    for (const { sql } of advice) for (const statement of sql) await fresh.exec(statement);
  };
  /** The server's query plan for a statement of ours. */
  async function planned(
    effect: 'count' | 'search',
    asked: JsonObject,
    more: Record<string, unknown> = {},
  ): Promise<string> {
    const bound = await opened.table({ table, ...more });
    const access = { read: 'public', write: 'none', deleteAll: false, aggregate: true, sql: false } as const;
    const action = actions.datastore_search.start({ resource_id: 'r', ...asked }, { ...bounds, qWords: 16 });
    const plan = planOf(action.plan({ id: 'r', access, table: bound }, null));
    if (plan.effect !== 'read') throw new Error('no search');
    const { text, values }: Statement = opened.dialect[effect](plan);
    const answer = await opened.run({ text: `EXPLAIN ${isMysql ? 'FORMAT=TRADITIONAL ' : ''}${text}`, values });
    return answer.cells.map((row) => row.map(String).join(' ')).join('\n');
  }

  test('q: indexes that our own statement uses', async () => {
    const [advice, ...others] = await adviceOf(written(), 'search');
    expect(others).toEqual([]);
    expect(advice).toMatchObject({ path: 'resources.permits.search' });
    expect(advice?.text).toMatch(
      /^q reads all rows of .*, about [23]\d\d,\d\d\d rows; index its columns of text, and write `search: /,
    );
    const before = await planned('count', { q: 'note 77777' });
    expect(before).toMatch(isMysql ? /\bALL\b/ : /Seq Scan/);
    if (advice === undefined) return;
    await carryOut([advice]);
    const { search } = parse(advice.setting ?? '');
    expect(search.columns).toEqual(['city', note, 'padded']);
    for (const params of [{ q: '77777' }, { q: { [note]: '77777' } }]) {
      // MySQL has one index over both columns here, so a search in a single field still scans the table.
      if (isMysql && typeof params.q !== 'string') continue;
      const plan = await planned('count', params, { search });
      expect(plan).toMatch(isMysql ? /\bfulltext\b|optimized away/ : /Bitmap Index Scan/);
      expect(plan).not.toMatch(isMysql ? /\bALL\b/ : /Seq Scan/);
    }
    expect(await planned('search', { q: '77777' }, { search })).toMatch(isMysql ? /\bfulltext\b/ : /Bitmap Index Scan/);
    expect(await adviceOf(written({ search }), 'search')).toEqual([]);
    // MySQL uses a full-text index only for exactly its columns. On PostgreSQL the other columns hold no words, so no setting is needed.
    const again = await adviceOf(written(), 'search');
    expect(again).toMatchObject(isMysql ? [{ sql: [], setting: advice.setting }] : []);
  });

  test('a sort and a filter: an index that both use', async () => {
    const advice = await adviceOf(written(), 'index');
    expect(advice.map(({ text }) => /begins with (\w+)/.exec(text)?.[1])).toEqual(['amount', 'visits']);
    await carryOut(advice);
    await fresh.exec(isMysql ? `ANALYZE TABLE ${q(table)}` : `ANALYZE ${q(table)}`);
    const sorts = isMysql ? ['amount', 'visits nulls first'] : ['amount', 'visits', 'amount desc', 'visits desc'];
    for (const sort of sorts) {
      const plan = await planned('search', { sort: [sort] });
      expect([sort, plan]).toEqual([
        sort,
        expect.not.stringMatching(isMysql ? /filesort/ : /Seq Scan|^(?: *-> *)?Sort /m),
      ]);
    }
    for (const filters of [{ amount: { gt: 100, lt: 101 } }, { visits: 5 }])
      expect(await planned('count', { filters })).toMatch(isMysql ? /\b(range|ref)\b/ : /Index (Only )?Scan/);
    expect(await adviceOf(written(), 'index')).toEqual([]);
  });

  test.runIf(isMysql)('a column that may be NULL, in a table without a key: NOT NULL, or another order', async () => {
    expect(await adviceOf(written(), 'nulls')).toEqual([]);
    // Pages are read by key. Rebuilding a narrow table is fast.
    const keyless = 'key`less';
    await fresh.exec(
      `CREATE TABLE ${q(keyless)} (id int NOT NULL, opened int DEFAULT NULL COMMENT 'NULL DEFAULT NULL, it''s', KEY (opened)) STATS_SAMPLE_PAGES = 1000
         SELECT id, visits opened FROM ${q(table)};
       ANALYZE TABLE ${q(keyless)};`,
    );
    const about = { ...written(), resources: { keyless: { database: 'db', table: keyless } } };
    const bySort = (sort: string) => planned('search', { sort: [sort] }, { table: keyless });
    const advice = await adviceOf(about, 'nulls');
    expect(advice).toMatchObject([{ text: expect.stringContaining('opened') }]);
    await opened.close();
    opened = await open(fresh);
    expect(await bySort('opened')).toMatch(/filesort/);
    expect(await bySort('opened nulls first')).not.toMatch(/filesort/);
    await fresh.exec(`UPDATE ${q(keyless)} SET opened = NULL WHERE id = 5`);
    // Even with a lax sql_mode, the SQL must fail instead of turning NULL into 0.
    await fresh.exec(`SET SESSION sql_mode = ''`);
    await expect(carryOut(advice)).rejects.toThrow();
    await fresh.exec(`UPDATE ${q(keyless)} SET opened = 7 WHERE id = 5`);
    await carryOut(advice);
    await opened.close();
    opened = await open(fresh);
    expect(await bySort('opened')).not.toMatch(/filesort/);
    const [created] = (await fresh.query(`SHOW CREATE TABLE ${q(keyless)}`)) ?? [];
    expect(JSON.stringify(created)).toContain("NULL DEFAULT NULL, it''s");
    expect(await adviceOf(about, 'nulls')).toEqual([]);
  });

  test.runIf(!isMysql)('a full-text index, where the mode asks for one', async () => {
    const search = { mode: 'native', columns: ['city', note], language: 'simple' };
    const advice = await adviceOf(written({ search }), 'search');
    expect(advice).toHaveLength(1);
    await carryOut(advice);
    expect(await planned('count', { q: '77777' }, { search })).toMatch(/Bitmap Index Scan/);
    expect(await adviceOf(written({ search }), 'search')).toEqual([]);
  });

  test.runIf(!isMysql)('a table that was never analysed', async () => {
    await fresh.exec(
      `CREATE TABLE fresh (id int PRIMARY KEY, word text) WITH (autovacuum_enabled = false);
       INSERT INTO fresh SELECT n, 'some words' FROM generate_series(1, 20000) n`,
    );
    const resources = { fresh: { database: 'db', table: 'fresh' } };
    const advice = await adviceOf({ ...written(), resources }, 'statistics');
    expect(advice).toMatchObject([{ path: 'resources.fresh.table', sql: ['ANALYZE "public"."fresh"'] }]);
    await carryOut(advice);
    expect(await adviceOf({ ...written(), resources }, 'statistics')).toEqual([]);
  });

  test.runIf(!isMysql)('partitions: the index of their parent', async () => {
    await fresh.exec(
      `CREATE TABLE log (id int, day date NOT NULL, line text, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
       CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM ('2000-01-01') TO ('2010-01-01');
       CREATE TABLE log_2 PARTITION OF log FOR VALUES FROM ('2010-01-01') TO ('2020-01-01');
       INSERT INTO log SELECT n, date '2000-01-01' + n % 7000, 'line ' || n FROM generate_series(1, ${rows}) n`,
    );
    const resources = { log: { database: 'db', table: 'log' } };
    const about = { ...written(), resources };
    expect(await adviceOf(about, 'search')).toEqual([]);
    // Autovacuum does not analyze the parent of partitions.
    const statistics = await adviceOf(about, 'statistics');
    expect(statistics.map(({ sql }) => sql)).toEqual([['ANALYZE "public"."log"']]);
    await carryOut(statistics);
    for (const rule of ['search', 'index'] as const) {
      const advice = await adviceOf(about, rule);
      expect([rule, advice.length]).toEqual([rule, 1]);
      await carryOut(advice);
    }
    const search = { columns: ['line'] };
    expect(await planned('count', { q: '77777' }, { table: 'log', search })).not.toMatch(/Seq Scan/);
    expect(await planned('search', { sort: ['day'] }, { table: 'log' })).not.toMatch(/Seq Scan|^(?: *-> *)?Sort /m);
    const mended = { ...about, resources: { log: { ...resources.log, search } } };
    for (const rule of ['search', 'index', 'statistics'] as const) expect(await adviceOf(mended, rule)).toEqual([]);
  });

  test('whatever it asks is a question, and its sessions can change nothing', async () => {
    const loaded = loadSettings('my.yaml', {}, () => JSON.stringify(written()));
    if (!loaded.ok) throw new Error('not loaded');
    const { settings } = loaded;
    const asked: string[] = [];
    const pools = await openReadOnlyPools(settings);
    for (const pool of pools.values()) watchStatements(pool, ({ text }) => asked.push(text));
    try {
      const snapshots = await readDatabases(settings, pools);
      const connected = snapshots.get('db')?.connected;
      if (connected === undefined || connected === null) throw new Error('not connected');
      const listed = await listTables(settings, 'db', connected);
      const tables = new Map('all' in listed ? [['db', listed.all] as const] : []);
      await adviseOn({ settings, snapshots, resources: resolveAll(settings, snapshots).resources, tables }, null);
      expect(asked.filter((text) => text.startsWith('EXPLAIN ')).length).toBeGreaterThan(3);
      const isQuestion = (text: string) =>
        /^(WITH [\w(), ]+ AS MATERIALIZED )?\(*\s*(SELECT|SHOW|EXPLAIN (\(FORMAT JSON\)|FORMAT=TRADITIONAL) select) /i.test(
          text.trim(),
        );
      expect(asked.filter((text) => !isQuestion(text) || /\bANALYZE\b/.test(text))).toEqual([]);
      const refused = { text: `DELETE FROM ${q(table)}`, values: [] };
      await expect(connected.database.use((session) => session.run(refused))).rejects.toThrow(/read.only/i);
    } finally {
      await closePools(pools);
    }
  });
});
