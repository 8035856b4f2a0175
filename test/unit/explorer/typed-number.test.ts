import { afterAll, expect, test } from 'vitest';
import { inLanguage } from './in-language.ts';

type Typed =
  | { readonly is: 'number'; readonly value: unknown }
  | { readonly is: 'ambiguous'; readonly readings: readonly string[] }
  | { readonly is: 'no number' };
interface TypedNumber {
  typedNumber(typed: string): Typed;
}
const load = (language: string) => inLanguage<TypedNumber>(language, 'parts/typed-number.ts');
// Unlike browsers, Node 20 has no JSON.rawJSON.
const isOld = !('rawJSON' in JSON);
if (isOld) Object.assign(JSON, { rawJSON: (rawJSON: string) => ({ rawJSON }) });
afterAll(() => void (isOld && Reflect.deleteProperty(JSON, 'rawJSON')));
const [en, de, fr] = [await load('en'), await load('de'), await load('fr')];
const digits = (value: unknown) => JSON.stringify(value).replace(/^.*"rawJSON":"(.*)".*$/, '$1');
const written = (typed: Typed) =>
  typed.is === 'number' ? digits(typed.value) : typed.is === 'ambiguous' ? typed.readings.join(' or ') : typed.is;

test.each([
  ['1.265.000', 'no number', '1265000'],
  ['1,265,000', '1265000', 'no number'],
  ['48,5', '48.5 or 485', '48.5'],
  ['48.5', '48.5', '48,5 or 485'],
  ['1.2', '1.2', '1,2 or 12'],
  ['1.265', '1.265', '1265'],
  ['-1.265,50', 'no number', '-1265.50'],
  ['9007199254740993', '9007199254740993', '9007199254740993'],
  ['007', '7', '7'],
  ['−5', '-5', '-5'],
  ['1e6', '1e6', '1e6'],
  ['NaN', '"NaN"', '"NaN"'],
  ['1.26.5', 'no number', 'no number'],
  ['0.265.000', 'no number', 'no number'],
  ['zwölf', 'no number', 'no number'],
  ['', 'no number', 'no number'],
])('%s is read as %s in English and as %s in German', (text, english, german) => {
  expect([written(en.typedNumber(text)), written(de.typedNumber(text))]).toEqual([english, german]);
});

test.each([
  ['1 265 000,5', '1265000.5'],
  ['1\u202f265\u00a0000', '1265000'],
  ['1 2', '1,2 or 12'],
  ['1.2', 'no number'],
])('%s is read as %s in French, whatever the space', (text, french) => {
  expect(written(fr.typedNumber(text))).toBe(french);
});
