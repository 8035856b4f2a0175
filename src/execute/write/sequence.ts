import type { Write } from '../../model/plan.ts';
import type { Sequence } from '../../model/table.ts';

/**
 * How the records of a call may be written so that it does what they do in sequence. Over a further unique key two records can
 * conflict that do not in another order, or in one statement; a default that counts tells in which order they were inserted.
 */
export function sequenceOf({ table, records }: Write): Sequence['records'] {
  const { sequence, uniqueKeys } = table;
  if (sequence.records === 'alone' || sequence.records === 'updates alone') return sequence.records;
  const own = new Set(records[0]?.key?.columns.map(({ name }) => name));
  const shapes = [...new Set(records.map(({ columns }) => columns))].map(
    (columns) => new Set(columns.map(({ name }) => name)),
  );
  const isWritten = (name: string) => !own.has(name) && shapes.some((names) => names.has(name));
  if (uniqueKeys.some(({ columns }) => columns.some(isWritten))) return 'updates alone';
  const isNumbered = sequence.numbered.some((name) => !shapes.every((names) => names.has(name)));
  return isNumbered ? 'in order' : sequence.records;
}
