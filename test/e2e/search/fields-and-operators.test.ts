/**
 * `q` as an object, tsquery syntax, languages and ranking through the whole gateway, in every search mode. The words do not change by stemming, so
 * all modes must agree.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { type FreshDatabase, fewEngines, freshDatabase } from '../../support/servers/engines.ts';

const modes = ['like', 'native', 'auto'] as const;

/** All combinations of three words over two fields; a field without a word is NULL. Ids start at 1. */
const combinations = Array.from({ length: 8 }, (_value, id) => {
  const [amber, cobalt, indigo] = [(id & 1) > 0, (id & 2) > 0, (id & 4) > 0];
  const title = [amber ? 'amber' : '', indigo && !cobalt ? 'indigo' : ''].join(' ').trim();
  const body = [cobalt ? 'Cobalt' : '', indigo && cobalt ? 'INDIGO' : ''].join(' ').trim();
  return { id: id + 1, amber, cobalt, indigo, title, body };
});
type Combination = (typeof combinations)[number];
const text = (value: string) => (value === '' ? 'NULL' : `'${value}'`);
const rows = combinations.map(({ id, title, body }) => `(${id}, ${text(title)}, ${text(body)})`).join(', ');
const trips = `(1, 'Brazil', 'Brazil'), (2, 'Brazil', 'Italy'), (3, 'running foxes', 'quietly')`;

const places = `(1, 'gamma_north 7', NULL, 1.5), (2, 'Gamma North', '', 2.5), (3, 'the gamma-northwest', 'x', 1), (4, 'gammaxnorth', 'x', 1),
  (5, 'gamma', 'north', 1), (6, 'gammanorth', 'x', 1), (7, 'São Paulo', 'x', 1), (8, 'gammaéNORTH', 'x', 1), (9, 'gamma  north', 'x', 1)`;

const schema = {
  postgres: `CREATE TABLE place (id int PRIMARY KEY, name text, note text, n numeric(9, 1)); INSERT INTO place VALUES ${places};
    CREATE INDEX place_words ON place USING gin (to_tsvector('english', COALESCE(name, '') || ' ' || COALESCE(note, '')));
    CREATE TABLE mix (id int PRIMARY KEY, title text, body text); INSERT INTO mix VALUES ${rows};
    CREATE INDEX mix_words ON mix USING gin (to_tsvector('english', COALESCE(title, '') || ' ' || COALESCE(body, '')));
    CREATE TABLE trip (id int PRIMARY KEY, "from" text, "to" text); INSERT INTO trip VALUES ${trips};`,
  mysql: `CREATE TABLE place (id int PRIMARY KEY, name varchar(40), note varchar(40), n decimal(9, 1), FULLTEXT place_words (name, note)) CHARACTER SET utf8mb4;
    INSERT INTO place VALUES ${places};
    CREATE TABLE mix (id int PRIMARY KEY, title varchar(40), body varchar(40), FULLTEXT mix_words (title, body)) CHARACTER SET utf8mb4;
    INSERT INTO mix VALUES ${rows};
    CREATE TABLE trip (id int PRIMARY KEY, \`from\` varchar(40), \`to\` varchar(40), FULLTEXT trip_words (\`from\`, \`to\`)) CHARACTER SET utf8mb4;
    INSERT INTO trip VALUES ${trips};`,
};

const truths: readonly (readonly [string, (of: Combination) => boolean])[] = [
  ['amber', ({ amber }) => amber],
  ['!amber', ({ amber }) => !amber],
  ['!!amber', ({ amber }) => amber],
  ['amber & cobalt', ({ amber, cobalt }) => amber && cobalt],
  ['amber | cobalt', ({ amber, cobalt }) => amber || cobalt],
  ['amber & !cobalt', ({ amber, cobalt }) => amber && !cobalt],
  ['!amber & !cobalt', ({ amber, cobalt }) => !amber && !cobalt],
  ['!(amber | cobalt)', ({ amber, cobalt }) => !(amber || cobalt)],
  ['!(amber & cobalt)', ({ amber, cobalt }) => !(amber && cobalt)],
  ['indigo & !(amber & cobalt)', ({ amber, cobalt, indigo }) => indigo && !(amber && cobalt)],
  ['indigo & !(amber | cobalt)', ({ amber, cobalt, indigo }) => indigo && !(amber || cobalt)],
  ['amber & (cobalt | indigo)', ({ amber, cobalt, indigo }) => amber && (cobalt || indigo)],
  ['amber | cobalt & indigo', ({ amber, cobalt, indigo }) => amber || (cobalt && indigo)],
  ['amber & !cobalt | indigo', ({ amber, cobalt, indigo }) => (amber && !cobalt) || indigo],
  ['indigo | !amber', ({ amber, indigo }) => indigo || !amber],
  ['(amber | !cobalt) & indigo', ({ amber, cobalt, indigo }) => (amber || !cobalt) && indigo],
  ['amb:* & !IND:*', ({ amber, indigo }) => amber && !indigo],
  ['(amber | cob:*) & (cobalt | indigo)', ({ amber, cobalt, indigo }) => (amber || cobalt) && (cobalt || indigo)],
  ['cobalt <-> indigo', ({ cobalt, indigo }) => cobalt && indigo],
  ["!'cobalt indigo' & (amber | indi:*)", ({ amber, cobalt, indigo }) => !(cobalt && indigo) && (amber || indigo)],
  ['foo-bar:* | amber', ({ amber }) => amber],
];

