/** `q`, `full_text`, `plain` and `language`: the parsed words, the columns searched, and the refusals. */
import { describe, expect, test } from 'vitest';
import { datastore_search } from '../../../src/actions/index.ts';
import { parseTsquery } from '../../../src/actions/query/tsquery.ts';
import { isRank } from '../../../src/model/plan.ts';
import type { SearchSettings, Table } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import type { Query } from '../../../src/model/words.ts';
import { column, films, text, withColumns } from '../../support/table.ts';
import { plan } from './calling.ts';
import { refused } from './refused.ts';

const settings = (mode: SearchSettings['mode'], finds: RegExp | null = null): Table['search'] => ({
  ...{ mode, columns: [], language: 'english', languages: mode === 'like' ? null : ['simple', 'english'] },
  index: finds === null ? null : { expression: '', answers: (word) => finds.test(word), ignores: () => false },
});
const read = (params: Record<string, Json>, search = settings('like'), table: Table = films) => {
  const planned = plan(datastore_search, params, { ...table, search });
  if (planned.effect !== 'read') throw new Error(planned.effect);
  return planned;
};
const searchesOf = (params: Record<string, Json>, search = settings('like')) =>
  read(params, search).searches.map((one) => [one.column?.label ?? null, written(one.query)]);

/** A query in a notation with all parentheses. */
function written(query: Query): string {
  if (query.op === 'not') return `!${written(query.of)}`;
  if (query.op === 'word') return `${query.text}${query.prefix ? '*' : ''}`;
  if (query.op === 'phrase') return `<${query.of.map(({ text, prefix }) => text + (prefix ? '*' : '')).join(' ')}>`;
  return `(${query.of.map(written).join(query.op === 'and' ? ' & ' : ' | ')})`;
}

describe('words', () => {
  test.each([
    ['jones', '(jones)'],
    ['  jones  smith ', '(jones & smith)'],
    ['"two words" one', '(two words & one)'],
    ['a"b c', '(a"b & c)'],
    ['"unclosed one', '("unclosed & one)'],
    ['50%_|\\ +x*', '(50%_|\\ & +x*)'],
    ['漢字　検索', '(漢字 & 検索)'],
    ["'; DROP", "('; & DROP)"],
    ['"{}"', '({})'],
    ['[1]', '([1])'],
    ['{"a', '({"a)'],
  ])('%j is %s', (q, query) => {
    expect(searchesOf({ q })).toEqual([[null, query]]);
    expect(searchesOf({ full_text: q })).toEqual([[null, query]]);
  });

  test.each<Json>(['', '   ', '""', '"  "', '\n\t', {}, '{}', null])('%j asks for nothing', (q) => {
    expect(read({ q, full_text: '' })).toMatchObject({ searches: [], sort: [{ by: { name: 'film_id' } }] });
  });

  test('more than allowed are refused, not cut, wherever they stand', () => {
    const tooMany = ['must have at most 2 words, got: 3'];
    expect(refused(() => read({ q: 'a b c' }))).toEqual({ q: tooMany });
    expect(refused(() => read({ q: { title: 'a b', code: 'c' } }))).toEqual({ q: tooMany });
    expect(refused(() => read({ q: { title: 'a b' }, full_text: 'c' }))).toEqual({ q: tooMany });
    expect(refused(() => read({ full_text: 'a b c' }))).toEqual({ full_text: tooMany });
    expect(refused(() => read({ q: 'a & !b | c', plain: false }))).toEqual({
      q: ['must have at most 2 words, got more'],
    });
    expect(searchesOf({ q: '"a b c" d' })).toHaveLength(1);
  });

  test('longer than allowed they are refused before anything is made of them: 100 bytes', () => {
    const tooLong = (bytes: number) => [`must have at most 100 bytes, got: ${bytes}`];
    expect(searchesOf({ q: 'x'.repeat(100) })).toHaveLength(1);
    expect(refused(() => read({ q: 'x'.repeat(101) }))).toEqual({ q: tooLong(101) });
    expect(refused(() => read({ q: `${'є'.repeat(50)}x` }))).toEqual({ q: tooLong(101) });
    expect(refused(() => read({ full_text: ' '.repeat(101), plain: false }))).toEqual({ full_text: tooLong(101) });
    expect(refused(() => read({ q: { title: 'x'.repeat(50), code: 'x'.repeat(50) } }))).toEqual({ q: tooLong(109) });
    expect(refused(() => read({ q: `{"title": "${'x'.repeat(100)}"}` }))).toEqual({ q: tooLong(113) });
    expect(refused(() => read({ q: 'x'.repeat(101), full_text: 'y'.repeat(102) }))).toEqual({
      q: tooLong(101),
      full_text: tooLong(102),
    });
  });

  test('full_text replaces a text q, and stands beside an object', () => {
    expect(searchesOf({ q: 'a', full_text: 'b' })).toEqual([[null, '(b)']]);
    expect(searchesOf({ q: { title: 'a' }, full_text: 'b' })).toEqual([
      ['title', '(a)'],
      [null, '(b)'],
    ]);
  });
});

