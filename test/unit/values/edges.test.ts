import { expect, test } from 'vitest';
import type { Step } from '../../../src/model/question.ts';
import { calendarEdges } from '../../../src/values/calendar-edges.ts';
import { numberEdges } from '../../../src/values/number-edges.ts';

test.each<[string, string, number, number | null, readonly string[]]>([
  ['1', '5', 20, 0, ['1', '2', '3', '4', '5', '6']],
  ['0', '1', 5, null, ['0', '0.5', '1', '1.5']],
  ['0', '1', 6, null, ['0', '0.2', '0.4', '0.6', '0.8', '1', '1.2']],
  ['-7', '7', 2, 0, ['-10', '0', '10']],
  ['-0.5', '0.25', 2, null, ['-0.5', '0', '0.5']],
  ['7', '7', 20, 0, ['7', '8']],
  ['0.005', '0.005', 20, null, ['0.005', '0.006']],
  ['0', '0', 20, null, ['0', '1']],
  ['-2.5', '-2.5', 20, 2, ['-2.5', '-2.4']],
  ['0.01', '0.02', 100, 2, ['0.01', '0.02', '0.03']],
  ['9007199254740991', '9007199254740995', 20, 0, [1, 2, 3, 4, 5, 6].map((nth) => `900719925474099${nth}`)],
  ['-9223372036854775808', '9223372036854775807', 3, 0, ['-10000000000000000000', '0', '10000000000000000000']],
  ['1e-300', '1e300', 2, null, ['0', '1e300', '2e300']],
  ['5e-324', '1.7976931348623157e308', 2, null, ['0', '1e308', '2e308']],
])('ranges from %s to %s, at most %i', (least, greatest, most, places, edges) => {
  expect(numberEdges(least, greatest, most, places)).toEqual(edges);
});

test('numbers of a hundred thousand digits have edges of a hundred', () => {
  const nines = '9'.repeat(131_000);
  const edges = numberEdges(`1${'0'.repeat(130_999)}`, nines, 1000, null);
  expect(edges.length).toBeLessThanOrEqual(1001);
  expect(Math.max(...edges.map(({ length }) => length))).toBeLessThan(120);
  const closeEdges = numberEdges(`${nines}.1`, `${nines}.2`, 1000, null);
  expect(closeEdges.length).toBe(2);
  expect(Math.max(...closeEdges.map(({ length }) => length))).toBeLessThan(120);
});

const timestamp = { isDate: false, zoned: false, infinite: false };
const date = { isDate: true, zoned: false, infinite: false };
const zoned = { isDate: false, zoned: true, infinite: true };
const bc = { isDate: true, zoned: false, infinite: true };

test.each<[string, string, Step | number, typeof date, readonly string[] | number]>([
  ['2024-01-31', '2024-03-01', 'month', date, ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01']],
  ['2023-12-31', '2024-02-29', 'quarter', date, ['2023-10-01', '2024-01-01', '2024-04-01']],
  ['2024-02-28', '2024-03-01', 'day', date, ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02']],
  ['2024-03-03', '2024-03-04', 'week', date, ['2024-02-26', '2024-03-04', '2024-03-11']],
  ['1969-12-28', '1969-12-29', 'week', date, ['1969-12-22', '1969-12-29', '1970-01-05']],
  [
    '2024-05-05T10:59:59.999',
    '2024-05-05T11:00:00.000',
    'hour',
    timestamp,
    ['T10:00:00', 'T11:00:00', 'T12:00:00'].map((clock) => `2024-05-05${clock}`),
  ],
  [
    '1969-12-31T23:59:59.500',
    '1969-12-31T23:59:59.900',
    'second',
    timestamp,
    ['1969-12-31T23:59:59', '1970-01-01T00:00:00'],
  ],
  [
    '2024-05-05T10:59:59+00:00',
    '2024-05-05T10:59:59.5+00:00',
    'minute',
    zoned,
    ['2024-05-05T10:59:00+00:00', '2024-05-05T11:00:00+00:00'],
  ],
  ['2020-00-00', '2020-01-01', 'month', date, ['2019-12-01', '2020-01-01', '2020-02-01']],
  ['2020-05-00', '2020-05-00', 'day', date, ['2020-04-30', '2020-05-01']],
  ['0001-01-01', '9999-12-31', 'day', date, 3_652_059],
  ['0001-01-01T00:00:00.000', '9999-12-31T23:59:59.000', 'second', timestamp, 315_537_897_600],
  ['0001-01-01', '9999-12-31', 2, date, ['0001-01-01', '5000-01-01', '10000-01-01']],
  ['0000-06-01', '9999-12-31', 2, date, ['0000-01-01', '5000-01-01', '10000-01-01']],
  ['0002-06-01 BC', '0001-01-01', 'year', bc, ['0002-01-01 BC', '0001-01-01 BC', '0001-01-01', '0002-01-01']],
  ['4714-11-24 BC', '5874897-12-31', 2, bc, ['9999999-01-01 BC', '0001-01-01 BC', '9999999-01-01']],
  [
    '2024-01-01',
    '2024-12-31',
    20,
    date,
    ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']
      .map((month) => `2024-${month}-01`)
      .concat('2025-01-01'),
  ],
  ['2024-01-01', '2024-01-01', 20, date, ['2024-01-01', '2024-01-02']],
  ['2024-01-01T00:00:00.000', '2024-01-01T00:00:00.000', 20, timestamp, ['2024-01-01T00:00:00', '2024-01-01T00:00:01']],
])('from %s to %s by %s', (least, greatest, by, kind, edges) => {
  expect(calendarEdges(least, greatest, by, kind, 1000)).toEqual(edges);
});

test('every day of a cycle of the calendar is where Date has it', () => {
  const all = calendarEdges('1999-12-28', '2400-03-03', 'day', date, 200_000);
  if (typeof all === 'number') throw new Error('too many days');
  const days = Array.from({ length: all.length }, (_, nth) => new Date(Date.UTC(1999, 11, 28 + nth)));
  expect(all).toEqual(days.map((day) => day.toISOString().slice(0, 10)));
});
