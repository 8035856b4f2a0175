/** The types of measures and groups, and the refusal of every bad parameter with its text. */
import { expect, test } from 'vitest';
import { datastore_aggregate } from '../../../src/actions/index.ts';
import type { Table, Type } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import { column, films, int4, text, withColumns } from '../../support/table.ts';
import { plan } from '../actions/calling.ts';
import { refused } from '../actions/refused.ts';

const numeric = (precision: number | null, scale: number | null): Type => ({
  kind: 'decimal',
  precision,
  scale,
  nan: false,
});
const int8: Type = { kind: 'int', wire: 'int8', min: -(2n ** 63n), max: 2n ** 63n - 1n };
const float8: Type = { kind: 'float', bits: 64, nan: true };
const types: Readonly<Record<string, Type>> = {
  n: int4,
  big: int8,
  huge: { kind: 'int', wire: 'numeric', min: 0n, max: 2n ** 64n - 1n },
  price: numeric(20, 6),
  longest: numeric(65, 30),
  fine: numeric(30, 21),
  any: numeric(null, null),
  ratio: { kind: 'float', bits: 32, nan: true },
  double: { kind: 'float', bits: 64, nan: true },
  day: { kind: 'date', infinite: false },
  at: { kind: 'timestamp', digits: 6, zoned: true, infinite: true },
  t: text,
  tags: { kind: 'json', binary: true, finds: 'numeric' },
  yes: { kind: 'bool' },
};
const sales: Table = withColumns(
  films,
  Object.entries(types).map(([name, type]) => column(name, type)),
);
const questionOf = (params: Record<string, Json>, limits = {}) => {
  const planned = plan(datastore_aggregate, { measures: { n: 'count' }, ...params }, sales, false, limits);
  if (planned.effect !== 'ask') throw new Error('no question');
  return planned.question;
};
const typeOf = (params: Record<string, Json>): Type | undefined => questionOf(params).outputs[0]?.column.type;

test.each<[string, string, Type]>([
  ['sum', 'n', int8],
  ['sum', 'big', numeric(31, 0)],
  ['sum', 'huge', numeric(32, 0)],
  ['sum', 'price', numeric(32, 6)],
  ['sum', 'any', numeric(null, null)],
  ['sum', 'ratio', float8],
  ['avg', 'n', numeric(26, 16)],
  ['avg', 'price', numeric(30, 16)],
  ['avg', 'any', numeric(null, null)],
  ['avg', 'ratio', float8],
  ['min', 'ratio', { kind: 'float', bits: 32, nan: true }],
  ['max', 'longest', numeric(65, 30)],
  ['distinct', 't', int8],
  ['count', 'tags', int8],
])('the type of %s of %s', (fn, field, type) => {
  expect(typeOf({ measures: { m: { [fn]: field } } })).toEqual(type);
});

test.each<[Record<string, Json>, Type]>([
  [
    { field: 'day', every: 'month' },
    { kind: 'date', infinite: false },
  ],
  [
    { field: 'at', every: 'hour' },
    { kind: 'timestamp', digits: 0, zoned: true, infinite: true },
  ],
  [{ field: 'n', width: 100 }, int8],
  [{ field: 'n', width: '2.50' }, numeric(12, 1)],
  [{ field: 'price', width: 1e3 }, numeric(15, 0)],
  [{ field: 'any', width: 0.5 }, numeric(null, null)],
  [
    { field: 'double', width: 0.5 },
    { kind: 'decimal', precision: 32, scale: 1, nan: true },
  ],
])('the type of the group %j', (group, type) => {
  expect(typeOf({ groups: [group], measures: { m: 'count' } })).toEqual(type);
});

test('outputs have names, an order in which groups break ties, and no more of them than a search has rows', () => {
  const question = questionOf({
    ...{ groups: '["t", {"field": "day", "every": "month", "as": "month"}]', measures: '{"n": "count"}' },
    ...{ sort: 'n desc, t', limit: 1_000_000 },
  });
  expect(question.outputs.slice(0, -1).map(({ column: { name, label } }) => [name, label])).toEqual([
    ['c0', 't'],
    ['c1', 'month'],
    ['c2', 'n'],
  ]);
  expect(
    question.sort.map(({ by, direction, nulls }) => [by.is === 'column' && by.column.name, direction, nulls]),
  ).toEqual([
    ['c2', 'desc', 'first'],
    ['c0', 'asc', 'last'],
    ['c1', 'asc', 'last'],
  ]);
  expect(question.limit).toBeLessThan(1_000_000);
});

