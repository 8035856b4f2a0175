import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { jsonp } from '../../../src/reply/jsonp.ts';
import { runSteps } from '../../support/drained.ts';

test('a script gives its function what JSON.parse gives', () => {
  const json = JSON.stringify({ a: '\u2028\u2029"\\\u0000</script>', b: [1e-7, null, true] });
  const { headers, body } = runSteps(jsonp('$.page.show', Buffer.from(json)));
  expect(headers).toEqual({ 'Content-Type': 'application/javascript;charset=utf-8' });
  const shown: unknown[] = [];
  runInNewContext(String(body), { $: { page: { show: (value: unknown) => shown.push(value) } } });
  expect(JSON.stringify(shown)).toBe(`[${json}]`);
});

test("no byte before the comment is the caller's, and no separator ends a line of an old browser", () => {
  const { body } = runSteps(jsonp('f', Buffer.from('"\u2028\u2029"')));
  expect(body).toBe('/**/f("\\u2028\\u2029");');
});

test('a separator is found wherever the text is cut', () => {
  const json = `"${'\u2028€é'.repeat(60_000)}"`;
  const { body } = runSteps(jsonp('f', Buffer.from(json)));
  expect(Buffer.from(Object(body)).toString() === `/**/f(${json.replaceAll('\u2028', '\\u2028')});`).toBe(true);
});
