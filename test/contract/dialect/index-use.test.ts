import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as actions from '../../../src/actions/index.ts';
import { sealing } from '../../../src/app/seal.ts';
import type { Read } from '../../../src/model/plan.ts';
import type { Statement } from '../../../src/model/rows.ts';
import type { Table } from '../../../src/model/table.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { planOf } from '../../support/drained.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { type Engine, engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

/** To try it on a large table: `EXPLAIN_ROWS=1000000 npm test -- test/contract/dialect/index-use.test.ts` */
const rows = Number(process.env.EXPLAIN_ROWS ?? 40_000);
/** Enough base-5 digits to number all rows. */
const places = [...'abcdefghi'].slice(0, Math.ceil(Math.log(rows) / Math.log(5)));
const bounds = {
  rowsDefault: 100,
  rowsMax: 32_000,
  maxOffset: null,
  inValues: 10_000,
  qWords: 16,
  qBytes: 10_000,
  recordsPerUpsert: 1,
  responseBytes: 1_000_000,
  depth: 32,
  sealing: sealing('a secret of the tests'),
  older: null,
};
const access = { read: 'token', write: 'token', deleteAll: false, aggregate: true, sql: false } as const;

/** Indexed text columns on which a plain `=` would match more than equal texts, or would not use the index. */
function columnsOf({ name }: Engine): Readonly<Record<string, string>> {
  if (name === 'pglite') return { plain: 'text', short: 'varchar(40)', padded: 'char(40)' };
  if (name === 'postgres')
    return { plain: 'text', short: 'varchar(40)', padded: 'char(40)', cit: 'citext', loose: 'text COLLATE loose' };
  return {
    folded: 'varchar(40) CHARACTER SET utf8mb4',
    exact: 'varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    latin: 'varchar(40) CHARACTER SET latin1',
    mb3: 'varchar(40) CHARACTER SET utf8',
    padded: 'char(40) CHARACTER SET utf8mb4',
  };
}

/** Indexes that start with a column but do not provide the order that a search needs. */
const unordered = ({ client }: Engine): string =>
  client === 'mysql'
    ? 'CREATE TABLE unordered (id int PRIMARY KEY, words varchar(40), FULLTEXT KEY (words)) ENGINE=InnoDB;'
    : `CREATE TABLE unordered (id int PRIMARY KEY, hashed text, ranges int, other text, pattern text, nulls int, n int);
       CREATE INDEX ON unordered USING hash (hashed); CREATE INDEX ON unordered USING brin (ranges);
       CREATE INDEX ON unordered (other COLLATE "C"); CREATE INDEX ON unordered (pattern text_pattern_ops);
       CREATE INDEX ON unordered (nulls NULLS FIRST); CREATE INDEX ON unordered (n DESC);
       CREATE TABLE above (id int PRIMARY KEY, n int); CREATE INDEX ON above (n); CREATE TABLE below () INHERITS (above);`;

async function fill(engine: Engine, database: FreshDatabase): Promise<void> {
  const columns = Object.entries(columnsOf(engine));
  const mysql = engine.client === 'mysql';
  if (engine.name === 'postgres')
    await database.exec(
      `CREATE EXTENSION citext; CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);`,
    );
  const word = mysql ? `CONCAT('näme ', n)` : `'näme ' || n`;
  const day = mysql ? `DATE_ADD('2000-01-01', INTERVAL n DAY)` : `date '2000-01-01' + n`;
  const digit = '(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)';
  const digits = places.map((name) => `${digit} ${name}`).join(', ');
  const count = places.map((name, power) => `${name}.d * ${5 ** power}`).join(' + ');
  const numbers = mysql
    ? `(SELECT ${count} n FROM ${digits}) numbers WHERE n < ${rows}`
    : `generate_series(0, ${rows - 1}) n`;
  const arrays = mysql ? '' : ', sorted int[], inverted int[]';
  await database.exec(unordered(engine));
  await database.exec(
    `CREATE TABLE t (id int PRIMARY KEY, n int, day date, ${columns.map(([name, type]) => `${name} ${type}`).join(', ')}${arrays});
     INSERT INTO t SELECT n, n, ${day}, ${columns.map(() => word).join(', ')}${mysql ? '' : ', ARRAY[n, -1], ARRAY[n, -1]'} FROM ${numbers};
     ${['n', 'day', ...columns.map(([name]) => name)].map((name) => `CREATE INDEX by_${name} ON t (${name});`).join('\n')}
     ${mysql ? '' : "CREATE INDEX by_sorted ON t (sorted); CREATE INDEX by_inverted ON t USING gin (inverted); UPDATE t SET sorted = '[0:1]={5,-1}', inverted = '[0:1]={5,-1}' WHERE id = 5;"}
     ${mysql ? 'ANALYZE TABLE t' : 'ANALYZE t'};`,
  );
}

// PGlite has PostgreSQL's planner, so it is tested only if there is no PostgreSQL.
const planning = engines().filter(
  ({ client }, _, all) => client !== 'pglite' || !all.some(({ name }) => name === 'postgres'),
);

describe.each(planning.map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let database: FreshDatabase;
  let opened: Opened;
  let tables: Readonly<Record<'exact' | 'collation' | 'unordered', Table>>;
  const mysql = engine.client === 'mysql';
  beforeAll(
    async () => {
      database = await freshDatabase(engine);
      await fill(engine, database);
      opened = await open(database);
      const match = Object.fromEntries(Object.keys(columnsOf(engine)).map((name) => [name, { match: 'collation' }]));
      tables = {
        exact: await opened.table({ table: 't' }),
        collation: await opened.table({ table: 't', columns: match }),
        unordered: await opened.table({ table: 'unordered' }),
      };
    },
    Math.max(60_000, rows),
  );
  afterAll(async () => {
    await opened?.close();
    await database?.drop();
  });

  /** The statement of a search or delete with these filters, as planned by the action and written by the dialect. */
  function statement(effect: 'search' | 'count' | 'delete', table: Table, filters: JsonObject): Statement {
    const action = effect === 'delete' ? actions.datastore_records_delete : actions.datastore_search;
    const started = action.start({ resource_id: 't', filters }, bounds);
    const plan = planOf(started.plan({ id: 't', access, table }, null));
    if (plan.effect === 'delete') return opened.dialect.delete(plan, false);
    if (plan.effect !== 'read') throw new Error('neither a search nor a delete');
    return effect === 'count' ? opened.dialect.count(plan) : opened.dialect.search(plan);
  }

  /** How the server finds the rows: `type` and `key` of MySQL's EXPLAIN, or PostgreSQL's plan. */
  async function way({ text, values }: Statement): Promise<string> {
    const explained = await opened.run({ text: `EXPLAIN ${mysql ? 'FORMAT=TRADITIONAL ' : ''}${text}`, values });
    if (!mysql) return explained.cells.map(String).join('\n');
    const at = (name: string) => String(explained.cells[0]?.[explained.names.indexOf(name)]);
    return `${at('type')} by ${at('key')}`;
  }
  const byIndex = (column: string) =>
    mysql
      ? expect.stringMatching(new RegExp(`^(ref|const|range) by by_${column}$`))
      : expect.stringMatching(new RegExp(`^(?![\\s\\S]*Seq Scan)[\\s\\S]*Index (Only )?Scan (using|on) by_${column}`));

  const hundred = Array.from({ length: 100 }, (_value, nth) => `näme ${nth * 300}`);
  const cases = Object.keys(columnsOf(engine)).flatMap((column) =>
    (['search', 'count', 'delete'] as const).flatMap((effect) =>
      (['exact', 'collation'] as const).map((match) => [effect, column, match] as const),
    ),
  );

  test.each(cases)('%s by %s uses its index (%s)', async (effect, column, match) => {
    expect(await way(statement(effect, tables[match], { [column]: 'näme 37777' }))).toEqual(byIndex(column));
    expect(await way(statement(effect, tables[match], { [column]: hundred }))).toEqual(byIndex(column));
  });

  test.each([
    ['n', { gt: 30_000.5, lte: '30100.5' }],
    ['day', { gte: '2090-01-01T12:00', lt: '2090-04-01' }],
    ['day', [{ lt: '2000-01-31' }, '2090-01-01']],
  ] as const)('a range of %s uses its index', async (column, asked) => {
    for (const effect of ['search', 'count', 'delete'] as const)
      expect(await way(statement(effect, tables.exact, { [column]: asked }))).toEqual(byIndex(column));
  });

  // PostgreSQL cannot use an index if NULLs must come at the other end.
  test.each(['n', 'n desc', 'day desc, id', ...(mysql ? ['n desc nulls last'] : [])])(
    'a page by %s sorts no table',
    async (sort) => {
      const params = { sort, limit: 10, offset: 20, include_total: false };
      const { text, values } = opened.dialect.search(searched(tables.exact, params));
      const { names, cells } = await opened.run({
        text: `EXPLAIN ${mysql ? 'FORMAT=TRADITIONAL ' : ''}${text}`,
        values,
      });
      if (!mysql) return expect(cells.map(String).join('\n')).not.toContain('Seq Scan');
      const steps = cells.map((row) => Object.fromEntries(row.map((cell, nth) => [names[nth], cell])));
      const ofTable = steps.filter(({ table }) => table === 't');
      expect(ofTable.length).toBeGreaterThan(1);
      for (const { type, Extra } of ofTable)
        expect([type, Extra]).toEqual([
          expect.stringMatching(/^(eq_ref|ref|range)$/),
          expect.not.stringContaining('filesort'),
        ]);
    },
  );

  function searched(table: Table, asked: JsonObject): Read {
    const plan = planOf(
      actions.datastore_search.start({ resource_id: 't', ...asked }, bounds).plan({ id: 't', access, table }, null),
    );
    if (plan.effect !== 'read') throw new Error('no search');
    return plan;
  }

  test.runIf(!mysql).each(['n', 'n desc', 'day desc, id', 'plain'])(
    'words are looked for in the first records by %s, and no table is sorted',
    async (sort) => {
      const first = opened.dialect.hits(searched(tables.exact, { q: 'nowhere', sort }), 'first');
      if (first === null) throw new Error('no statement');
      expect(await way(first)).not.toContain('Seq Scan');
    },
  );

  test.runIf(!mysql).each(['hashed', 'ranges', 'other', 'pattern', 'nulls', 'n desc nulls last'])(
    'nor is it sorted for its first records by %s, whose order no index has',
    (sort) => {
      const first = (sorted: string) =>
        opened.dialect.hits(searched(tables.unordered, { q: 'nowhere', sort: sorted }), 'first');
      expect(first(sort)).toBeNull();
      expect(first('n')).not.toBeNull();
    },
  );

  test.runIf(!mysql)('nor are the records of the tables that inherit from it', async () => {
    const above = await opened.table({ table: 'above' });
    expect(opened.dialect.hits(searched(above, { q: 'nowhere', sort: 'n' }), 'first')).toBeNull();
  });

  test.runIf(mysql)('an index of words gives no order', () => {
    const { text } = opened.dialect.search(searched(tables.unordered, { sort: 'words' }));
    expect(text).not.toContain('page key');
  });

  test.runIf(!mysql).each(['sorted', 'inverted'])('an array uses its index: %s', async (column) => {
    const some = (count: number) => Array.from({ length: count }, (_value, nth) => [nth * 7 + 5, -1]);
    for (const filter of [{ eq: [5, -1] }, some(20), { eq: [5, null] }]) {
      // GIN indexes cannot find NULLs.
      if (column === 'inverted' && JSON.stringify(filter).includes('null')) continue;
      for (const effect of ['search', 'count', 'delete'] as const)
        expect(await way(statement(effect, tables.exact, { [column]: filter }))).toEqual(byIndex(column));
    }
    const count = async (asked: JsonObject[string]) =>
      Number((await opened.run(statement('count', tables.exact, { [column]: asked }))).cells[0]?.[0]);
    expect([await count({ eq: [5, -1] }), await count(some(20)), await count(some(300))]).toEqual([1, 20, 300]);
    // A value is neither greater nor less than itself.
    expect([await count({ gt: [4, 0], lt: [5, -1] }), await count({ gte: [5, -1], lte: [5, -1] })]).toEqual([0, 1]);
  });

  test('the plans find the rows that they promise', async () => {
    for (const column of Object.keys(columnsOf(engine))) {
      const found = async (value: string | string[]) =>
        (await opened.run(statement('count', tables.exact, { [column]: value }))).cells.map((row) => row.map(Number));
      expect([column, await found('näme 37777'), await found(hundred), await found('NÄME 37777')]).toEqual([
        column,
        [[1]],
        [[100]],
        [[0]],
      ]);
    }
  });

  test('a scan is recognized as one', async () => {
    const scan = await way({ text: `SELECT id FROM t WHERE ${mysql ? 'CONCAT(id)' : 'id::text'} = '5'`, values: [] });
    for (const column of Object.keys(columnsOf(engine))) expect(scan).not.toEqual(byIndex(column));
  });
});
