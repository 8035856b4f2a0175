import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { jsonp } from '../../src/reply/jsonp.ts';

test('a script gives its function what JSON.parse gives', () => {
  const json = JSON.stringify({ a: '\u2028\u2029"\\\u0000</script>', b: [1e-7, null, true] });
  const { headers, body } = jsonp('$.page.show', json);
  expect(headers).toEqual({ 'Content-Type': 'application/javascript;charset=utf-8' });
  const shown: unknown[] = [];
  runInNewContext(String(body), { $: { page: { show: (value: unknown) => shown.push(value) } } });
  expect(JSON.stringify(shown)).toBe(`[${json}]`);
});

test("no byte before the comment is the caller's, and no separator ends a line of an old browser", () => {
  const { body } = jsonp('f', '"\u2028\u2029"');
  expect(body).toBe('/**/f("\\u2028\\u2029");');
});
