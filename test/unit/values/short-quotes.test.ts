import { expect, test } from 'vitest';
import { shortQuotes } from '../../../src/values/short-quotes.ts';

const long = 'abcdefghij'.repeat(7);
const short = `${long.slice(0, 50)}…`;

test.each([
  [`Unknown field: ${long}, or ${long}`, { a: long }, `Unknown field: ${short}, or ${short}`],
  [`invalid value "${long}"`, { [long]: 1 }, `invalid value "${short}"`],
  [`got: ${long.slice(0, 60)}…`, { a: [[long]] }, `got: ${short}…`],
  [`invalid value "${long} desc"`, { sort: `id, ${long} desc` }, `invalid value "${short}"`],
  [String.raw`got: \"${long}`, { a: `"${long}` }, String.raw`got: \"${long.slice(0, 48)}…`],
  [
    'a text of ours that is longer than fifty characters, all in all',
    { a: 'b' },
    'a text of ours that is longer than fifty characters, all in all',
  ],
])('%s', (text, params, expected) => {
  expect(shortQuotes(text, params)).toBe(expected);
});

test('thousands of long names take no longer than a few', () => {
  const names = Array.from({ length: 4000 }, (_, nth) => `${nth}, ${long}`);
  const began = performance.now();
  const said = shortQuotes({ filters: names.map((name) => `Unknown field: ${name}`) }, names);
  expect(performance.now() - began).toBeLessThan(500);
  expect(said).toMatchObject({ filters: { length: 10 } });
});
