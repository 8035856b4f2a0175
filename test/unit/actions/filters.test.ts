import { describe, expect, test } from 'vitest';
import { matchesEverything, where } from '../../../src/actions/query/filters.ts';
import type { Where } from '../../../src/model/plan.ts';
import type { Table } from '../../../src/model/table.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { isList, isObject, parseJson } from '../../../src/values/json.ts';
import { bounds, films, parts } from '../../support/table.ts';
import { refused } from './refused.ts';

function conditionOf(text: string, table: Table = films) {
  const json = parseJson(text, 32);
  if (isList(json)) return where(json.filter(isObject), table, bounds);
  if (!isObject(json)) throw new Error(text);
  return where(json, table, bounds);
}

const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** A condition in a readable notation. */
function shown(condition: Where): string {
  const value = (bound: string | Uint8Array) =>
    typeof bound === 'string' ? bound || "''" : Buffer.from(bound).toString('hex');
  switch (condition.op) {
    case 'all':
    case 'any':
      return `${condition.op}(${condition.of.map(shown).join('; ')})`;
    case 'not':
      return `not(${shown(condition.of)})`;
    case 'null':
      return `${condition.column.name} is null`;
    case 'in':
      return `${condition.column.name} in [${condition.values.map(value).join(', ')}]`;
    case 'like':
      return `${condition.column.name} ${condition.folds ? 'ilike' : 'like'} ${condition.pattern}`;
    default:
      return `${condition.column.name} ${signs[condition.op]} ${value(condition.value)}`;
  }
}

test.each([
  ['{}', 'all()'],
  ['[]', 'all()'],
  ['[{}]', 'any(all())'],
  ['{"title": "Alien"}', 'title in [Alien]'],
  ['{"title": "Alien", "film_id": 1}', 'all(title in [Alien]; film_id in [1])'],
  // `_id` is another name for its column.
  ['{"_id": "7"}', 'film_id in [7]'],
  ['{" \\"title\\" ": 5}', 'title in [5]'],
  ['{"film_id": [1, "2", 1.0]}', 'film_id in [1, 2]'],
  ['{"film_id": []}', 'film_id in []'],
  ['{"seen": null}', 'seen is null'],
  ['{"title": ["a", null]}', 'any(title in [a]; title is null)'],
  ['{"title": [null]}', 'title is null'],
  ['{"Rück gabe": 12.50}', 'Rück gabe in [12.50]'],
  ['{"poster": "\\\\x00FF"}', 'poster in [00ff]'],
  ['{"title": ""}', "title in ['']"],
  // A value that the column cannot hold matches nothing. In a list, only that value is dropped.
  ['{"film_id": 1.5}', 'film_id in []'],
  ['{"film_id": [1, 99999999999]}', 'film_id in [1]'],
  ['{"Rück gabe": ["1.005", "1.00"]}', 'Rück gabe in [1.00]'],
  // CHAR values are shown without padding, so a value that ends in a blank never matches.
  ['{"code": ["ab", "ab "]}', 'code in [ab]'],
  // NULL can be tested even in columns that cannot be compared.
  ['{"tags": null, "poster": {"null": true}}', 'all(any(tags in [null]; tags is null); poster is null)'],
  ['{"tags": {"eq": [1, {"a": 1.50}]}}', 'tags in [[1,{"a":1.50}]]'],
  // jsonb cannot contain this character.
  ['{"tags": "\\u0000"}', 'tags in []'],

  ['{"film_id": {"eq": 5}}', 'film_id in [5]'],
  ['{"film_id": {"in": [5, null]}}', 'any(film_id in [5]; film_id is null)'],
  ['{"film_id": {"gt": 1, "lte": 3}}', 'all(film_id > 1; film_id <= 3)'],
  ['{"film_id": [5, {"gte": 10, "lte": 19}, 7]}', 'any(film_id in [5, 7]; all(film_id >= 10; film_id <= 19))'],
  ['{"film_id": [{"lt": 1}, {"gt": 5}]}', 'any(film_id < 1; film_id > 5)'],
  ['[{"film_id": 1}, {"title": "a", "code": "b"}]', 'any(film_id in [1]; all(title in [a]; code in [b]))'],
  [
    '{"title": "x", "$or": [{"film_id": 1}, {"film_id": {"gt": 2}}]}',
    'all(title in [x]; any(film_id in [1]; film_id > 2))',
  ],
  ['{"$and": [{"film_id": 1}, {"$or": [{"title": "a"}, {}]}]}', 'all(film_id in [1]; any(title in [a]; all()))'],
  ['{"$and": []}', 'all()'],

  // Every record matches exactly one of `eq` and `ne`, whatever the value.
  ['{"film_id": {"ne": 5}}', 'not(film_id in [5])'],
  ['{"film_id": {"ne": 5.5}}', 'not(film_id in [])'],
  ['{"film_id": {"ne": null}}', 'not(film_id is null)'],
  ['{"film_id": {"nin": [1, null]}}', 'not(any(film_id in [1]; film_id is null))'],
  ['{"film_id": {"null": true}}', 'film_id is null'],
  ['{"film_id": {"null": false}}', 'not(film_id is null)'],

  ['{"title": {"like": "A%_"}}', 'title like A%_'],
  ['{"title": {"ilike": "50\\\\%|\\\\_\\\\\\\\\\\\a"}}', 'title ilike 50|%|||_\\a'],
  ['{"film_id": {"like": "1%"}, "tags": {"like": "%x%"}}', 'all(film_id like 1%; tags like %x%)'],
])('%s means %s', (text, expected) => {
  expect(shown(conditionOf(text))).toBe(expected);
});