const hostile = [
  ...[
    '\0',
    'a\0b',
    '\ud800',
    "'",
    "\\'",
    '\\',
    ';',
    "'; DROP TABLE mix; --",
    '"',
    '`',
    '%',
    '_',
    '|',
    '*',
    '@',
    '$1',
    '?',
  ],
  ...[
    "'\\''",
    "'x'':*'",
    "'\0':*",
    "'\ud800':*",
    "!'\ud800'",
    '_:*',
    'a:*',
    '🙂:*',
    '+-><()~*"@',
    '<->',
    '(a',
    '{"',
    '{}',
  ],
  ...[
    'the',
    'the:*',
    'the <-> and',
    '!the',
    '!the & amber',
    '(((((((((((((((((((((((((((((((((((((a',
    '!'.repeat(10_000),
  ],
  ...[
    'x'.repeat(10_000),
    `${'x'.repeat(10_000)}:*`,
    `'${'x y '.repeat(2500)}':*`,
    `x${' <-> x'.repeat(15)}`,
    '('.repeat(10_000),
  ],
];

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(schema[isMysql ? 'mysql' : 'postgres']);
    const resource = (table: string, columns: readonly string[]) => (mode: (typeof modes)[number]) => [
      `${table} ${mode}`,
      { database: 'db', table, access: { read: 'public' }, search: { mode, columns } },
    ];
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: Object.fromEntries([
        ...modes.map(resource('mix', ['title', 'body'])),
        ...modes.map(resource('trip', ['from', 'to'])),
        ...modes.map(resource('place', ['name', 'note'])),
      ]),
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });

  const search = (resource_id: string, params: Record<string, Json>) =>
    gateway.result('datastore_search', { resource_id, ...params });
  async function ids(resource_id: string, params: Record<string, Json>): Promise<readonly Json[]> {
    const { records, total } = await search(resource_id, {
      fields: 'id',
      sort: 'id',
      ...params,
      records_format: 'lists',
    });
    const found = Array.isArray(records) ? records.flat() : [];
    expect(total).toBe(found.length);
    return found;
  }
  async function ranks(resource_id: string, params: Record<string, Json>, rank: string): Promise<readonly number[]> {
    const { records } = await search(resource_id, { fields: ['id', rank], ...params, records_format: 'lists' });
    return Array.isArray(records)
      ? records.map((record: unknown) => Number(Array.isArray(record) ? record[1] : NaN))
      : [];
  }

  describe.each(modes)('in mode %s', (mode) => {
    const [mix, trip] = [`mix ${mode}`, `trip ${mode}`];

    test.each(truths)('%s finds what it says', async (q, holds) => {
      const expected = combinations.filter(holds).map(({ id }) => id);
      expect(await ids(mix, { q, plain: false })).toEqual(expected);
      expect(await ids(mix, { full_text: q, plain: false, language: 'simple' })).toEqual(expected);
    });

    test('a query on a field looks into that field only, and all its words must be found', async () => {
      const expected = (holds: (of: Combination) => boolean) => combinations.filter(holds).map(({ id }) => id);
      expect(await ids(mix, { q: { title: 'indigo' } })).toEqual(expected(({ indigo, cobalt }) => indigo && !cobalt));
      expect(await ids(mix, { q: { title: 'AMBER', body: 'indigo cobalt' } })).toEqual([8]);
      expect(await ids(mix, { q: { title: '!amber' }, plain: false })).toEqual(expected(({ amber }) => !amber));
      expect(await ids(mix, { q: { title: 'amber' }, full_text: 'indigo' })).toEqual([6, 8]);
      expect(await ids(mix, { q: { title: 'amber', body: '' } })).toEqual([]);
      expect(await ids(mix, { q: 'no such', full_text: 'amber cobalt indigo' })).toEqual([8]);
    });

    test('a field that q does not search can be queried by name', async () => {
      expect(await ids(mix, { q: { id: '5' } })).toEqual([5]);
      expect(await ids(mix, { q: '5' })).toEqual([]);
    });

    test('a rank of all fields orders records, a rank of one field only by that field', async () => {
      const [first, second, ...others] = await ranks(trip, { full_text: 'Brazil' }, 'rank');
      expect(others).toEqual([]);
      expect(Number(first)).toBeGreaterThan(Number(second));
      expect(Number(second)).toBeGreaterThan(0);
      expect(Number(first)).toBeLessThan(1);
      expect(await ranks(trip, { q: 'Brazil', full_text: 'Brazil' }, 'rank')).toEqual([first, second]);
      const [from, alike] = await ranks(trip, { q: { from: 'Brazil' } }, 'rank from');
      expect(from).toBe(alike);
      expect(await ranks(trip, { q: { from: 'Brazil' }, full_text: 'Brazil' }, 'rank from')).toEqual([from, alike]);
      expect(await ranks(trip, { q: { from: 'Brazil' }, full_text: 'Brazil' }, 'rank')).toEqual([first, second]);
    });

    test('the best come first, then the key decides', async () => {
      const found = await search(mix, { q: 'amber | cobalt | indigo', plain: false, records_format: 'lists' });
      const records: readonly unknown[][] = Array.isArray(found.records) ? found.records : [];
      const order = records.map((record) => [Number(record.at(-1)), Number(record.at(-5))]);
      expect(order).toHaveLength(7);
      expect(order).toEqual([...order].sort(([a = 0, m = 0], [b = 0, n = 0]) => b - a || m - n));
      expect(new Set(order.map(([rank]) => rank)).size).toBeGreaterThan(1);
    });

    test('a _ in an unquoted word stands for any one character, as where DataTables replaces a sign', async () => {
      const place = `place ${mode}`;
      const find = (q: Json) => ids(place, { q, plain: false, language: 'simple' });
      // PostgreSQL's full text works as in CKAN: punctuation separates words, and all fields form one text.
      const isTsquery = mode === 'native' && !isMysql;
      const expected = isTsquery ? [1, 2, 3, 9] : [1, 2, 3, 4, 8];
      expect(await find('gamma_north:*')).toEqual(isTsquery ? [1, 2, 3, 5, 9] : expected);
      expect(await find('{"name": "GAMMA_NORTH:*"}')).toEqual(expected);
      expect(await find('gamma_north:* & x')).toEqual(expected.filter((id) => id > 2));
      expect(await find({ n: '1_5:*' })).toEqual(isTsquery ? [] : [1]);
      if (isTsquery) return;
      expect(await find('!gamma_north:*')).toEqual([5, 6, 7, 9]);
      expect(await find('S_o_Paulo:*')).toEqual([7]);
      expect(await find('gamma_north <-> 7')).toEqual([1]);
      expect(await find('gamma__north | g_mm_xnorth')).toEqual([4, 9]);
      expect((await ranks(place, { q: 'gamma_north:*', plain: false }, 'rank')).every((rank) => rank > 0)).toBe(true);
      if (mode === 'like') for (const q of ["'gamma_north':*", 'gamma\\_north:*']) expect(await find(q)).toEqual([1]);
    });

    test('DataTables finds the beginnings of words, never by their stems', async () => {
      const asDataTables = {
        plain: false,
        language: 'simple',
        offset: 0,
        limit: 10,
        total_estimation_threshold: 100000,
      };
      expect(await ids(trip, { ...asDataTables, q: 'runn:*', filters: {}, sort: '' })).toEqual([3]);
      expect(await ids(trip, { ...asDataTables, q: '{"from":"foxe:*"}', sort: 'to asc, from desc' })).toEqual([3]);
      expect(await ids(trip, { ...asDataTables, q: 'ital:*', filters: { from: ['Brazil', 'x'] } })).toEqual([2]);
      expect(await ids(trip, { ...asDataTables, q: '', filters: {} })).toEqual([1, 2, 3]);
    });

    test('a language is checked where it counts, and stems there', async () => {
      const native = mode === 'native' && !isMysql;
      expect(await ids(trip, { q: 'fox run' })).toEqual(isMysql && mode !== 'like' ? [] : [3]);
      expect(await ids(trip, { q: 'ran runs', language: 'english' })).toEqual([]);
      expect(await ids(trip, { q: 'runs', language: 'english' })).toEqual(native ? [3] : []);
      expect(await ids(trip, { q: 'runs', language: 'simple' })).toEqual([]);
      const answer = await gateway.call('datastore_search', { resource_id: trip, q: 'x', language: 'klingon' });
      expect(answer.status).toBe(mode === 'like' || isMysql ? 200 : 409);
      if (answer.status === 409)
        expect(answer.text).toMatch(/"language":\["must be one of .*english.*, got: \\"klingon\\""\]/);
    });

    test('no word breaks the search or slows it down', async () => {
      const calls = hostile.flatMap((words) => [{ q: words }, { q: { title: words }, full_text: words, plain: false }]);
      const started = performance.now();
      for (let at = 0; at < calls.length; at += 8) {
        const some = calls.slice(at, at + 8);
        const answers = await Promise.all(
          some.map((params) => gateway.call('datastore_search', { resource_id: mix, ...params })),
        );
        answers.forEach(({ status, text }, nth) => {
          expect([200, 409], `${JSON.stringify(some[nth]).slice(0, 80)}: ${text.slice(0, 300)}`).toContain(status);
        });
      }
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(await ids(mix, {})).toHaveLength(8);
    });
  });

  test('modes that cannot know better give the same bytes as like', async () => {
    const params = { q: { title: 'amber', body: 'cobalt' } };
    const like = await gateway.call('datastore_search', { resource_id: 'mix like', ...params });
    const auto = await gateway.call('datastore_search', { resource_id: 'mix auto', ...params });
    expect(auto.text).toBe(like.text.replace('mix like', 'mix auto'));
  });
});
