/** For a frequent word, the first hits by key are ranked and the others follow in key order: on all pages, in all orders. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxRankedHits, maxWalkedRecords } from '../../../src/model/plan.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, type Engine, type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const rows = 12_000;
const ids = Array.from({ length: rows }, (_, at) => at + 1);
/** Which records contain a word, and which contain it twice. */
const words = {
  common: { has: (id: number) => id % 2 === 0, twice: (id: number) => id % 100 === 0 },
  // Not in any of the records that are scanned first.
  late: { has: (id: number) => id > maxWalkedRecords + 500, twice: (id: number) => id % 100 === 0 },
  seldom: { has: (id: number) => id % 40 === 0, twice: (id: number) => id % 400 === 0 },
  bounded: { has: (id: number) => id <= maxRankedHits, twice: (id: number) => id % 100 === 0 },
};
type Word = keyof typeof words;

/** The hits of a word in the order of a search without `sort`. */
function ranked(word: Word): readonly number[] {
  const { has, twice } = words[word];
  const hits = ids.filter(has);
  const first = hits.slice(0, maxRankedHits);
  return [...first.filter(twice), ...first.filter((id) => !twice(id)), ...hits.slice(maxRankedHits)];
}

function schema({ client }: Engine): string {
  const isMysql = client === 'mysql';
  const texts = (condition: Record<Word, string>) =>
    Object.entries(condition)
      .map(([word, sql]) => `CASE WHEN ${sql} THEN '${word} ' ELSE '' END`)
      .join(isMysql ? ', ' : ' || ');
  const hasLateWord = `n > ${maxWalkedRecords + 500}`;
  const title = texts({
    common: 'n % 100 = 0',
    late: `${hasLateWord} AND n % 100 = 0`,
    seldom: 'n % 400 = 0',
    bounded: `n <= ${maxRankedHits} AND n % 100 = 0`,
  });
  const body = texts({
    common: 'n % 2 = 0',
    late: hasLateWord,
    seldom: 'n % 40 = 0',
    bounded: `n <= ${maxRankedHits}`,
  });
  const joined = (sql: string) => (isMysql ? `CONCAT(${sql})` : sql);
  const digits = '(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)';
  const places = [...'abcdef'];
  const numbers = isMysql
    ? `(SELECT 1 + ${places.map((name, power) => `${name}.d * ${5 ** power}`).join(' + ')} n FROM ${places.map((name) => `${digits} ${name}`).join(', ')}) numbers WHERE n <= ${rows}`
    : `generate_series(1, ${rows}) n`;
  return `CREATE TABLE t (id int PRIMARY KEY, down int, title varchar(100), body text);
    INSERT INTO t SELECT n, -n, ${joined(title)}, ${joined(body)} FROM ${numbers};
    CREATE INDEX by_down ON t (down);
    ${isMysql ? '' : `ALTER TABLE t ADD COLUMN words tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(title, '') || ' ' || coalesce(body, ''))) STORED; CREATE INDEX t_words ON t USING gin (words);`}
    ${isMysql ? 'ANALYZE TABLE t' : 'ANALYZE t'};`;
}

describe.each(byName(fewEngines()))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(schema(engine));
    const t = { database: 'db', table: 't', cache: { ttl: '0s' } };
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        like: t,
        ...(isMysql ? {} : { native: { ...t, search: { mode: 'native', columns: ['title', 'body'] } } }),
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  async function page(resource_id: string, q: string, more: Readonly<Record<string, unknown>> = {}) {
    const { records, total, rank_was_limited, next_page } = await gateway.result('datastore_search', {
      ...{ resource_id, q, fields: ['id'], records_format: 'lists', ...more },
    });
    return { ids: [records].flat(2), total, limited: rank_was_limited ?? false, next: next_page };
  }

  describe.each(isMysql ? ['like'] : ['like', 'native'])('in mode %s', (resource) => {
    test.each([
      { word: 'common', limited: true },
      { word: 'late', limited: true },
      { word: 'seldom', limited: false },
      { word: 'bounded', limited: false },
    ] as const)('the pages of $word are one order', async ({ word, limited }) => {
      const all = ranked(word);
      const at = (offset: number, limit: number) => page(resource, word, { offset, limit });
      for (const [offset, limit] of [
        [0, 100],
        [950, 100],
        [maxRankedHits, 10],
        [0, 1300],
      ] as const) {
        const shown = all.slice(offset, offset + limit);
        const isLimited = limited && shown.length > 0;
        expect([offset, limit, await at(offset, limit)]).toEqual([
          ...[offset, limit, { ids: shown, total: all.length, limited: isLimited, next: undefined }],
        ]);
      }
      expect((await at(all.length, 10)).ids).toEqual([]);
    });

    test('records as objects are the same ones', async () => {
      for (const word of ['common', 'seldom'] as const) {
        const { records, total } = await gateway.result('datastore_search', {
          resource_id: resource,
          q: word,
          limit: 30,
        });
        const shown = [records].flat().map((record) => Object(record).id);
        expect([word, total, shown]).toEqual([word, ids.filter(words[word].has).length, ranked(word).slice(0, 30)]);
      }
    });

    test('other orders are those of all hits', async () => {
      const queries = [['common'], ['late'], ['seldom'], ['common', 'seldom'], ['common', 'late']] as const;
      for (const searched of queries) {
        const q = searched.join(' ');
        const hits = ids.filter((id) => searched.every((word) => words[word].has(id)));
        const params = { limit: 50, offset: 20 };
        for (const [sort, expected] of [
          ['id', hits],
          ['id desc', hits.toReversed()],
          ['down', hits.toReversed()],
          ['title desc, id', null],
        ] as const) {
          const { ids: shown, total, limited } = await page(resource, q, { ...params, sort });
          expect([q, sort, total, limited, shown.length]).toEqual([q, sort, hits.length, false, 50]);
          if (expected !== null) expect([sort, shown]).toEqual([sort, expected.slice(20, 70)]);
        }
      }
    });

    test('a filter holds for the hits, and a cursor goes on behind the last', async () => {
      const fewHits = await page(resource, 'common', { filters: { id: { gt: 11_000, lte: 11_100 } }, limit: 5 });
      expect(fewHits).toMatchObject({ ids: [11_100, 11_002, 11_004, 11_006, 11_008], total: 50, limited: false });
      const walked: unknown[] = [];
      const sort = { sort: 'down', limit: 500, include_next_page: true };
      for (let more = await page(resource, 'late', sort); more.ids.length > 0; ) {
        walked.push(...more.ids);
        expect(more.total).toBe(1500);
        more = await page(resource, 'late', { ...sort, ...Object(more.next) });
      }
      expect(walked).toEqual(ids.filter(words.late.has).toReversed());
    });
  });
});
