import { expect, test } from 'vitest';
import { conditionsOf, filtersOf, replaceConditions } from '../../../src/explorer/page/ask/conditions.ts';
import type { JsonObject } from '../../../src/explorer/page/ask/json.ts';

// JSON.parse, so that `__proto__` becomes a normal member, as in a browser.
const read = (text: string): JsonObject => JSON.parse(text);
// Unlike browsers, Node 20 has no JSON.rawJSON, so no value is a raw number there.
if (!('isRawJSON' in JSON)) Object.assign(JSON, { isRawJSON: () => false });

test.each([
  '{"kind":"roof"}',
  '{"kind":["roof","solar"],"amount":{"gte":500,"lt":900}}',
  '{"kind":null,"$or":[{"id":1},{"id":{"gt":9}}]}',
  '{"$$and":"a name that begins with a dollar","id":{"ne":1},"$and":[{"id":{"ne":2}}]}',
  '{"__proto__":"p"}',
  '{"__proto__":{"gte":"a","lt":"b"},"constructor":["x"],"toString":{"ne":1},"$and":[{"__proto__":{"gte":"c"}}]}',
])('what is read as conditions asks the same again: %s', (text) => {
  const again = filtersOf(conditionsOf(read(text)));
  const simple = text.replaceAll('{"null":true}', 'null');
  expect(JSON.stringify(again).replaceAll('{"null":true}', 'null')).toBe(simple);
});

test('conditions on a field replace those on it, and no others', () => {
  const all = conditionsOf(read('{"a":1,"b":2,"$or":[{"a":3},{"c":4}]}'));
  const some = replaceConditions(all, [{ field: 'a', op: 'ne', value: 5 }]);
  expect(JSON.stringify(filtersOf(some))).toBe('{"b":2,"$or":[{"a":3},{"c":4}],"a":{"ne":5}}');
});
