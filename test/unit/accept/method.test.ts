import { expect, test } from 'vitest';
import { withoutCall } from '../../../src/accept/route.ts';

const allow = { Allow: 'GET, HEAD, OPTIONS, POST' };

test.each(['GET', 'HEAD', 'POST'])('%s is a call', (method) => {
  expect(withoutCall(method, false)).toBeNull();
});

test('addresses that are only read refuse POST', () => {
  const reply = withoutCall('POST', true);
  expect(reply).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD, OPTIONS' } });
  expect(['GET', 'HEAD'].map((method) => withoutCall(method, true))).toEqual([null, null]);
});

test('OPTIONS is 200 and empty', () => {
  expect(withoutCall('OPTIONS', false)).toEqual({ status: 200, headers: allow, body: '' });
});

test.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'get', ''])('%j is 405 and JSON', (method) => {
  const reply = withoutCall(method, false);
  expect(reply).toMatchObject({ status: 405, headers: allow });
  expect(JSON.parse(String(reply?.body))).toMatch(/^Method Not Allowed/);
});
