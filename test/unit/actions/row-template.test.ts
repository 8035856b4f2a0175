import { expect, test } from 'vitest';
import { fillIn, withoutClaims } from '../../../src/actions/query/row-template.ts';
import { Claim } from '../../../src/model/claim.ts';
import type { JsonObject } from '../../../src/model/value.ts';

const tenant = { tenant: new Claim(['tenant']) };

test.each<[JsonObject[string], unknown]>([
  [7, { tenant: 7 }],
  ['a', { tenant: 'a' }],
  [false, { tenant: false }],
  ['%', { tenant: '%' }],
  [[1, 'b'], { tenant: [1, 'b'] }],
  [[], { tenant: [] }],
  [null, null],
  [{}, null],
  [{ ne: 1 }, null],
  [[[]], null],
  [[null], null],
  [[{ ne: 1 }], null],
])('the claim %j', (value, filters) => {
  expect(fillIn(tenant, { tenant: value })).toEqual(filters);
});

test('a claim that is not there leaves no filter out', () => {
  expect(fillIn(tenant, {})).toBeNull();
  expect(fillIn([{ a: 1 }, tenant], { other: 1 })).toBeNull();
});

test('claims are own members only', () => {
  for (const name of ['toString', '__proto__', 'constructor'])
    expect(fillIn({ a: new Claim([name]) }, { other: 1 })).toBeNull();
  expect(fillIn({ a: new Claim(['org', 'length']) }, { org: 'text' })).toBeNull();
  expect(fillIn({ a: new Claim(['org', 'id']) }, { org: { id: 3 } })).toEqual({ a: 3 });
});

test('one value is a list of one for `in` and `nin`, and stays itself elsewhere', () => {
  const template = { a: { in: new Claim(['x']) }, b: { nin: new Claim(['x']) }, c: { gte: new Claim(['x']) } };
  expect(fillIn(template, { x: 5 })).toEqual({ a: { in: [5] }, b: { nin: [5] }, c: { gte: 5 } });
});

test('equal filters are equal whatever the order of their members', () => {
  expect(JSON.stringify(fillIn({ b: 1, a: { lt: 2, gt: 1 } }, {}))).toBe(
    JSON.stringify(fillIn({ a: { gt: 1, lt: 2 }, b: 1 }, {})),
  );
});

test('without a caller, a condition with a claim finds nothing, and all others stay to be checked', () => {
  const claim = new Claim(['x']);
  expect(withoutClaims({ a: claim, b: { gt: claim, lt: 5 }, $or: [{ c: { ne: claim } }, { d: 'x' }] })).toEqual({
    a: { in: [] },
    b: { in: [], lt: 5 },
    $or: [{ c: { in: [] } }, { d: 'x' }],
  });
});
