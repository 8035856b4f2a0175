import { expect, test } from 'vitest';
import { weights } from '../../../src/values/weights.ts';

test.each([
  [undefined, {}],
  ['', {}],
  [' , ', { '': 1 }],
  ['gzip', { gzip: 1 }],
  ['BR;Q=0.0, gzip ; q=0.5', { br: 0, gzip: 0.5 }],
  ['text/html;level=1;q=0.3,*/*', { 'text/html': 0.3, '*/*': 1 }],
  ['br;q=much, *;q=', { br: 0, '*': 0 }],
])('%j', (header, expected) => {
  expect(Object.fromEntries(weights(header))).toEqual(expected);
});
