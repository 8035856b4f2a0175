import { expect, test } from 'vitest';
import { wal } from '../../../src/dialects/postgres/wal.ts';
import type { Relation } from '../../../src/model/catalog.ts';
import type { Answer } from '../../../src/model/rows.ts';

const answer = (...row: readonly string[]): Answer => ({ names: [], types: [], found: 1, cells: [row] });
const token = (snapshot: string) => JSON.stringify([snapshot, 'start', 'null']);

/** Milliseconds of the server's processor. */
function workOf(tables: number, bytes: number): number {
  const related = Array.from(
    { length: tables },
    (_, nth): Relation => ({ database: '', schema: 'public', name: `t${nth}` }),
  );
  const question = wal.question(
    { before: token('7:7:'), after: token('8:8:') },
    ['start 7'],
    [answer('0/100'), answer('', 'dropped', 'shop', '1', JSON.stringify([true, bytes, []]))],
    null,
    { served: related, shown: related, related },
  );
  return question !== null && 'tables' in question ? (question.work ?? 0) : 0;
}

test('many tables, and much log, count as work', () => {
  expect(workOf(1, 0)).toBeCloseTo(0.7, 1);
  expect(workOf(1000, 0)).toBeCloseTo(9.7, 1);
  expect(workOf(1, 1_000_000)).toBeCloseTo(50.7, 1);
});
