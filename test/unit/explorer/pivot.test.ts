/** Two columns compared: the parameters, exact totals, and the table of the groups. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Column } from '../../../src/explorer/page/ask/columns.ts';
import { comparisonOf, paramsOf } from '../../../src/explorer/page/summary/comparison.ts';
import { compareTexts, sumOf } from '../../../src/explorer/page/summary/decimals.ts';
import { pivotOf, pivotParams } from '../../../src/explorer/page/summary/pivot.ts';

// Unlike browsers, Node 20 has no JSON.rawJSON, so no value is a raw number there.
if (!('isRawJSON' in JSON)) Object.assign(JSON, { isRawJSON: () => false });

const column = (name: string, kind: Column['kind'], type: string): Column => ({
  ...{ name, label: name, notes: '', unit: '', type, kind, isRequired: false },
});
const columns = [
  column('kind', 'text', 'text'),
  column('opened', 'time', 'date'),
  column('amount', 'number', 'numeric'),
  column('area', 'number', 'float8'),
];

test.each([
  [['kind', { field: 'opened', every: 'year' }], { value: { sum: 'amount' } }],
  [['kind', { field: 'amount', width: 500 }], { value: 'count' }],
  [['kind', 'area'], { value: { avg: 'area' } }],
])('%j with %j is read and written again', (groups, measures) => {
  const comparison = comparisonOf({ groups, measures }, columns);
  if (comparison === null) throw new Error('it was not read');
  expect(paramsOf(comparison)).toEqual({ groups, measures });
});

test.each([
  [['kind', 'kind'], { value: 'count' }],
  [['kind'], { value: 'count' }],
  [['kind', 'gone'], { value: 'count' }],
  [['kind', 'opened'], { value: { sum: 'kind' } }],
  [['kind', 'opened'], { value: { median: 'amount' } }],
  [['kind', 'opened'], {}],
])('%j with %j compares nothing', (groups, measures) => {
  expect(comparisonOf({ groups, measures }, columns)).toBeNull();
});

test('a width that the API has not for a column is left out', () => {
  const groups = ['kind', { field: 'opened', width: 5 }];
  expect(comparisonOf({ groups, measures: { value: 'count' } }, columns)?.columns.width).toBe('');
});

const asked = comparisonOf(
  { groups: ['kind', { field: 'opened', every: 'year' }], measures: { value: { sum: 'amount' } } },
  columns,
);
if (asked === null) throw new Error('it was not read');
const group = (row: string | null, year: string, value: string | null, records: number) => ({
  ...{ row, column: `${year}-01-01`, value, records },
  filters: { status: 'open', kind: row, opened: { gte: `${year}-01-01`, lt: `${Number(year) + 1}-01-01` } },
});

test('one call counts and measures both columns, the largest groups first', () => {
  expect(pivotParams(asked)).toMatchObject({
    groups: [
      { field: 'kind', as: 'row' },
      { field: 'opened', every: 'year', as: 'column' },
    ],
    measures: { records: 'count', value: { sum: 'amount' } },
    ...{ include_filters: true, sort: 'records desc' },
  });
});

test('groups are a table: largest rows first, years in their order, and exact totals', () => {
  const records = [
    group('roof', '2025', '12345678901234567890.10', 9),
    group(null, '2024', '-0.5', 5),
    group('roof', '2024', '0.90', 3),
    group('solar', '2025', null, 1),
  ];
  const pivot = pivotOf({ records, counted: 18, sampled: null }, asked);
  expect(pivot.rows.map(({ text, total }) => [text, total])).toEqual([
    ['roof', '12345678901234567891.00'],
    [null, '-0.5'],
    ['solar', null],
  ]);
  expect(pivot.columns.map(({ text, total }) => [text, total])).toEqual([
    ['2024-01-01', '0.40'],
    ['2025-01-01', '12345678901234567890.10'],
  ]);
  expect(pivot.total).toBe('12345678901234567890.50');
  expect(pivot.cells.map((row) => row.map((cell) => cell?.text ?? null))).toEqual([
    ['0.90', '12345678901234567890.10'],
    ['-0.5', null],
    [null, null],
  ]);
  // Of the filters of a group, those of the search are left out.
  expect(pivot.cells[0]?.[1]?.conditions).toEqual([
    { field: 'kind', op: 'eq', value: 'roof' },
    { field: 'opened', op: 'gte', value: '2025-01-01' },
    { field: 'opened', op: 'lt', value: '2026-01-01' },
  ]);
  expect(pivot.rows[1]?.conditions).toEqual([{ field: 'kind', op: 'null', value: true }]);
});

test.each([
  ['min', '9'],
  ['max', '10.5'],
  ['avg', null],
] as const)('the total of %s is %s', (fn, total) => {
  const records = [group('roof', '2024', '9', 1), group('solar', '2025', '10.5', 1)];
  const measure = { ...asked.measure, fn };
  expect(pivotOf({ records, counted: 2, sampled: null }, { ...asked, measure }).total).toBe(total);
});

test('where groups are left out, no total is shown', () => {
  const years = Array.from({ length: 20 }, (_, nth) => group('roof', String(2000 + nth), '1', 20 - nth));
  const pivot = pivotOf({ records: years, counted: 210, sampled: { records: 100_000 } }, asked);
  expect(pivot.columns.map(({ text }) => text?.slice(0, 4))).toEqual(
    Array.from({ length: 12 }, (_, nth) => String(2000 + nth)),
  );
  expect([pivot.total, pivot.rows[0]?.total, pivot.shown, pivot.all]).toEqual([null, null, 174, 210]);
  expect(pivot.sampled).toBe(100_000);
});

test('sums and extremes are those of the digits', () => {
  const decimals = fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 12 }))
    .map(([units, places]) => {
      const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
      const point = digits.length - places;
      const text = `${units < 0n ? '-' : ''}${digits.slice(0, point)}${places === 0 ? '' : `.${digits.slice(point)}`}`;
      return { text, scaled: units * 10n ** BigInt(12 - places) };
    });
  const scaledOf = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(12, '0'));
  };
  fc.assert(
    fc.property(fc.array(decimals, { minLength: 1, maxLength: 8 }), (all) => {
      const texts = all.map(({ text }) => text);
      const scaled = all.map((one) => one.scaled);
      expect(scaledOf(sumOf(texts) ?? '')).toBe(scaled.reduce((sum, one) => sum + one, 0n));
      expect(Math.sign(compareTexts(texts[0] ?? '', texts[1] ?? texts[0] ?? ''))).toBe(
        Number((scaled[0] ?? 0n) > (scaled[1] ?? scaled[0] ?? 0n)) -
          Number((scaled[0] ?? 0n) < (scaled[1] ?? scaled[0] ?? 0n)),
      );
    }),
  );
  expect([sumOf(['1', '1e300']), sumOf([])]).toEqual([null, '0']);
});
