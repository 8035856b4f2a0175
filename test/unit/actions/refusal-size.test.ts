import { expect, test } from 'vitest';
import { operations } from '../../../src/actions/query/operations.ts';
import { Refusal } from '../../../src/model/errors.ts';

const many = <T>(item: T) => Array.from({ length: 100_000 }, () => item);

test.each([
  ['nothing', { a: many({}) }],
  ['unknown operators', { a: many({ x: 1 }) }],
  ['a list of what is no list', { a: many({ in: 1 }) }],
  ['nothing, many times', many({ a: {} })],
])('a hundred thousand times %s is complained of a hundred times at most', (_, filters) => {
  let thrown: unknown;
  try {
    operations(filters);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Refusal);
  expect(thrown instanceof Refusal && JSON.stringify(thrown.details).length).toBeLessThan(10_000);
});
