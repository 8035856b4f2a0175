import { describe, expect, test } from 'vitest';
import { saysNothing, where } from '../../src/actions/filters.ts';
import { isObject, parseJson } from '../../src/json.ts';
import type { JsonObject, Table, Where } from '../../src/plan.ts';
import { refused } from './refused.ts';
import { films, parts } from './table.ts';

const object = (text: string): JsonObject => {
  const json = parseJson(text, 10);
  if (!isObject(json)) throw new Error(text);
  return json;
};
const asked = (text: string, table: Table = films) => where(object(text), table, 3);

/** A condition as a person would write it. */
function shown(condition: Where): string {
  if (condition.op === 'null') return `${condition.column.name} is null`;
  if (condition.op === 'in')
    return `${condition.column.name} in [${condition.values.map((value) => (typeof value === 'string' ? value || "''" : Buffer.from(value).toString('hex'))).join(', ')}]`;
  return `${condition.op}(${condition.of.map(shown).join('; ')})`;
}

test.each([
  ['{}', 'all()'],
  ['{"title": "Alien"}', 'all(title in [Alien])'],
  ['{"title": "Alien", "film_id": 1}', 'all(title in [Alien]; film_id in [1])'],
  // `_id` is its column under another name.
  ['{"_id": "7"}', 'all(film_id in [7])'],
  ['{" \\"title\\" ": 5}', 'all(title in [5])'],
  ['{"film_id": [1, "2", 1.0]}', 'all(film_id in [1, 2])'],
  ['{"film_id": []}', 'all(film_id in [])'],
  ['{"seen": null}', 'all(any(seen in []; seen is null))'],
  ['{"title": ["a", null]}', 'all(any(title in [a]; title is null))'],
  ['{"Rück gabe": 12.50}', 'all(Rück gabe in [12.50])'],
  ['{"poster": "\\\\x00FF"}', 'all(poster in [00ff])'],
  ['{"title": ""}', "all(title in [''])"],
  // What the column cannot hold equals nothing, and only it drops out of a list.
  ['{"film_id": 1.5}', 'all(film_id in [])'],
  ['{"film_id": [1, 99999999999]}', 'all(film_id in [1])'],
  ['{"Rück gabe": ["1.005", "1.00"]}', 'all(Rück gabe in [1.00])'],
  // A CHAR shows no padding, so nothing that ends in a blank is ever shown.
  ['{"code": ["ab", "ab "]}', 'all(code in [ab])'],
])('%s means %s', (text, expected) => {
  expect(shown(asked(text))).toBe(expected);
});

test.each([
  ['{"nope": 1}', ['Unknown field: nope']],
  ['{"nope": 1, "title": "a", "also": [1]}', ['Unknown field: nope', 'Unknown field: also']],
  ['{"constructor": 1}', ['Unknown field: constructor']],
  ['{"TITLE": "a"}', ['Unknown field: TITLE']],
  ['{"film_id": "abc"}', ['invalid input syntax for type integer: "abc" (field "film_id")']],
  ['{"film_id": [1, "abc"]}', ['invalid input syntax for type integer: "abc" (field "film_id")']],
  ['{"film_id": ""}', ['invalid input syntax for type integer: "" (field "film_id")']],
  ['{"_id": true}', ['invalid input syntax for type integer: "true" (field "_id")']],
  ['{"seen": "yesterday"}', ['invalid input syntax for type timestamp: "yesterday" (field "seen")']],
  ['{"tags": {"eq": 1}}', ['field "tags" must be a value or a list of values, got: {"eq":1}']],
  ['{"tags": "x"}', ['a field of type jsonb cannot be filtered (field "tags")']],
  ['{"place": "(1,2)"}', ['a field of type point cannot be filtered (field "place")']],
  ['{"film_id": [1, 2, 3, 4]}', ['field "film_id" must have at most 3 values, got: 4']],
])('%s is refused', (text, says) => {
  expect(refused(() => asked(text))).toEqual({ filters: says });
});

test('a hundred members are too many, as in CKAN', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, 1]));
  expect(refused(() => where(many(100), films, 3))).toEqual({
    filters: ['Maximum number of filter operations exceeded'],
  });
  expect(refused(() => where(many(99), films, 3)).filters).toHaveLength(99);
});

test('where there is no _id, the key is named', () => {
  expect(refused(() => asked('{"_id": 1}', parts))).toEqual({
    filters: ['Unknown field: _id (this table has no single integer key; its key is "a", "b")'],
  });
  expect(refused(() => asked('{"_id": 1}', { ...parts, key: [] }))).toEqual({
    filters: ['Unknown field: _id (this table has no single integer key)'],
  });
});

describe('the guard of deletes', () => {
  const [title] = films.columns;
  if (title === undefined) throw new Error('no column');
  const some: Where = { op: 'in', column: title, values: ['1'] };
  test.each<readonly [string, Where, boolean]>([
    ['nothing', { op: 'all', of: [] }, true],
    ['all of nothing', { op: 'all', of: [{ op: 'all', of: [] }] }, true],
    ['any of nothing and something', { op: 'any', of: [some, { op: 'all', of: [] }] }, true],
    ['something', { op: 'all', of: [some] }, false],
    ['an empty list, which matches nothing', { op: 'all', of: [{ op: 'in', column: title, values: [] }] }, false],
    ['something and nothing', { op: 'all', of: [some, { op: 'all', of: [] }] }, false],
    ['an empty choice, which matches nothing', { op: 'any', of: [] }, false],
  ])('%s', (_, condition, expected) => {
    expect(saysNothing(condition)).toBe(expected);
  });
});
