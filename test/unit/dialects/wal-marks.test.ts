import { expect, test } from 'vitest';
import { after, readable, startFor, type WalMark } from '../../../src/dialects/postgres/wal-marks.ts';

const mark = (next: number, at: number): WalMark => ({
  next: String(next),
  position: `${Math.floor(at / 2 ** 32).toString(16)}/${(at % 2 ** 32).toString(16)}`.toUpperCase(),
});

test.each([
  [['7'], null],
  [['10'], '0/A'],
  [['19', '25'], '0/A'],
  [['20', '25'], '0/14'],
  [['30'], '0/1E'],
  [['99', '12'], '0/A'],
  [['18446744073709551615'], '0/1E'],
])('the log of %j begins at %s', (ids, position) => {
  expect(startFor(ids, [mark(10, 10), mark(20, 20), mark(30, 30)])).toBe(position);
});

test('the last mark before them counts, where several have one number', () => {
  expect(startFor(['10'], [mark(10, 10), mark(10, 20)])).toBe('0/14');
});

test('few marks are kept, none that is too far behind, and always the last', () => {
  let marks: readonly WalMark[] = [];
  const base = 2 ** 32 - readable / 2;
  for (let nth = 1; nth <= 5000; nth++) {
    marks = after(marks, mark(nth, base + nth * 500));
    expect(marks.at(-1)).toEqual(mark(nth, base + nth * 500));
  }
  expect(marks.length).toBeGreaterThan(30);
  expect(marks.length).toBeLessThan(80);
  expect(Number(marks[0]?.next)).toBeGreaterThanOrEqual(5000 - readable / 500);
  // Growing numbers at growing positions.
  expect(marks.map(({ next }) => Number(next))).toEqual(marks.map(({ next }) => Number(next)).sort((a, b) => a - b));
});
