import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { datastore_search } from '../../../src/actions/index.ts';
import { sealing } from '../../../src/app/seal.ts';
import { readServerFacts } from '../../../src/execute/advice.ts';
import type { Read } from '../../../src/model/plan.ts';
import type { Statement } from '../../../src/model/rows.ts';
import type { Table } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import { planOf } from '../../support/drained.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';
import { questions, schema } from './papers.ts';

type Mode = 'like' | 'native' | 'auto';
const bounds = {
  rowsDefault: 100,
  rowsMax: 100,
  maxOffset: null,
  inValues: 10,
  qWords: 16,
  qBytes: 10_000,
  recordsPerUpsert: 1,
  responseBytes: 1_000_000,
  depth: 8,
  sealing: sealing('a secret of the tests'),
  older: null,
};
const plain = 'title text, body text, words tsvector';
/** Tables whose stored vector can miss words: the event of the trigger, and its columns. */
const keptSometimes = {
  some_updates: ['INSERT OR UPDATE OF title ON some_updates FOR EACH ROW', plain],
  no_update: ['INSERT ON no_update FOR EACH ROW', plain],
  conditional: [`INSERT OR UPDATE ON conditional FOR EACH ROW WHEN (NEW.title <> '')`, plain],
  reads_generated: [
    'INSERT OR UPDATE ON reads_generated FOR EACH ROW',
    `title text, body text GENERATED ALWAYS AS (title || ' report') STORED, words tsvector`,
  ],
  is_generated: [
    'INSERT OR UPDATE ON is_generated FOR EACH ROW',
    `title text, body text, words tsvector GENERATED ALWAYS AS (to_tsvector('english', title)) STORED`,
  ],
};
const ids = (list: readonly number[]) => list.map(String);

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const family = engine.client === 'mysql' ? 'mysql' : 'postgres';
  let fresh: FreshDatabase;
  let opened: Opened;
  const resources = new Map<string, Promise<Table>>();
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec(schema[family]);
    await fresh.exec(`CREATE TABLE bytes (id ${family === 'mysql' ? 'varbinary(9)' : 'bytea'} PRIMARY KEY)`);
    await fresh.exec(`INSERT INTO bytes VALUES ('foo')`);
    for (const [name, [trigger, columns]] of Object.entries(family === 'postgres' ? keptSometimes : {}))
      await fresh.exec(
        `CREATE TABLE ${name} (id int PRIMARY KEY, ${columns}); CREATE INDEX ON ${name} USING gin (words);
         CREATE TRIGGER words BEFORE ${trigger} EXECUTE FUNCTION tsvector_update_trigger(words, 'pg_catalog.english', title, body)`,
      );
    if (family === 'postgres') await fresh.exec(`INSERT INTO reads_generated (id, title) VALUES (1, 'hydrogen')`);
    opened = await open(fresh);
  });
  afterAll(async () => {
    await opened?.close();
    await fresh?.drop();
  });

  /** The resource for a table: `secret` is hidden, full text searches title and body. */
  function resource(table: string, mode: Mode): Promise<Table> {
    const columns = mode === 'like' ? {} : { columns: ['title', 'body'] };
    const key = `${table} ${mode}`;
    const cached =
      resources.get(key) ??
      opened.table({ table, columns: { secret: { hidden: true } }, search: { mode, ...columns } });
    resources.set(key, cached);
    return cached;
  }

  function planned(table: Table, q: string, more: Readonly<Record<string, Json>> = {}): Read {
    const access = { read: 'public', write: 'none', deleteAll: false, aggregate: true, sql: false } as const;
    const started = datastore_search.start({ resource_id: 'r', q, fields: ['id'], sort: 'id', ...more }, bounds);
    const plan = planOf(started.plan({ id: 'r', access, table }, null));
    if (plan.effect !== 'read') throw new Error('a search only reads');
    return plan;
  }
  const statement = (...asked: Parameters<typeof planned>): Statement => opened.dialect.search(planned(...asked));

  async function found(table: Table, q: string): Promise<readonly string[]> {
    return (await opened.run(statement(table, q))).cells.map(([id]) => String(id));
  }

  /** Whether the server uses the table's full-text index: the query plan names it. */
  async function usesIndex(
    name: string,
    table: Table,
    q: string,
    more: Readonly<Record<string, Json>> = {},
  ): Promise<boolean> {
    const { text, values } = statement(table, q, more);
    const { cells } = await opened.run({ text: `EXPLAIN ${text}`, values });
    return cells.flat().some((cell) => String(cell).includes(`${name}_words`));
  }

  describe('mode like', () => {
    test.each(questions)('$q finds $like, though $fear', async ({ q, like }) => {
      expect(await found(await resource('indexed', 'like'), q)).toEqual(ids(like));
    });
  });

  describe('mode native', () => {
    const tables = family === 'postgres' ? ['bare', 'indexed', 'stored', 'kept'] : ['indexed'];
    describe.each(tables)('on the table %s', (name) => {
      test.each(questions)(`$q finds $native.${family}, though $fear`, async ({ q, native }) => {
        expect(await found(await resource(name, 'native'), q)).toEqual(ids(native[family]));
      });
    });

    test('an index is used where there is one', async () => {
      expect(await usesIndex('indexed', await resource('indexed', 'native'), 'hydrogen')).toBe(true);
    });

    test('operators go by the index, other fields and languages than its own do not', async () => {
      for (const mode of ['native', 'auto'] as const) {
        const table = await resource('indexed', mode);
        const uses = (q: string, more?: Readonly<Record<string, Json>>) => usesIndex('indexed', table, q, more);
        expect(await uses('hydrogen & !several', { plain: false })).toBe(true);
        expect(await uses('(hydrog:* | several) & report', { plain: false })).toBe(true);
        expect(await uses('hydrogen <-> report', { plain: false })).toBe(true);
        expect(await uses('{"title": "hydrogen"}')).toBe(false);
        expect(await uses('hydrogen', { language: 'simple' })).toBe(family === 'mysql');
        expect(await uses('hydrogen', { language: 'english' })).toBe(true);
      }
    });
  });

  describe('mode auto', () => {
    test.each(questions)('$q goes by the index only where that can answer it', async (question) => {
      const { q, like, text = like, native, indexed } = question;
      const table = await resource('indexed', 'auto');
      const byIndex = indexed.includes(family);
      expect(await usesIndex('indexed', table, q)).toBe(byIndex);
      expect(await found(table, q)).toEqual(ids(byIndex ? native[family] : text));
    });

    test.each(questions)('$q goes by LIKE where there is no index', async ({ q, like, text = like }) => {
      expect(await found(await resource('bare', 'auto'), q)).toEqual(ids(text));
    });
  });

  test.each([
    ['the <-> quick', ['1']],
    ['the <-> red', []],
    ['fox & !(the <-> quick)', ['2', '9', '12']],
  ])('mode auto looks for a stop word in a phrase, too: %s', async (q, expected) => {
    const table = await resource('indexed', 'auto');
    const { cells } = await opened.run(statement(table, q, { plain: false }));
    expect(cells.map(String)).toEqual(expected);
    expect(await usesIndex('indexed', table, q, { plain: false })).toBe(false);
  });

  describe('an index that covers a hidden column', () => {
    test('is never used, in mode auto', async () => {
      const table = await resource('leaky', 'auto');
      expect(table.search.index).toBeNull();
      expect(await found(table, 'whisper')).toEqual([]);
      expect(await found(table, 'hydrogen')).toEqual(['11']);
      expect(await usesIndex('leaky', table, 'whisper')).toBe(false);
    });

    test.runIf(family === 'postgres')('is never used, in mode native', async () => {
      const table = await resource('leaky', 'native');
      expect(await found(table, 'whisper')).toEqual([]);
      expect(await found(table, 'hydrogen')).toEqual(['11']);
      expect(await usesIndex('leaky', table, 'hydrogen')).toBe(false);
    });

    test.runIf(family === 'mysql')('does not satisfy mode native', async () => {
      await expect(resource('leaky', 'native')).rejects.toThrow('needs a FULLTEXT index over exactly these columns');
    });
  });

  test.runIf(family === 'postgres')('an index that loses words is never used', async () => {
    for (const mode of ['native', 'auto'] as const) {
      const table = await resource('lossy', mode);
      expect(table.search.index).toBeNull();
      expect(await found(table, 'hydrogen')).toEqual(['11']);
    }
  });

  test.runIf(family === 'postgres')(
    'the index of a stored column is used, generated or kept by a trigger',
    async () => {
      for (const name of ['stored', 'kept'])
        expect([name, await usesIndex(name, await resource(name, 'auto'), 'hydrogen')]).toEqual([name, true]);
    },
  );

  test.runIf(family === 'postgres')('a column that a trigger keeps sometimes is not used', async () => {
    for (const table of Object.keys(keptSometimes)) {
      const { search } = await opened.table({ table, search: { mode: 'auto', columns: ['title', 'body'] } });
      expect([table, search.index]).toEqual([table, null]);
    }
    const table = await opened.table({
      table: 'reads_generated',
      search: { mode: 'native', columns: ['title', 'body'] },
    });
    expect(await found(table, 'report')).toEqual(['1']);
  });

  test.runIf(family === 'postgres')('beside an index that is not used, the advised one is', async () => {
    for (const name of ['reads_generated', 'lossy']) {
      const settings = { table: name, search: { mode: 'native', columns: ['title', 'body'] } };
      const of = { schema: 'public', name };
      const { remedies } = await readServerFacts(opened.run, opened.dialect, [of], []);
      const [description] = (await opened.catalog(of)).tables;
      if (description === undefined) throw new Error(`no ${name}`);
      const remedy = remedies.search(await opened.table(settings), description, new Set());
      expect(remedy).toMatchObject({ mode: 'native', columns: ['title', 'body'] });
      // In the open session, because PGlite allows only one.
      for (const sql of remedy?.sql ?? []) await opened.sql(sql);
      expect((await opened.table(settings)).search.index?.expression).toContain('to_tsvector');
    }
  });

  test.runIf(family === 'postgres')(
    'an index over one column that may be NULL is used, and loses no record',
    async () => {
      const table = await opened.table({ table: 'single', search: { mode: 'native', columns: ['title'] } });
      expect(await usesIndex('single', table, 'fox')).toBe(true);
      expect(await found(table, 'fox')).toEqual(['1', '2']);
      // Record 11 has no title.
      const params = { plain: false, filters: { id: [1, 2, 3, 11] } };
      expect((await opened.run(statement(table, '!fox', params))).cells.map(String)).toEqual(['3', '11']);
    },
  );

  test.runIf(family === 'postgres')(
    'any hits are found by the index, whatever the order and the statistics',
    async () => {
      for (const name of ['indexed', 'stored', 'kept']) {
        const table = await resource(name, 'native');
        for (const sort of ['id', 'id desc', 'title', '']) {
          const read = planned(table, 'hydrogen', { sort });
          for (const which of ['any', 'all'] as const) {
            const statement = opened.dialect.hits(read, which);
            const { cells } = await opened.run({ text: `EXPLAIN ${statement?.text}`, values: statement?.values ?? [] });
            const plan = cells.map(String).join('\n');
            expect([name, sort, which, plan]).toEqual([
              name,
              sort,
              which,
              expect.stringContaining(`Bitmap Index Scan on ${name}_words`),
            ]);
            expect(plan).not.toMatch(/Gather|Seq Scan|_pkey/);
          }
        }
      }
    },
  );

  test.runIf(family === 'mysql')('a missing FULLTEXT index is a complaint at the start', async () => {
    await expect(resource('bare', 'native')).rejects.toThrow(
      'needs a FULLTEXT index over exactly these columns for mode native: title, body',
    );
  });

  test.runIf(family === 'postgres')('native needs no index', async () => {
    expect((await resource('bare', 'native')).search.index).toBeNull();
  });

  test('a language that the database does not know', async () => {
    const bound = opened.table({ table: 'bare', search: { mode: 'auto', columns: ['title'], language: 'englisch' } });
    if (family === 'mysql') expect((await bound).search.mode).toBe('auto');
    else await expect(bound).rejects.toThrow('must be a text search configuration of the database');
  });

  test('a hidden column cannot be named to be searched', async () => {
    const search = { mode: 'like', columns: ['title', 'secret'] };
    await expect(opened.table({ table: 'bare', columns: { secret: { hidden: true } }, search })).rejects.toThrow();
    await expect(opened.table({ table: 'bare', expose: 'listed', columns: { title: {} }, search })).rejects.toThrow(
      'must be visible columns',
    );
  });

  test('a table of bytes alone has no text to look in', async () => {
    const bytes = await opened.table({ table: 'bytes' });
    expect(await found(bytes, 'foo')).toEqual([]);
    expect((await opened.run(statement(bytes, ''))).cells).toHaveLength(1);
  });
});
