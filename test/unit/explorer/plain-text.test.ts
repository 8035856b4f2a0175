import { expect, test } from 'vitest';
import { plainText } from '../../../src/explorer/page/parts/plain-text.ts';

test.each([
  ['Applications for **building permits** and *more*', 'Applications for building permits and more'],
  ['# Title\n\n> said _somebody_, __twice__', 'Title\n\nsaid somebody, twice'],
  ['`amount`, and a ` alone', 'amount, and a ` alone'],
  ['see [the page](https://a.example/x_(y)) and ![a picture](b.png)', 'see the page and a picture'],
  [
    'columns snake_case_name, a > b, 2 * 3 * 4, C#, #5 and 100 _',
    'columns snake_case_name, a > b, 2 * 3 * 4, C#, #5 and 100 _',
  ],
  ['<img src=x onerror=alert(6)> [x](javascript:alert(7))', '<img src=x onerror=alert(6)> x'],
])('%j', (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
