import { expect, test } from 'vitest';
import { inLanguage } from './in-language.ts';

interface Format {
  shownNumber(text: string, isGrouped: boolean): string;
  shownTime(text: string): string;
}
const load = (language: string) => inLanguage<Format>(language, 'parts/format.ts');
const [en, de] = [await load('en'), await load('de')];

test.each([
  ['1265000', '1,265,000', '1.265.000'],
  ['-48.50', '-48.50', '-48,50'],
  ['999', '999', '999'],
  ['-9223372036854775808', '-9,223,372,036,854,775,808', '-9.223.372.036.854.775.808'],
  ['12345678901234567890.123456789', '12,345,678,901,234,567,890.123456789', '12.345.678.901.234.567.890,123456789'],
  ['1.5e-300', '1.5e-300', '1,5e-300'],
  ['NaN', 'NaN', 'NaN'],
  ['Infinity', 'Infinity', 'Infinity'],
])('%s keeps its digits: %s, %s', (text, english, german) => {
  expect([en.shownNumber(text, true), de.shownNumber(text, true)]).toEqual([english, german]);
});

test('a year or a key is not grouped, and a very long number neither', () => {
  expect([en.shownNumber('2024', false), de.shownNumber('10.5', false)]).toEqual(['2024', '10,5']);
  expect(en.shownNumber('1'.repeat(100), true)).toBe('1'.repeat(100));
});

test.each([
  ['2024-02-29', 'Feb 29, 2024', '29.02.2024'],
  ['2024-02-29T08:30:00', 'Feb 29, 2024, 8:30 AM', '29.02.2024, 08:30'],
  ['2024-02-29T08:30:05.123456Z', 'Feb 29, 2024, 8:30:05 AM', '29.02.2024, 08:30:05'],
  ['2024-02-29T08:30:00+00:00', 'Feb 29, 2024, 8:30 AM', '29.02.2024, 08:30'],
])('%s is %s, and %s', (text, english, german) => {
  const plain = (shown: string) => shown.replaceAll('\u202f', ' ');
  expect([en, de].map(({ shownTime }) => plain(shownTime(text)))).toEqual([english, german]);
});

test.each([
  'infinity',
  '0044-03-15 BC',
  '0001-01-01',
  '10000-01-01',
  '2024-02-30T25:00:00',
  '2024-02-29T08:30:00+02:00',
])('%s stays as the API writes it', (text) => {
  expect(en.shownTime(text)).toBe(text);
});
