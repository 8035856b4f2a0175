import { afterAll, expect, test } from 'vitest';
import { columnsOf } from '../../../src/explorer/page/ask/columns.ts';
import { inLanguage } from './in-language.ts';

interface Import {
  notationOf(pasted: unknown, mapping: unknown): Generator<void, unknown>;
}
interface TypedValue {
  cellValue(text: string, column: unknown, isPlain: boolean): unknown;
}
// Unlike browsers, Node 20 has no JSON.rawJSON, so no value is a raw number there.
const isOld = !('isRawJSON' in JSON);
if (isOld) Object.assign(JSON, { isRawJSON: () => false });
afterAll(() => void (isOld && Reflect.deleteProperty(JSON, 'isRawJSON')));

const [amount, due, title] = columnsOf([
  { id: 'amount', type: 'numeric' },
  { id: 'due', type: 'date' },
  { id: 'title', type: 'text' },
]);
const load = async (language: string) => {
  const [{ notationOf }, { cellValue }] = [
    await inLanguage<Import>(language, 'edit/notation.ts'),
    await inLanguage<TypedValue>(language, 'edit/typed-value.ts'),
  ];
  const mapping = { fields: [{ column: amount }, { column: title }] };
  const notation = (...cells: readonly (string | null)[]) => {
    const work = notationOf({ rows: cells.map((cell) => [cell, '1,5']) }, mapping);
    for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
  };
  return { notation, cellValue };
};
const [en, de] = [await load('en'), await load('de')];
const unclear = { text: '1.265', readings: { plain: '1,265', local: '1265' } };

test.each([
  [['48,5', '1.265'], 'local'],
  [['1.265.000', '1.265'], 'local'],
  [['1.265', '0.5'], 'plain'],
  [['1.265', '7'], unclear],
  [['1.265', null, 'much'], unclear],
  [['7', '12'], 'local'],
  [['48,5', '0.5'], 'local'],
])('the numbers of the text decide how %j is read in German', (cells, expected) => {
  expect(de.notation(...cells)).toEqual(expected);
  expect(en.notation('1.265', '1,265,000', '0.5')).toBe('local');
});

test('a cell is read like an input, but what is no number is left to the gateway', () => {
  expect(de.cellValue('1.265.000', amount, false)).toEqual({ value: 1265000 });
  expect(de.cellValue('1.265', amount, true)).toEqual({ value: 1.265 });
  expect(de.cellValue('0.5', amount, false)).toEqual({ why: 'Schreiben Sie 0,5 oder 05: Beides könnte gemeint sein.' });
  expect(de.cellValue('.5', amount, false)).toEqual({ value: '.5' });
  expect(de.cellValue('7.3.2026', due, false)).toEqual({ value: '2026-03-07' });
  expect(de.cellValue('48,5', title, false)).toEqual({ value: '48,5' });
  expect(en.cellValue('1,265,000', amount, false)).toEqual({ value: 1265000 });
  expect(en.cellValue('48,5', amount, false)).toMatchObject({ why: expect.stringContaining('48.5 or 485') });
});
