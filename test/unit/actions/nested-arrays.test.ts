import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { datastore_upsert } from '../../../src/actions/index.ts';
import { where } from '../../../src/actions/query/filters.ts';
import { choice, type Type } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import { type ArrayItem, quoted, readArray } from '../../../src/values/array-text.ts';
import { convert } from '../../../src/values/convert.ts';
import { encoder } from '../../../src/values/encode.ts';
import { parseArray } from '../../../src/values/encode-array.ts';
import { parseJson } from '../../../src/values/json.ts';
import { planOf } from '../../support/drained.ts';
import { bounds, column, films, int4, resource, text, withColumns } from '../../support/table.ts';
import { refused } from './refused.ts';

const ints: Type = { kind: 'array', of: int4 };
const texts: Type = { kind: 'array', of: text };
const table = withColumns(films, [column('id', int4), column('nums', ints), column('tags', texts)]);
const maxCharacters = 1_000_000;

function wrong(json: Json, type: Type): string {
  const converted = convert(json, type);
  return converted.is === 'value' ? 'a value' : `${converted.is}: ${converted.text}`;
}

describe('the text of an array', () => {
  test.each<readonly [string, readonly ArrayItem[]]>([
    ['{}', []],
    [' { } ', []],
    ['{1,NULL, null ,-2}', ['1', null, null, '-2']],
    ['{"NULL","",N\\ULL}', ['NULL', '', 'NULL']],
    ['{a b\t, "c d" }', ['a b', 'c d']],
    ['{a\\ ,b\\\\ ,\\,}', ['a ', 'b\\', ',']],
    ['{"\\"","\\\\","a\\b"}', ['"', '\\', 'ab']],
    ['{{a},{b}}', [['a'], ['b']]],
    ['{{},{}}', [[], []]],
    ['{{{{{{1}}}}}}', [[[[[['1']]]]]]],
    ['{\u00a0x\u00a0}', ['\u00a0x\u00a0']],
  ])('%s', (literal, items) => {
    expect(readArray(literal, maxCharacters)).toEqual(items);
  });

  test.each([
    '',
    ' ',
    'a',
    '{',
    '}',
    '{a',
    '{"a',
    '{"a\\"}',
    '{a\\}',
    '{,}',
    '{a,}',
    '{,a}',
    '{a,,b}',
    '{a}{b}',
    '{a}b',
  ])('%j is none', (literal) => {
    expect(readArray(literal, maxCharacters)).toBe('syntax');
  });
  test.each(['{a}}', '{a}x', '{{a}b}', '{a{b}}', '{a"b"}', '{"a"b}', '{"a""b"}', '{"a"{b}}', '{{a},}', '[0:1]={1,2}'])(
    '%s is none, either',
    (literal) => {
      expect(readArray(literal, maxCharacters)).toBe('syntax');
    },
  );

  test('is read as it was written, whatever the elements are', () => {
    const element = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\\"{}, ]*$/));
    fc.assert(
      fc.property(fc.array(element, { minLength: 1 }), (elements) => {
        const literal = `{${elements.map(quoted).join(',')}}`;
        expect(readArray(literal, maxCharacters)).toEqual(elements);
        expect(JSON.parse(parseArray(literal, encoder(text)))).toEqual(elements.map((one) => one.toWellFormed()));
        const converted = convert(literal, texts);
        if (elements.every((one) => one.isWellFormed() && !one.includes('\0')))
          expect(converted).toEqual({ is: 'value', value: literal });
      }),
    );
  });

  test('has no more elements than a list in JSON may have', () => {
    expect(readArray(`{${'1,'.repeat(99)}1}`, 100)).toHaveLength(100);
    expect(readArray(`{${'1,'.repeat(100)}1}`, 100)).toBe('many');
    expect(readArray(`{${'{},'.repeat(100)}{}}`, 100)).toBe('many');
    expect(wrong(`{${'1,'.repeat(100_000)}1}`, ints)).toBe('wrong: an array must have at most 100000 elements');
  });
});