describe('an object q', () => {
  test('asks each column, also as JSON in a text, however its name is quoted', () => {
    const both = [
      ['title', '(a)'],
      ['_id', '(1)'],
    ];
    expect(searchesOf({ q: { title: 'a', '"_id"': '1' } })).toEqual(both);
    expect(searchesOf({ q: ' {"title": "a", "_id": "1"} ' })).toEqual(both);
  });

  test('an empty query on a field has no words', () => {
    expect(searchesOf({ q: { title: '' } })).toEqual([['title', '()']]);
    expect(searchesOf({ q: { title: ' ' }, plain: false })).toEqual([['title', '()']]);
  });

  test.each<[Json, string]>([
    [{ nope: 'x' }, 'nope'],
    [{ title: ['x'] }, 'title'],
    [{ title: 5 }, 'title'],
    [{ title: null }, 'title'],
    [{ title: { a: 'x' } }, 'title'],
    [{ poster: 'x' }, 'poster'],
    [{ title: 'x', __proto__x: 'y' }, '__proto__x'],
  ])('%j is refused', (q, name) => {
    expect(refused(() => read({ q }))).toEqual({ q: [`invalid value "${name}"`] });
    expect(refused(() => read({ q: JSON.stringify(q) }))).toEqual({ q: [`invalid value "${name}"`] });
  });

  test('other JSON is neither words nor an object', () => {
    expect(refused(() => read({ q: ['a'] }))).toEqual({ q: ['must be a text or an object, got: ["a"]'] });
    expect(refused(() => read({ full_text: { a: 'b' }, language: [1] }))).toEqual({
      full_text: ['must be a text, got: {"a":"b"}'],
      language: ['must be a text, got: [1]'],
    });
  });
});

