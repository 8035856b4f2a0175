import { expect, test } from 'vitest';
import { duration, flag, size, wholeNumber } from '../../../src/config/readers.ts';

const bad = Symbol('refused');
const read = (reader: { safeParse(v: unknown): { success: boolean; data?: unknown } }, value: unknown) => {
  const result = reader.safeParse(value);
  return result.success ? result.data : bad;
};

test.each([
  ['500ms', 500],
  ['10s', 10_000],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['596h', 2_145_600_000],
  [0, 0],
  ['0', 0],
  ['0s', 0],
])('%s is %i ms', (written, expected) => expect(read(duration(0), written)).toBe(expected));

test.each([
  10,
  '10',
  '10 s',
  '10S',
  '-1s',
  '1d',
  '597h',
  's',
  '',
  '1s2s',
  '1e3s',
  '.5s',
  null,
  true,
  'constructor',
  '1constructor',
])('%s is no duration', (written) => expect(read(duration(0), written)).toBe(bad));

test('a timeout of nothing is refused where it would mean no timeout', () => {
  for (const written of [0, '0', '0s', '0.4ms']) expect(read(duration(1), written)).toBe(bad);
});

test.each([
  [512, 512],
  ['512', 512],
  ['1B', 1],
  ['64kB', 64_000],
  ['10MB', 10_000_000],
  ['1.5GB', 1_500_000_000],
  ['1KiB', 1024],
  ['2MiB', 2_097_152],
  ['1GiB', 1_073_741_824],
])('%s is %i bytes', (written, expected) => expect(read(size(), written)).toBe(expected));

test.each([0, '0', -1, 1.5, '10 MB', '10mb', '10M', '1TB', '1kiB', '', '9999999999GB', null])(
  '%s is no size',
  (written) => expect(read(size(), written)).toBe(bad),
);

test('what becomes one string is not larger than a string can be', () => {
  expect(read(size(512e6), '512MB')).toBe(512e6);
  expect(read(size(512e6), '1GB')).toBe(bad);
});

test('numbers and booleans may be spelled as text, exactly', () => {
  expect([5, '5', '05'].map((v) => read(wholeNumber(1, 9), v))).toEqual([5, 5, 5]);
  expect(
    [0, 10, '10', '5.0', '5 ', '0x5', '', ' ', 5.5, true, null, Number.NaN].every(
      (v) => read(wholeNumber(1, 9), v) === bad,
    ),
  ).toBe(true);
  expect([true, 'true', false, 'false'].map((v) => read(flag, v))).toEqual([true, true, false, false]);
  expect(['yes', 'True', 1, 0, '', null].every((v) => read(flag, v) === bad)).toBe(true);
});
