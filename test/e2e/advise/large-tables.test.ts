/** Advice about a large table. Its SQL is carried out as it was printed: then the plans use the index, and the advice is gone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as actions from '../../../src/actions/index.ts';
import type { Statement } from '../../../src/model/rows.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { type Advised, advised } from '../../support/advised.ts';
import { planOf } from '../../support/drained.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import { bounds } from '../../support/table.ts';

/** An estimate is less exact than this is above the limit. */
const rows = 260_000;

describe.each(byName(servers()))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  const q = (name: string) => (isMysql ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`);
  /** A table and a column whose names must be quoted. */
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
      `CREATE TABLE ${q(table)} (id int NOT NULL PRIMARY KEY, city varchar(40), ${q(note)} text, padded char(20), amount decimal(10,2) NOT NULL, opened ${isMysql ? "datetime DEFAULT NULL COMMENT 'NULL DEFAULT NULL, it''s'" : 'timestamp'}, visits int);
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
  /** What the server says about our own statement. */
  async function planned(effect: 'count' | 'search', asked: JsonObject, more: object = {}): Promise<string> {
    const bound = await opened.table({ table, ...more });
    const access = { read: 'public', write: 'none', deleteAll: false } as const;
    const action = actions.datastore_search.start({ resource_id: 'r', ...asked }, { ...bounds, qWords: 16 });
    const plan = planOf(action.plan({ id: 'r', access, table: bound }, null));
    if (plan.effect !== 'read') throw new Error('no search');
    const { text, values }: Statement = opened.dialect[effect](plan);
    const answer = await opened.run({ text: `EXPLAIN ${isMysql ? 'FORMAT=TRADITIONAL ' : ''}${text}`, values });
    return answer.cells.map((row) => row.map(String).join(' ')).join('\n');
  }

  test('q: indexes that our own statement uses', async () => {
    const [advice, ...others] = await advised(written(), 'search');
    expect(others).toEqual([]);
    expect(advice).toMatchObject({ path: 'resources.permits.search' });
    expect(advice?.text).toMatch(
      /^q reads all rows of .*, about 2\d\d,\d\d\d rows; index its columns of text, and write `search: /,
    );
    const before = await planned('count', { q: 'note 77777' });
    expect(before).toMatch(isMysql ? /\bALL\b/ : /Seq Scan/);
    if (advice === undefined) return;
    await carryOut([advice]);
    const { search } = parse(advice.setting ?? '');
    expect(search.columns).toEqual(['city', note, 'padded']);
    for (const asked of [{ q: '77777' }, { q: { [note]: '77777' } }]) {
      // MySQL has no index of one column here: a field alone is still read as a whole.
      if (isMysql && typeof asked.q !== 'string') continue;
      const plan = await planned('count', asked, { search });
      expect(plan).toMatch(isMysql ? /\bfulltext\b|optimized away/ : /Bitmap Index Scan/);
      expect(plan).not.toMatch(isMysql ? /\bALL\b/ : /Seq Scan/);
    }
    expect(await advised(written({ search }), 'search')).toEqual([]);
    // Without the setting the columns that are no text are still searched.
    const again = await advised(written(), 'search');
    expect(again).toMatchObject([{ sql: [], setting: advice.setting }]);
  });

  test('a sort and a filter: an index that both use', async () => {
    const advice = await advised(written(), 'index');
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
    expect(await advised(written(), 'index')).toEqual([]);
  });

  test.runIf(isMysql)('a column that may be NULL: NOT NULL, or another order', async () => {
    const advice = (await advised(written(), 'nulls')).filter(({ text }) => text.includes('opened'));
    expect(advice).toHaveLength(1);
    expect(await planned('search', { sort: ['opened'] })).toMatch(/filesort/);
    expect(await planned('search', { sort: ['opened nulls first'] })).not.toMatch(/filesort/);
    await fresh.exec(`UPDATE ${q(table)} SET opened = NULL WHERE id = 5`);
    // In a session that is not strict, too, the NULL is not made a zero.
    await fresh.exec(`SET SESSION sql_mode = ''`);
    await expect(carryOut(advice)).rejects.toThrow();
    await fresh.exec(`UPDATE ${q(table)} SET opened = '2020-02-02' WHERE id = 5`);
    await carryOut(advice);
    await opened.close();
    opened = await open(fresh);
    expect(await planned('search', { sort: ['opened'] })).not.toMatch(/filesort/);
    const [created] = (await fresh.query(`SHOW CREATE TABLE ${q(table)}`)) ?? [];
    expect(JSON.stringify(created)).toContain("NULL DEFAULT NULL, it''s");
    expect((await advised(written(), 'nulls')).filter(({ text }) => text.includes('opened'))).toEqual([]);
  });

  test.runIf(!isMysql)('a full-text index, where the mode asks for one', async () => {
    const search = { mode: 'native', columns: ['city', note], language: 'simple' };
    const advice = await advised(written({ search }), 'search');
    expect(advice).toHaveLength(1);
    await carryOut(advice);
    expect(await planned('count', { q: '77777' }, { search })).toMatch(/Bitmap Index Scan/);
    expect(await advised(written({ search }), 'search')).toEqual([]);
  });

  test.runIf(!isMysql)('a table that was never analysed', async () => {
    await fresh.exec(
      `CREATE TABLE fresh (id int PRIMARY KEY, word text) WITH (autovacuum_enabled = false);
       INSERT INTO fresh SELECT n, 'some words' FROM generate_series(1, 20000) n`,
    );
    const resources = { fresh: { database: 'db', table: 'fresh' } };
    const advice = await advised({ ...written(), resources }, 'statistics');
    expect(advice).toMatchObject([{ path: 'resources.fresh.table', sql: ['ANALYZE "public"."fresh"'] }]);
    await carryOut(advice);
    expect(await advised({ ...written(), resources }, 'statistics')).toEqual([]);
  });
});