describe('a tsquery', () => {
  const within = { qWords: 9, depth: 32 };
  test.each([
    ['a', 'a'],
    ['ban:*', 'ban*'],
    ['a & b', '(a & b)'],
    ['a&b&c', '(a & b & c)'],
    ['a | b & !c', '(a | (b & !c))'],
    ['(a | b) & c', '((a | b) & c)'],
    ['!!a', '!!a'],
    ['! (a|b)', '!(a | b)'],
    ['a <-> b:* & c', '(<a b*> & c)'],
    ['a<->b<->c', '<a b c>'],
    ['(a <-> b) <-> c', '<a b c>'],
    ["'two words' & it's", "(two words & it's)"],
    ["'it''s':* | '\\''", "(it's* | ')"],
    ['a\\&b', 'a&b'],
    ['foo-bar_:*', 'foo-bar_*'],
    ['漢字:*', '漢字*'],
  ])('%j is %s', (text, query) => {
    expect(written(parseTsquery(text, 'q', within))).toBe(query);
  });

  test.each([
    ...[
      'apple banana',
      'a &',
      '& a',
      '!',
      'a !b',
      '()',
      '(a',
      'a)',
      'a :*',
      'a:',
      'a:B',
      'a:*:*',
      'a:**',
      '<->',
      'a <->',
    ],
    ...['a <2> b', 'a <-> !b', '(a | b) <-> c', "''", "' '", "'a", '10:30', ':*', 'a < b', "a 'b'", 'a && b', '\\'],
  ])('%j is none', (q) => {
    const orig = [`syntax error in tsquery: "${q}"`];
    expect(refused(() => read({ q, plain: 'false' }))).toEqual({ query: ['Invalid query'], info: { orig } });
    expect(refused(() => read({ q: { title: q }, plain: false }))).toMatchObject({ info: { orig } });
  });

  test('may be nested as deep as allowed, and no deeper', () => {
    const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}a${close.repeat(depth)}`;
    for (const [open, close] of [['!', ''] as const, ['(', ')'] as const]) {
      expect(() => parseTsquery(nested(open, close, 32), 'q', within)).not.toThrow();
      const tooDeep = { q: ['must be nested at most 32 levels deep'] };
      expect(refused(() => parseTsquery(nested(open, close, 33), 'q', within))).toEqual(tooDeep);
      expect(refused(() => parseTsquery(nested(open, close, 1_000_000), 'q', within))).toEqual(tooDeep);
    }
  });

  test('shows no more of a long text than of any other', () => {
    const error = refused(() => parseTsquery(`a b${'c'.repeat(10_000)}`, 'q', within));
    expect(JSON.stringify(error).length).toBeLessThan(300);
  });
});

describe('ranks', () => {
  const labels = (params: Record<string, Json>, table = films) =>
    read({ limit: 1, ...params }, settings('like'), table).columns.map(({ label }) => label);
  const order = (params: Record<string, Json>) =>
    read(params).sort.map(({ by, direction }) => `${by.label} ${direction}`);

  test('are shown after the columns, and order the records', () => {
    expect(labels({ q: 'a' }).slice(-2)).toEqual(['place', 'rank']);
    expect(labels({ q: { title: 'a', _id: '1' } }).slice(-2)).toEqual(['rank title', 'rank _id']);
    expect(labels({ q: { title: 'a' }, full_text: 'b' }).slice(-2)).toEqual(['rank title', 'rank']);
    expect(order({ q: { title: 'a' }, full_text: 'b' })).toEqual(['rank title desc', 'rank desc', 'film_id asc']);
    expect(order({ q: 'a', fields: 'title' })).toEqual(['rank desc', 'film_id asc']);
  });

  test('give way to a sort', () => {
    expect(order({ q: 'a', sort: 'title' })).toEqual(['title asc', 'film_id asc']);
  });

  test('are shown among fields only if named', () => {
    expect(labels({ q: 'a', fields: 'title' })).toEqual(['title']);
    expect(labels({ q: { title: 'a' }, fields: 'title, rank title ,"rank title"' })).toEqual([
      ...['title', 'rank title', 'rank title'],
    ]);
    expect(labels({ full_text: 'a', fields: ['rank'] })).toEqual(['rank']);
    expect(labels({ q: 'a', fields: [] }).at(-1)).toBe('rank');
  });

  test.each([
    [{ fields: 'rank' }, { fields: ['invalid value "rank"'] }],
    [
      { q: 'a', fields: 'rank title' },
      { fields: ['invalid value "rank title", must be one field: commas separate several'] },
    ],
    [{ q: { title: 'a' }, fields: 'rank' }, { fields: ['invalid value "rank"'] }],
    [{ q: 'a', sort: 'rank desc' }, { sort: ['invalid value "rank desc"'] }],
  ])('%j names none', (params, error) => {
    expect(refused(() => read(params))).toEqual(error);
  });

  test('a column of that name is not hidden by its rank', () => {
    const ranked = withColumns(films, [...films.columns, column('rank', text)]);
    expect(labels({ q: 'a' }, ranked).filter((label) => label === 'rank')).toHaveLength(1);
    expect(read({ q: 'a', fields: 'rank' }, settings('like'), ranked).columns.some(isRank)).toBe(false);
    expect(labels({ q: { title: 'a', '"title"': 'b' } }).filter((label) => label === 'rank title')).toHaveLength(1);
  });
});

describe('auto', () => {
  const waysOf = (params: Record<string, Json>, search: Table['search']) =>
    read(params, search).searches.map((one) => one.by);

  test('is native only where the index finds every word', () => {
    expect(waysOf({ q: 'long words' }, settings('auto', /..../))).toEqual(['native']);
    expect(waysOf({ q: 'long it' }, settings('auto', /..../))).toEqual(['like']);
    expect(waysOf({ q: 'long' }, settings('auto'))).toEqual(['like']);
    expect(waysOf({ q: 'it' }, settings('native', /..../))).toEqual(['native']);
    expect(waysOf({ q: 'long' }, settings('like', /..../))).toEqual(['like']);
    expect(waysOf({ q: 'long | !it', plain: false }, settings('auto', /..../))).toEqual(['like']);
    expect(waysOf({ q: 'long <-> it', plain: false }, settings('auto', /..../))).toEqual(['like']);
    expect(waysOf({ q: 'long <-> word:*', plain: false }, settings('auto', /..../))).toEqual(['native']);
  });

  test('is native for one column only where the index is over exactly that one', () => {
    const [title, other] = films.columns.filter(({ label }) => label === 'title' || label === 'code');
    if (title === undefined || other === undefined) throw new Error('no column');
    const index = { ...settings('auto', /./) };
    expect(waysOf({ q: { title: 'a' } }, { ...index, columns: [title] })).toEqual(['native']);
    expect(waysOf({ q: { title: 'a' } }, { ...index, columns: [other] })).toEqual(['like']);
    expect(waysOf({ q: { title: 'a' }, full_text: 'b' }, { ...index, columns: [title, other] })).toEqual([
      'like',
      'native',
    ]);
  });

  test('is native only in the language of the index', () => {
    expect(waysOf({ q: 'a', language: 'english' }, settings('auto', /./))).toEqual(['native']);
    expect(waysOf({ q: 'a', language: 'simple' }, settings('auto', /./))).toEqual(['like']);
  });
});

test('a language is one of the database, where it has some', () => {
  const language = (name: Json, mode: SearchSettings['mode']) =>
    read({ q: 'a', language: name }, settings(mode)).searches.map((one) => one.language);
  expect(language('simple', 'native')).toEqual(['simple']);
  expect(language('', 'native')).toEqual(['english']);
  expect(language('klingon', 'like')).toEqual(['english']);
  const error = { language: ['must be one of english, simple, got: "klingon"'] };
  expect(refused(() => language('klingon', 'native'))).toEqual(error);
  expect(refused(() => read({ language: 'klingon' }, settings('auto')))).toEqual(error);
});
