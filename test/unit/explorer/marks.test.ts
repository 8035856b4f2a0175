import { describe, expect, test } from 'vitest';
import { addMarks, maxMarked, noMarks } from '../../../src/explorer/page/ask/marks.ts';

const records = (from: number, to: number) => Array.from({ length: to - from }, (_, nth) => ({ id: from + nth }));
const ids = (marked: ReturnType<typeof addMarks>) => [...marked.values()].map(({ id }) => id);

describe('marks', () => {
  test('a single record is marked, and loses its mark; several are marked, whatever they were', () => {
    const some = addMarks(addMarks(noMarks, records(1, 2), 9), records(3, 4), 9);
    expect(ids(some)).toEqual([1, 3]);
    expect(ids(addMarks(some, records(1, 2), 9))).toEqual([3]);
    expect(ids(addMarks(some, records(1, 5), 9))).toEqual([1, 3, 2, 4]);
    expect(ids(addMarks(some, [], 9))).toEqual([1, 3]);
  });

  test('no more than a call may delete', () => {
    expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map(maxMarked)).toEqual([100, 33, 24]);
    const full = addMarks(noMarks, records(0, 101), 100);
    expect(full.size).toBe(100);
    expect(addMarks(full, records(500, 501), 100).size).toBe(100);
    expect(addMarks(full, records(7, 8), 100).size).toBe(99);
  });
});
