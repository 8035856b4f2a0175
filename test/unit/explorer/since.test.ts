import { expect, test } from 'vitest';
import { inLanguage } from './in-language.ts';

interface Since {
  sinceText(time: string, now: number): string;
}
const load = (language: string) => inLanguage<Since>(language, 'parts/since.ts');
const [en, de] = [await load('en'), await load('de')];
const now = Date.UTC(2026, 10, 29, 12);

test.each([
  ['2026-11-29T11:57:00Z', '3 minutes ago', 'vor 3 Minuten'],
  ['2026-11-29T11:57:00', '3 minutes ago', 'vor 3 Minuten'],
  ['2026-11-29T13:57:00+02:00', '3 minutes ago', 'vor 3 Minuten'],
  ['2026-11-27', '2 days ago', 'vor 2 Tagen'],
  ['2020-01-01T00:00:00.123456+00:00', '6 years ago', 'vor 6 Jahren'],
  ['0044-03-15 BC', '2,069 years ago', 'vor 2.069 Jahren'],
  ['unknown', '', ''],
])('%s is %s, and %s', (time, english, german) => {
  expect([en.sinceText(time, now), de.sinceText(time, now)]).toEqual([english, german]);
});