const functions = 'count, sum, avg, min, max, distinct';
const width = 'must have a decimal above 0 as width, with 15 digits before and behind the point, got:';
test.each<[Record<string, Json>, Record<string, Json>]>([
  [{ by: 'n' }, { measures: ['must be absent beside by: it is for measures'] }],
  [{ groups: ['n'], measures: null }, { measures: ['Missing value'] }],
  [{ groups: 'n' }, { groups: ['must be a list of at most 3 groups, got: n'] }],
  [{ groups: ['n', 'big', 't', 'day'] }, { groups: ['must be a list of at most 3 groups, got: 4 groups'] }],
  [{ groups: [7] }, { groups: ['must be fields, or objects with a field, got: 7'] }],
  [
    { groups: [{ field: 'n', step: 1 }] },
    { groups: ['must have no other members than field, every, width and as, got: step'] },
  ],
  [
    { groups: [{ field: 'day', every: 'month', width: 1 }] },
    { groups: ['must have every or width, not both, got: {"field":"day","every":"month","width":1}'] },
  ],
  [
    { groups: [{ field: 'day', every: 'decade' }] },
    { groups: ['must have one of year, quarter, month, week, day, hour, minute, second as every, got: decade'] },
  ],
  [{ groups: [{ field: 'n', width: 0 }] }, { groups: [`${width} 0`] }],
  [{ groups: [{ field: 'n', width: -1 }] }, { groups: [`${width} -1`] }],
  [{ groups: [{ field: 'n', width: '1e15' }] }, { groups: [`${width} 1e15`] }],
  [{ groups: [{ field: 'n', width: 'wide' }] }, { groups: [`${width} wide`] }],
  [{ groups: [{ field: 'n', as: '' }] }, { groups: ['must have a name of 1 to 100 characters as as, got: '] }],
  [{ groups: ['tirle'] }, { groups: ['invalid value "tirle"'] }],
  [{ groups: ['prise'] }, { groups: ['invalid value "prise", did you mean "price"?'] }],
  [{ groups: ['tags'] }, { groups: ['a field of type jsonb has no groups (field "tags")'] }],
  [
    { groups: [{ field: 't', every: 'day' }] },
    { groups: ['a field of type text has no calendar for every (field "t")'] },
  ],
  [
    { groups: [{ field: 'day', every: 'hour' }] },
    { groups: ['every must be one of year, quarter, month, week, day, got: "hour"'] },
  ],
  [
    { groups: [{ field: 'ratio', width: 1 }] },
    { groups: ['a field of type float4 has no exact multiples for width (field "ratio")'] },
  ],
  [
    { groups: [{ field: 'longest', width: 1 }] },
    { groups: ['a field of type numeric has too many digits for width (field "longest")'] },
  ],
  [{ measures: [] }, { measures: ['must be an object of 1 to 10 measures, got: []'] }],
  [{ measures: {} }, { measures: ['must be an object of 1 to 10 measures, got: {}'] }],
  [
    { measures: Object.fromEntries(Array.from({ length: 11 }, (_, nth) => [`m${nth}`, 'count'])) },
    { measures: ['must be an object of 1 to 10 measures, got: 11 measures'] },
  ],
  [
    { measures: { m: 'sum' } },
    { measures: [`m: must be "count", or an object with the field of one of ${functions}, got: sum`] },
  ],
  [
    { measures: { m: { sum: 'n', avg: 'n' } } },
    {
      measures: [`m: must be "count", or an object with the field of one of ${functions}, got: {"sum":"n","avg":"n"}`],
    },
  ],
  [
    { measures: { m: { sum: 'n', filters: 'x' } } },
    { measures: ['m: must have an object or a list of objects as filters, got: x'] },
  ],
  [{ measures: { '': 'count' } }, { measures: [': must have a name of 1 to 100 characters as measure, got: '] }],
  [{ measures: { m: { sum: 't' } } }, { measures: ['m: a field of type text has no sum (field "t")'] }],
  [{ measures: { m: { avg: 'yes' } } }, { measures: ['m: a field of type bool has no avg (field "yes")'] }],
  [{ measures: { m: { min: 'yes' } } }, { measures: ['m: a field of type bool has no min (field "yes")'] }],
  [
    { measures: { m: { distinct: 'tags' } } },
    { measures: ['m: a field of type jsonb has no distinct values (field "tags")'] },
  ],
  [
    { measures: { m: { sum: 'longest' } } },
    { measures: ['m: a field of type numeric has too many digits for sum (field "longest")'] },
  ],
  [
    { measures: { m: { avg: 'fine' } } },
    { measures: ['m: a field of type numeric has too many digits for avg (field "fine")'] },
  ],
  [
    { measures: { m: { sum: 'n', filters: { n: 'x' } } } },
    { measures: ['m: invalid input syntax for type integer: "x" (field "n")'] },
  ],
  [{ measures: { m: { sum: 'n', filters: { z: 1 } } } }, { measures: ['m: Unknown field: z'] }],
  [
    { groups: ['n'], measures: { n: 'count' } },
    { measures: ['the name "n" must be there once among groups and measures; name groups by as'] },
  ],
  [
    { measures: { filters: 'count' }, include_filters: true },
    {
      measures: [
        'the name "filters" must be there once among groups and measures, where include_filters adds "filters"; name groups by as',
      ],
    },
  ],
  [
    { groups: ['t'], having: { t: 'x' } },
    { having: ['Unknown field: t (having compares the numbers among the outputs: n)'] },
  ],
  [
    { having: { n: 'many' } },
    {
      having: [
        'invalid input syntax for type bigint: "many" (field "n") (having compares the numbers among the outputs: n)',
      ],
    },
  ],
  [{ having: 7 }, { having: ['Cannot parse JSON: must be an object such as {"name": "value"}, got: 7'] }],
  [{ sort: 'price' }, { sort: ['invalid value "price"'] }],
  [{ sort: 'n up' }, { sort: ['invalid value "n up", must be a field, or a field with asc or desc behind it'] }],
  [{ limit: -1 }, { limit: ['Must be a natural number'] }],
  [{ offset: -1 }, { offset: ['invalid value "-1"'] }],
  [{ filters: { z: 1 } }, { filters: ['Unknown field: z'] }],
])('%j is refused', (params, texts) => {
  expect(refused(() => questionOf(params))).toEqual(texts);
});

