import { expect, test } from 'vitest';
import { corsHeaders, decisive } from '../../src/reply/cors.ts';

const shop = 'https://shop.example';
const allowed = (origin: string) => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, HEAD',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-CKAN-API-Key',
  'Access-Control-Max-Age': '86400',
});

test.each([
  [undefined, '*', {}],
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
  expect(corsHeaders(decisive(origin, origins), origins)).toEqual(expected);
});

test('a stranger cannot have more than one head remembered, however many sites he names', () => {
  const strangers = Array.from({ length: 1000 }, (_, nth) => `https://${nth}.example`);
  for (const origins of ['*', 'none', [shop]] as const)
    expect(new Set(strangers.map((origin) => decisive(origin, origins))).size).toBe(1);
});
