import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/actions/action.ts';
import { groupFilters } from '../../../src/actions/aggregate/group-filters.ts';
import { datastore_aggregate } from '../../../src/actions/index.ts';
import type { Json } from '../../../src/model/value.ts';
import { members, plan } from './calling.ts';
import { refused } from './refused.ts';

const groupingOf = (value: Json, more: Record<string, Json> = {}) => {
  const planned = plan(datastore_aggregate, { by: value, ...more });
  if (planned.effect !== 'aggregate') throw new Error('no groups');
  return planned;
};

test.each<[Json, string, object]>([
  ['title', 'title', { is: 'value', limit: 30, sort: 'count' }],
  [' "title" ', 'title', { is: 'value', limit: 30, sort: 'count' }],
  [{ field: 'Rück gabe' }, 'Rück gabe', { is: 'value' }],
  ['{"field": "Rück gabe", "bins": "7"}', 'Rück gabe', { is: 'range' }],
  [{ field: 'seen', every: 'week' }, 'seen', { is: 'range' }],
])('groups by %j', (value, label, groups) => {
  const grouping = groupingOf(value);
  expect(grouping.column.label).toBe(label);
  expect(grouping.by).toMatchObject(groups);
});

test('a thousand groups are the most, however many are asked for', () => {
  expect(groupingOf('title', { limit: 1_000_000_000 }).by).toMatchObject({ limit: 1000 });
});

test.each<[Json, string]>([
  [{ field: 'titel' }, 'invalid value "titel", did you mean "title"?'],
  ['tags', 'a field of type jsonb has no groups (field "tags")'],
  ['poster', 'a field of type bytea has no groups (field "poster")'],
  [{ field: 'code', bins: 5 }, 'a field of type text has no ranges (field "code")'],
  [{ field: 'film_id', every: 'day' }, 'every: a field of type int4 has no calendar; use bins (field "film_id")'],
  [{ field: 'film_id', bins: 1 }, 'must have bins from 2 to 1000, got: 1'],
  [{ field: 'film_id', bins: '1e9' }, 'must have bins from 2 to 1000, got: 1e9'],
  [
    { field: 'seen', every: 'decade' },
    'must have one of year, quarter, month, week, day, hour, minute, second as every, got: decade',
  ],
  [{ field: 'seen', step: 5 }, 'must have no other member than field, bins and every, got: step'],
  [{ field: 7 }, 'must have a field, got: {"field":7}'],
  [[{ field: 'title' }], 'must be the name of a field or an object, got: [{"field":"title"}]'],
])('%j is refused', (value, text) => {
  expect(refused(() => groupingOf(value))).toEqual({ by: [text] });
});

test('filters that have no room for the condition of a group are refused', () => {
  const many = { $or: Array.from({ length: 97 }, (_, id) => ({ film_id: id })) };
  expect(refused(() => groupingOf({ field: 'film_id', bins: 5 }, { filters: many }))).toEqual({
    filters: ['Maximum number of filter operations exceeded'],
  });
});

test.each<[Parameters<typeof groupFilters>[0], Json]>([
  [{}, { a: 1 }],
  [[], { a: 1 }],
  [{ b: 2 }, { b: 2, a: 1 }],
  [{ a: [1, 2] }, { $and: [{ a: [1, 2] }, { a: 1 }] }],
  [[{ b: 2 }, { a: 3 }], { $or: [{ b: 2 }, { a: 3 }], a: 1 }],
])('the filters of a group among %j', (filters, expected) => {
  expect(groupFilters(filters, 'a', 1)).toEqual(expected);
});

test('an answer that repeats long filters too often is refused before it is written', () => {
  const groups = { is: 'value', of: Array(1000).fill({ json: '"x"', count: 1 }), values: 1000 } as const;
  const outcome: Outcome = { rows: null, total: null, counts: { groups, nulls: 0, total: 1000, sample: null } };
  // The limit is in bytes: a character can take three.
  for (const filters of [{ title: { ne: 'y'.repeat(1000) } }, { title: { ne: '猫'.repeat(400) } }])
    expect(refused(() => members(datastore_aggregate, { by: 'title', filters }, outcome))).toEqual({
      limit: [expect.stringContaining('ask for fewer groups')],
    });
  const [[, records] = []] = members(datastore_aggregate, { by: 'title' }, outcome);
  expect(records).toHaveLength(1000);
});
