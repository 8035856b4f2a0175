import { expect, test } from 'vitest';
import { corsHeaders, originKey, withCors } from '../../../src/reply/cors.ts';

const shop = 'https://shop.example';
const allowed = (origin: string) => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': 'ETag, X-Cache, Age, Retry-After, X-Request-Id, Content-Disposition',
});

test.each([
  [undefined, '*', allowed('*')],
  [shop, '*', allowed('*')],
  ['null', '*', allowed('*')],
  [shop, 'none', {}],
  [undefined, [shop], { Vary: 'Origin' }],
  [shop, [shop], { ...allowed(shop), Vary: 'Origin' }],
  ['https://shop.example.evil', [shop], { Vary: 'Origin' }],
  ['null', [shop], { Vary: 'Origin' }],
  [shop, [], { Vary: 'Origin' }],
] as const)('from %s where %j may', (origin, origins, expected) => {
  expect(corsHeaders(origin, origins)).toEqual(expected);
  expect(corsHeaders(originKey(origin, origins), origins)).toEqual(expected);
});

test('an answer in a shared cache has headers that are right for another site, too', () => {
  const askers = [undefined, shop, 'https://other.example', 'null'];
  for (const origins of ['*', 'none', [shop]] as const)
    for (const first of askers)
      for (const next of askers) {
        const kept = withCors({ Vary: 'Accept-Encoding' }, first, origins);
        const isShared = first === next || !kept.Vary?.includes('Origin');
        if (isShared) expect(kept).toEqual(withCors({ Vary: 'Accept-Encoding' }, next, origins));
      }
});

test('only a page that may read gets the headers that it may send', () => {
  const may = (origin: string, origins: '*' | 'none' | readonly string[]) =>
    withCors({ Allow: 'GET' }, origin, origins, true)['Access-Control-Allow-Headers']?.split(', ');
  expect(may(shop, '*')).toEqual(expect.arrayContaining(['Authorization', 'Content-Type', 'Cache-Control']));
  expect(may(shop, [shop])).toEqual(may(shop, '*'));
  expect([may('https://other.example', [shop]), may(shop, 'none')]).toEqual([undefined, undefined]);
});

test('an unknown origin gets one cached head at most, however many it names', () => {
  const strangers = Array.from({ length: 1000 }, (_, nth) => `https://${nth}.example`);
  for (const origins of ['*', 'none', [shop]] as const)
    expect(new Set(strangers.map((origin) => originKey(origin, origins))).size).toBe(1);
});
