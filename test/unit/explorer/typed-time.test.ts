import { expect, test } from 'vitest';
import { inLanguage } from './in-language.ts';

interface TypedTime {
  timeToType(text: string): string;
  typedTime(typed: string): string;
}
const load = (language: string) => inLanguage<TypedTime>(language, 'parts/typed-time.ts');
const pages = [await load('en'), await load('de'), await load('fr')];

test.each([
  ['2026-11-27', '2026-11-27', '27.11.2026', '27/11/2026'],
  ['2026-11-27T08:30:00', '2026-11-27T08:30:00', '27.11.2026 08:30:00', '27/11/2026 08:30:00'],
  [
    '2026-11-27T08:30:00.123456Z',
    '2026-11-27T08:30:00.123456Z',
    '27.11.2026 08:30:00.123456Z',
    '27/11/2026 08:30:00.123456Z',
  ],
  ['infinity', 'infinity', 'infinity', 'infinity'],
  ['0044-03-15 BC', '0044-03-15 BC', '0044-03-15 BC', '0044-03-15 BC'],
  ['08:30:00', '08:30:00', '08:30:00', '08:30:00'],
])('%s is %s in an English field, %s in a German one, %s in a French one, and read back', (text, ...typed) => {
  expect(pages.map((page) => page.timeToType(text))).toEqual(typed);
  expect(pages.map((page, nth) => page.typedTime(typed[nth] ?? ''))).toEqual([text, text, text]);
});

test.each([
  [' 1.3.2026 ', '1.3.2026', '2026-03-01', '1.3.2026'],
  ['1/3/2026 9:05', '1/3/2026 9:05', '1/3/2026 9:05', '2026-03-01T9:05'],
  ['2026-03-01', '2026-03-01', '2026-03-01', '2026-03-01'],
  ['31.12.26', '31.12.26', '31.12.26', '31.12.26'],
  ['1.3/2026', '1.3/2026', '1.3/2026', '1.3/2026'],
])('%s is %s in English, %s in German, %s in French', (typed, ...read) => {
  expect(pages.map((page) => page.typedTime(typed))).toEqual(read);
});