// The transcripts 080 and 085 test the other refusals, on every engine.
test.each([
  ['{"constructor": 1}', ['Unknown field: constructor']],
  ['{"_id": true}', ['invalid input syntax for type integer: "true" (field "_id")']],
  ['{"tags": {"gt": "x"}}', ['a field of type jsonb has no order for "gt" (field "tags")']],
  ['{"place": "(1,2)"}', ['a field of type point cannot be filtered (field "place")']],
  // The limit applies to all lists of a call together, because they end up in one statement.
  ['{"film_id": [1, 2, 3, 4]}', ['must have at most 3 values in lists, got: 4']],
  ['{"$or": [{"film_id": [1, 2]}, {"_id": {"nin": [3, 4]}}]}', ['must have at most 3 values in lists, got: 4']],
  [
    `{"title": {"like": "${'%a'.repeat(30)}"}, "$or": [{"tags": {"ilike": "${'%b'.repeat(21)}"}}]}`,
    ['like and ilike must have at most 100 bytes, got: 102'],
  ],
  [
    `{"title": "${'x'.repeat(400_000)}", "tags": ["${'y'.repeat(600_000)}", {"eq": "z"}]}`,
    ['must have at most 1000000 characters in values, got: 1000001'],
  ],
  [
    '{"film_id": {"between": [1.50, "it\'s", null, true, {"a": "\\n"}]}}',
    [
      `Unknown filter operation: FilterOp(field='film_id', op='between', value=[1.50, "it's", None, True, {'a': '\\n'}]), must be one of eq, in, gt, gte, lt, lte, ne, nin, like, ilike, null`,
    ],
  ],
  ['{"$$AUD": 100}', ['Unknown field: $AUD']],
])('%s is refused', (text, says) => {
  expect(refused(() => conditionOf(text))).toEqual({ filters: says });
});

describe('as many as CKAN takes, and not one more', () => {
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, 1]));
  const list = (count: number) => Array.from({ length: count }, (_, at) => ({ film_id: at }));
  const levels = (count: number): JsonObject =>
    count === 0 ? { film_id: 1 } : { [count % 2 === 0 ? '$or' : '$and']: [levels(count - 1), { title: 'x' }] };
  const tooMany = { filters: ['Maximum number of filter operations exceeded'] };
  const tooDeep = { filters: ['Maximum nesting depth for filter operations reached'] };

  test('members of an object', () => {
    expect(refused(() => where(members(99), films, bounds)).filters).toHaveLength(99);
    expect(refused(() => where(members(100), films, bounds))).toEqual(tooMany);
    expect(refused(() => where({ $or: [members(100)] }, films, bounds))).toEqual(tooMany);
  });
  test('operations: a list of values is one, and so is what joins others', () => {
    where(list(99), films, bounds);
    expect(refused(() => where(list(100), films, bounds))).toEqual(tooMany);
    where({ $or: [...list(96), { film_id: { gt: 1, lt: 9 } }] }, films, bounds);
    expect(refused(() => where({ $or: [...list(97), { film_id: { gt: 1, lt: 9 } }] }, films, bounds))).toEqual(tooMany);
    where({ film_id: Array.from({ length: 200 }, (_, at) => at) }, films, { ...bounds, inValues: 200 });
  });
  test('levels', () => {
    where(levels(9), films, bounds);
    where([levels(8)], films, bounds);
    expect(refused(() => where(levels(10), films, bounds))).toEqual(tooDeep);
    expect(refused(() => where([levels(9)], films, bounds))).toEqual(tooDeep);
    expect(refused(() => where(levels(5000), films, bounds))).toEqual(tooDeep);
  });
});

test('where there is no _id, the key is named', () => {
  expect(refused(() => conditionOf('{"_id": 1}', parts))).toEqual({
    filters: ['Unknown field: _id (this table has no single integer key; its key is "a", "b")'],
  });
  expect(refused(() => conditionOf('{"_id": 1}', { ...parts, key: [] }))).toEqual({
    filters: ['Unknown field: _id (this table has no single integer key)'],
  });
});

describe('the guard of deletes', () => {
  test.each([
    '{}',
    '{"$and": []}',
    '{"$or": [{}]}',
    '{"$and": [{}, {"$or": [{}, {"title": "a"}]}]}',
    // Every value is outside of an empty list, and no id equals 1.5, so these conditions exclude nothing.
    '{"title": {"nin": []}}',
    '{"film_id": {"ne": 1.5}}',
    '{"$or": [{"title": "a"}, {"film_id": {"nin": ["1.5"]}}]}',
  ])('%s says nothing', (text) => {
    expect(matchesEverything(conditionOf(text))).toBe(true);
  });
  test.each([
    '{"title": "a"}',
    '{"title": []}',
    '{"title": null}',
    '{"title": {"null": false}}',
    '{"title": {"ne": "a"}}',
    '{"title": {"ne": null}}',
    '{"title": {"nin": [null]}}',
    '{"film_id": {"lt": "1e9"}}',
    '{"film_id": {"lt": "1e99"}}',
    '{"film_id": {"gt": "1e99"}}',
    '{"title": {"like": "%"}}',
    '{"title": "a", "$or": [{}]}',
    '{"$or": [{"title": "a"}, {"title": []}]}',
  ])('%s says something', (text) => {
    expect(matchesEverything(conditionOf(text))).toBe(false);
  });
});
