import { describe, expect, test } from 'vitest';
import type { Parameter } from '../../../src/actions/action.ts';
import { namesOf, Params } from '../../../src/actions/params.ts';
import type { Json } from '../../../src/model/value.ts';
import { isObject, parseJson } from '../../../src/values/json.ts';
import { refused } from './refused.ts';

/** What a reader returns for a value, or its complaint. */
function read(json: string | undefined, reader: (params: Params) => unknown): unknown {
  const params = new Params(json === undefined ? {} : { p: parseJson(json, 5) });
  const value = reader(params);
  try {
    params.check();
  } catch {
    return refused(() => params.check()).p;
  }
  return value;
}

test.each([
  ...['true', '1', '"true"', '"YES"', '"t"', '"y"', '"1"', '2.5', '[]', '{}'].map((json) => [json, true]),
  // As in CKAN, everything else is false, without a complaint.
  ...['false', '0', '0.0', '"false"', '"on"', '"banana"', '""', '" true"', '"2"'].map((json) => [json, false]),
])('the boolean %s is %s', (json, expected) => {
  expect(read(String(json), (params) => params.boolean('p', !expected))).toBe(expected);
});

test.each([
  [undefined, 7],
  ['null', 7],
  ['""', 7],
  ['"  "', 7],
  ['0', 0],
  ['5', 5],
  ['"5"', 5],
  ['" 5 "', 5],
  ['"+5"', 5],
  ['2.0', 2],
  ['1e3', 1000],
  ['true', 1],
  ['99999999999999999999', Number.MAX_SAFE_INTEGER],
  ['-1', ['Must be a natural number']],
  ['"-1"', ['Must be a natural number']],
  ['2.5', ['Invalid integer']],
  ['"1.0"', ['Invalid integer']],
  ['"abc"', ['Invalid integer']],
  ['"0x10"', ['Invalid integer']],
  ['"1e3"', ['Invalid integer']],
  ['[1]', ['Invalid integer']],
  ['{}', ['Invalid integer']],
])('the number %s is %j', (json, expected) => {
  expect(read(json, (params) => params.natural('p', 7))).toEqual(expected);
});

test('a limit that is no number is refused with two messages, as in CKAN', () => {
  const limit = (value: Json) => {
    const params = new Params({ limit: value });
    params.natural('limit', 100);
    return refused(() => params.check());
  };
  expect(limit('all')).toEqual({ limit: ['Invalid integer', 'Please enter an integer value'] });
  expect(limit('2.5')).toEqual({ limit: ['Invalid integer'] });
});

test.each([
  [undefined, undefined],
  ['""', []],
  ['[]', []],
  ['"a, \\"b c\\" ,d"', ['a', ' "b c" ', 'd']],
  ['["a,b", " c"]', ['a,b', ' c']],
  ['"\\"a, b\\" desc nulls last, \\"c \\"\\"\\",\\"\\"\\",d,"', ['"a, b" desc nulls last', ' "c """', '"""', 'd', '']],
  ['"5\\" x,3\\" y"', ['5" x', '3" y']],
  ['"\\"a,\\"b,c"', ['"a', '"b', 'c']],
  ['"\\"a,b"', ['"a', 'b']],
  ['5', ['Not a list']],
  ['{"a": 1}', ['Not a list']],
  ['["a", {"id": "n"}]', ['Neither a string nor a list: {"id":"n"}']],
  ['["a", 5]', ['Neither a string nor a list: 5']],
])('the names %s are %j', (json, expected) => {
  expect(read(json, (params) => params.names('p'))).toEqual(expected);
});

test('names are not endless', () => {
  const names = (text: string) => read(JSON.stringify(text), (params) => params.names('p'));
  expect(names('a,'.repeat(1599))).toHaveLength(1600);
  expect(names('a,'.repeat(1600))).toEqual(['must have at most 1600 names, got: 1601']);
  // If parsing started over at every quote or blank, each of these would take minutes.
  for (const part of ['"', '"""', '"a,""', ' ', '" ', '"a" "'])
    expect(names(`"x${part.repeat(300_000)}y`)).toBeDefined();
});

test.each([
  [undefined, 'upsert'],
  ['""', 'upsert'],
  ['"insert"', 'insert'],
  ['"Insert"', ["Value must be one of ['upsert', 'insert']"]],
  ['5', ["Value must be one of ['upsert', 'insert']"]],
])('the word %s is %j', (json, expected) => {
  expect(read(json, (params) => params.word('p', ['upsert', 'insert'], 'upsert'))).toEqual(expected);
});

test.each([
  [undefined, 'background'],
  ['"background"', 'background'],
  ['""', ''],
  ['true', true],
  ['"no"', false],
  ['0', false],
  ['2', ['Value must be boolean or one of: background']],
  ['"soon"', ['Value must be boolean or one of: background']],
])('counting %s is %j', (json, expected) => {
  expect(read(json, (params) => params.flagOr('p', ['background'], 'background'))).toEqual(expected);
});

describe('the resource', () => {
  const id = (given: Record<string, Json>) => {
    const params = new Params(given);
    const found = params.resourceId();
    params.check();
    return found;
  };

  test('is id before resource_id, and anything but text is taken as its JSON', () => {
    expect(id({ resource_id: 'a' })).toBe('a');
    expect(id({ resource_id: 'a', id: 'b' })).toBe('b');
    expect(id({ resource_id: 'a', id: null })).toBe('a');
    expect(id({ resource_id: 5 })).toBe('5');
    expect(id({ resource_id: ['a', 'b'] })).toBe('["a","b"]');
  });

  test.each([{}, { resource_id: null }, { resource_id: '' }, { id: '' }])('%j lacks it', (given) => {
    expect(refused(() => id(given))).toEqual({ resource_id: ['Missing value'] });
  });

  test('is not found on what every object has', () => {
    expect(new Params({}).raw('constructor')).toBeUndefined();
    expect(
      refused(() => new Params(Object.create({ resource_id: 'a' })).check() ?? id(Object.create({ resource_id: 'a' }))),
    ).toEqual({
      resource_id: ['Missing value'],
    });
  });
});

test('all complaints come at once', () => {
  const params = new Params({ limit: 'x', fields: 5, extra: 1 });
  const limit: Parameter = { name: 'limit', type: 'count', help: '' };
  const fields: Parameter = { name: 'columns', also: 'fields', type: 'columns', help: '' };
  params.refuseUnknown(namesOf([limit, fields]));
  params.natural('limit', 1);
  params.names('fields');
  expect(refused(() => params.check())).toEqual({
    __extras: ['invalid value "extra"'],
    limit: ['Invalid integer', 'Please enter an integer value'],
    fields: ['Not a list'],
  });
  expect(params.unknownParameters(namesOf([limit]))).toEqual({ fields: 5, extra: 1 });
  expect(params.unknownParameters(namesOf([limit, fields, { ...limit, name: 'extra' }]))).toBeNull();
});

test('a number with many digits is no object', () => {
  expect(isObject(parseJson('12345678901234567890', 5))).toBe(false);
  expect([isObject({}), isObject([]), isObject(null), isObject('x'), isObject(undefined)]).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
