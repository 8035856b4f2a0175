/** A large write is split into many small statements and many small steps. */
import { describe, expect, test } from 'vitest';
import { batches, type IdentifiedRecord } from '../../../src/execute/write/batches.ts';
import { sorted } from '../../../src/execute/write/sorted.ts';
import type { WriteRecord } from '../../../src/model/plan.ts';
import type { Type } from '../../../src/model/table.ts';
import type { BoundValue } from '../../../src/model/value.ts';
import type { Steps } from '../../../src/values/slices.ts';
import { column, int4, text } from '../../support/table.ts';

/** The result of the steps, and their number. */
function all<T>(steps: Steps<T>): { readonly value: T; readonly count: number } {
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, count };
  }
}

const ofKeys = (type: Type, ...keys: readonly string[]): readonly IdentifiedRecord[] => {
  const columns = [column('k', type)];
  return keys.map((key, row) => {
    const record = { row, columns, values: [key], key: { columns, values: [key] } };
    return { record, identity: JSON.stringify([key]) };
  });
};
const decimal: Type = { kind: 'decimal', precision: null, scale: null, nan: false };
const keysOf = (items: readonly IdentifiedRecord[]) => items.map(({ record }) => record.values[0]);

describe('sorting in steps', () => {
  test('orders by key, and is stable', () => {
    for (const length of [0, 1, 2, 255, 256, 257, 1000, 2049]) {
      const items = ofKeys(int4, ...Array.from({ length }, (_, nth) => String((nth * 7919) % 97)));
      const expected = [...items].sort((a, b) => Number(a.record.values[0]) - Number(b.record.values[0]));
      expect(all(sorted(items)).value, String(length)).toEqual(expected);
    }
  });

  test('as servers do: numbers by size, texts by characters, and others so that equal ones are neighbours', () => {
    const numbers = ['-10', '-9', '9', '10', '9223372036854775806', '9223372036854775807'];
    expect(keysOf(all(sorted(ofKeys(int4, ...numbers.toReversed()))).value)).toEqual(numbers);
    expect(keysOf(all(sorted(ofKeys(text, 'b', 'a"', 'a', 'B', '10', '9'))).value)).toEqual([
      '10',
      '9',
      'B',
      'a',
      'a"',
      'b',
    ]);
    const [first, second] = [ofKeys(decimal, '1.0', '2'), ofKeys(decimal, '1')];
    const equal = [...first, ...second].map((one) => ({ ...one, identity: String(Number(one.record.values[0])) }));
    expect(keysOf(all(sorted(equal)).value)).toEqual(['1.0', '1', '2']);
  });

  test('takes a step for every few hundred items', () => {
    const items = ofKeys(int4, ...Array.from({ length: 20_000 }, (_, nth) => String((nth * 7919) % 20_011)));
    expect(all(sorted(items)).count).toBeGreaterThan(500);
  });
});

describe('statements', () => {
  const id = column('id', int4);
  const limits = { bindings: 65_535, keys: 1000, rows: 1000, updateRows: 1000 };
  const cut = (records: readonly IdentifiedRecord[], known: boolean) => [
    ...batches(records, {
      ...{ method: 'upsert', limits, maxBytes: 8_000_000, updateRows: () => 1000, isAlone: () => false },
      stored: new Set(known ? records.map(({ identity }) => identity) : []),
    }),
  ];
  const table = (width: number, value: BoundValue, length: number): readonly IdentifiedRecord[] => {
    const columns = [id, ...Array.from({ length: width - 1 }, (_, nth) => column(`c${nth}`, text))];
    return Array.from({ length }, (_, row) => {
      const values = [String(row), ...new Array<BoundValue>(width - 1).fill(value)];
      const record: WriteRecord = { row, columns, values, key: { columns: [id], values: [String(row)] } };
      return { record, identity: String(row) };
    });
  };
  const valuesIn = ({ records }: { readonly records: readonly IdentifiedRecord[] }) =>
    records.reduce((sum, { record }) => sum + record.values.length, 0);

  test.each([false, true])('hold some thousand values, however many columns there are (known: %s)', (known) => {
    for (const [width, rows] of [
      [3, 30_000],
      [151, 800],
      [1000, 200],
    ] as const) {
      const found = cut(table(width, 'x', rows), known);
      expect(found.flatMap(({ records }) => records)).toHaveLength(rows);
      for (const batch of found) expect(valuesIn(batch)).toBeLessThanOrEqual(10_000);
    }
  });

  test('hold about a megabyte, and a larger record alone', () => {
    const found = cut(table(2, 'x'.repeat(100_000), 30), false);
    for (const { records } of found) expect(records.length).toBeLessThanOrEqual(3);
    expect(cut(table(2, 'x'.repeat(5_000_000), 3), false).map(({ records }) => records.length)).toEqual([1, 1, 1]);
  });
});