describe('nesting', () => {
  const deep = 'number of array dimensions exceeds the maximum allowed (6)';
  const six = '[[[[[[1]]]]]]';

  test.each([50_000, 3_000_000])('%i braces', (count) => {
    for (const literal of [
      '{'.repeat(count),
      '{'.repeat(count) + '}'.repeat(count),
      `${'{'.repeat(count)}1${'}'.repeat(count)}`,
    ]) {
      expect(wrong(literal, ints)).toBe(`wrong: ${deep}`);
      expect(refused(() => where({ nums: literal }, table, bounds))).toEqual({ filters: [expect.any(String)] });
    }
    expect(wrong('}'.repeat(count), ints)).toMatch(/^wrong: invalid input syntax for type integer\[\]/);
  });

  test('of lists', () => {
    expect(convert(parseJson(six, 32), ints).is).toBe('value');
    for (const depth of [1, 25, 900])
      expect(wrong(parseJson('['.repeat(depth) + six + ']'.repeat(depth), 1000), ints)).toBe(`wrong: ${deep}`);
    expect(wrong(parseJson('[[[[[[[]]]]]]]', 32), ints)).toMatch(/^wrong: /);
  });

  test.each([
    '[[1],[2,3]]',
    '[[1],2]',
    '[1,[2]]',
    '[[],[1]]',
    '[[]]',
    '[null,[1]]',
    '[[[1]],[[2],[3]]]',
    '[[[1],[2]],[[3]]]',
  ])('%s has no shape', (list) => {
    expect(wrong(parseJson(list, 32), ints)).toBe(`wrong: invalid input syntax for type integer[]: "${list}"`);
  });

  test('a refusal names the field', () => {
    expect(refused(() => where({ nums: `{${'{'.repeat(6)}` }, table, bounds))).toEqual({
      filters: [`${deep} (field "nums")`],
    });
    const write = () =>
      planOf(
        datastore_upsert
          .start({ resource_id: 'films', method: 'insert', records: [{ id: 1, nums: '{'.repeat(50_000) }] }, bounds)
          .plan(resource(table), null),
      );
    expect(refused(write)).toEqual({ records: [deep], records_row: 0, records_field: 'nums' });
  });
});

test.each(['a', '\\\\', '\\"', ',', '{', 'é', '😀', ' '])('an element of nine megabytes of %j', (part) => {
  const literal = `{"${part.repeat(9_000_000 / part.length)}"}`;
  expect(convert(literal, texts)).toEqual({ is: 'value', value: literal });
  expect(wrong(literal.slice(0, -2), texts)).toMatch(/^wrong: invalid input syntax for type text\[\]: "\{"/);
});

describe('values inside lists are counted', () => {
  const limits = { ...bounds, inValues: 5 };
  test.each([
    ['{"nums": {"eq": [[1, 2, 3], [4, 5, 6]]}}', 6],
    ['{"nums": [[1, 2, 3], [4, 5], [6, 7]]}', 7],
    ['{"nums": {"eq": [[], [], [], [], [], []]}}', 6],
    ['{"nums": "{1,2,3,4,5,6}"}', 6],
    ['{"nums": ["{1,2,3}", [4, 5, 6]]}', 6],
    ['{"id": [1, 2, 3], "nums": {"ne": [4, 5, 6]}}', 6],
    ['{"id": {"eq": {"a": [1, 2, 3], "b": {}, "c": 4, "d": []}}}', 6],
  ])('%s', (filters, count) => {
    const parsedFilters = parseJson(filters, 32);
    expect(refused(() => where(Object(parsedFilters), table, limits))).toEqual({
      filters: [`must have at most 5 values in lists, got: ${count}`],
    });
  });

  test('their characters, too, and those of members and of documents', () => {
    const long = 'x'.repeat(200_000);
    const asked = {
      tags: {
        eq: [
          [long, long],
          [long, long],
        ],
      },
      id: { eq: { [long]: long } },
    };
    expect(refused(() => where(asked, table, { ...bounds, inValues: 100 }))).toEqual({
      filters: ['must have at most 1000000 characters in values, got: 1200000'],
    });
  });

  test('and the values that a range of an ENUM stands for', () => {
    const values = ['', ...Array.from({ length: 60_000 }, (_, nth) => `member ${nth}`)];
    const many = withColumns(films, [column('size', choice(values, false))]);
    const conditions = Array.from({ length: 90 }, () => ({ size: { gte: 'member 0' } }));
    const [first] = Object(refused(() => where(conditions, many, bounds)).filters);
    expect(first).toMatch(/^must have at most 1000000 characters in values, got: 1\d{6}$/);
  });
});
