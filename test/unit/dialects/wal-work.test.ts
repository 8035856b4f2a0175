import { expect, test } from 'vitest';
import { tokens } from '../../../src/dialects/postgres/tokens.ts';
import { triggers } from '../../../src/dialects/postgres/triggers.ts';
import { wal } from '../../../src/dialects/postgres/wal.ts';
import type { Relation, Server } from '../../../src/model/catalog.ts';
import type { Answer } from '../../../src/model/rows.ts';

const answer = (...row: readonly string[]): Answer => ({ names: [], types: [], found: 1, cells: [row] });
const token = (snapshot: string) => JSON.stringify([snapshot, 'start', 'null']);

const relations = (tables: number): readonly Relation[] =>
  Array.from({ length: tables }, (_, nth) => ({ database: '', schema: 'public', name: `t${nth}` }));
const postgres: Server = {
  ...{ product: 'postgres', version: [15, 0], versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
};

/** Milliseconds of the server's processor. */
function workOf(tables: number, bytes: number): number {
  const related = relations(tables);
  const question = wal.question(
    { before: token('7:7:'), after: token('8:8:') },
    ['start 7'],
    [answer('0/100'), answer('', 'dropped', 'shop', '1', JSON.stringify([true, bytes, []]))],
    null,
    { served: related, shown: related, related },
  );
  return question !== null && 'tables' in question ? (question.work ?? 0) : 0;
}

test.each([
  ['a log', tokens(postgres)[0]?.log ?? null],
  ['triggers', triggers],
])('many tables count as work beside %s', (_, log) => {
  const of = (tables: number) => {
    const related = relations(tables);
    const inspected = answer('', 'dropped', log === triggers ? 'shop' : '', log === triggers ? '1' : '0/100', '1');
    const tokens = { before: token('7:7:'), after: token('8:8:') };
    return log?.question(tokens, ['start 7'], [inspected], null, { served: related, shown: related, related })?.work;
  };
  expect(of(1000)).toBeCloseTo(12, 1);
  expect(of(1)).toBeCloseTo(0, 1);
});

test('many tables, and much log, count as work', () => {
  expect(workOf(1, 0)).toBeCloseTo(0.7, 1);
  expect(workOf(1000, 0)).toBeCloseTo(12.7, 1);
  expect(workOf(1, 1_000_000)).toBeCloseTo(50.7, 1);
});
