import { expect, test } from 'vitest';
import { jsonList } from '../../../src/values/json-list.ts';

/** The items of the list `records`, as texts; and whether its end was seen. */
function items(json: string, most = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(json);
  const list = jsonList(bytes, 'records', most);
  if (list === null) return null;
  const begins = [list.begin, ...list.ends.map((end) => end + 1)];
  return { items: list.ends.map((end, nth) => bytes.toString('utf8', begins[nth], end)), whole: list.end !== null };
}

test.each([
  ['{"records":[]}', []],
  ['{"records":[1]}', ['1']],
  ['{"a":[1,2],"records":[{"a":[1,2]},{"b":"],["}],"total":2}', ['{"a":[1,2]}', '{"b":"],["}']],
  ['{"filters":{"records":[1,2]},"records":[3,4]}', ['3', '4']],
  ['{"q":"\\"records\\":[9","records":[3]}', ['3']],
  ['{"q":"records","records":["ü€😀","b"]}', ['"ü€😀"', '"b"']],
])('%s', (json, expected) => {
  expect(items(json)).toEqual({ items: expected, whole: true });
});

test('the part that was looked at', () => {
  expect(items('{"records":[1,2,3],"total":3}', 16)).toEqual({ items: ['1', '2'], whole: false });
  expect(items('{"records":[1,2,3],"total":3}', 5)).toBeNull();
  expect(items('{"total":3}')).toBeNull();
});
