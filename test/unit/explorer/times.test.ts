import { expect, test } from 'vitest';
import { timeOf } from '../../../src/explorer/page/parts/moment.ts';
import { timeLabel } from '../../../src/explorer/page/summary/times.ts';

test.each([
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2024-02-29T12:30:00.500', '2024-02-29T12:30:00.500Z'],
  ['2024-02-29T23:30:00-02:00', '2024-03-01T01:30:00.000Z'],
  ['0099-01-01', '0099-01-01T00:00:00.000Z'],
  ['10000-01-01T01:00:00+00:00', '+010000-01-01T01:00:00.000Z'],
  ['0001-12-31 BC', '0000-12-31T00:00:00.000Z'],
  ['0044-03-15T12:00:00.000 BC', '-000043-03-15T12:00:00.000Z'],
  ['4714-11-24T00:00:00+00:00 BC', '-004713-11-24T00:00:00.000Z'],
])('%s is drawn at its time', (shown, expected) => {
  expect(new Date(timeOf(shown)).toISOString()).toBe(expected);
});

test('what no Date can be is not drawn', () => {
  for (const shown of ['294276-12-31', 'infinity', '']) expect(timeOf(shown)).toBeNaN();
});

test.each([
  ['2024-01-01T00:00:00Z', '2024'],
  ['2024-03-01T00:00:00Z', '2024-03'],
  ['2024-03-05T00:00:00Z', '2024-03-05'],
  ['2024-03-05T06:30:00Z', '03-05 06:30'],
  ['+012024-01-01T00:00:00Z', '12024'],
  ['+012024-03-05T00:00:00Z', '12024-03-05'],
  ['-000043-03-01T00:00:00Z', '-43-03'],
  ['-000043-03-15T06:30:00Z', '03-15 06:30'],
])('a tick at %s says %s', (at, expected) => {
  expect(timeLabel(new Date(at))).toBe(expected);
});