test('all bad parameters are named at once', () => {
  const params = { groups: 7, measures: 7, having: 7, sort: 7, limit: 'x', offset: -1 };
  expect(Object.keys(refused(() => questionOf(params)))).toEqual([
    'groups',
    'measures',
    'having',
    'sort',
    'limit',
    'offset',
  ]);
});

test('the filters of all measures together have the limits of one call', () => {
  const listed = { measures: { a: { sum: 'n', filters: { n: [1, 2] } }, b: { sum: 'n', filters: { n: [3, 4] } } } };
  expect(refused(() => questionOf(listed, { inValues: 3 }))).toEqual({
    measures: ['must have at most 3 values in lists of all filters, got: 4'],
  });
  const long = { sum: 'n', filters: { t: 'x'.repeat(600_000) } };
  expect(refused(() => questionOf({ measures: { a: long, b: long } }))).toEqual({
    measures: ['must have at most 1000000 characters in all filters, got: 1200000'],
  });
});

test('filters that have no room for the conditions of a group are refused beside include_filters', () => {
  const filters = { $or: Array.from({ length: 97 }, (_, n) => ({ n })) };
  expect(questionOf({ groups: [{ field: 'n', as: 'by' }], filters }).outputs).toHaveLength(3);
  expect(refused(() => questionOf({ groups: [{ field: 'n', as: 'by' }], filters, include_filters: true }))).toEqual({
    filters: ['Maximum number of filter operations exceeded'],
  });
});
