import type { WriteRecord } from '../../model/plan.ts';
import type { Sequence, Table } from '../../model/table.ts';
import type { Steps } from '../../values/slices.ts';

/**
 * Concurrent calls that insert the same keys must not deadlock. So all insert in the order of the keys (`by key`), existing records
 * first, if the result is the same (`sequenceOf`). `at once`: in that order, and an upsert locks no keys before, unless that is
 * refused. `as sent`: where a record fails, the client's order decides which one is named.
 */
export type Order = 'at once' | 'by key' | 'as sent';

/**
 * How the records of a call may be written so that the result is that of writing them in sequence. Over a further unique key,
 * two records may conflict in one order, or in one statement, but not in another. A default that counts reveals the order of
 * the inserts. One step for each shape: each record may have one of its own.
 * @param records the first of each shape
 */
export function* sequenceOf(
  { sequence, uniqueKeys }: Table,
  records: readonly WriteRecord[],
): Steps<Sequence['records']> {
  if (sequence.records === 'alone' || sequence.records === 'updates alone') return sequence.records;
  const own = new Set(records[0]?.key?.columns.map(({ name }) => name));
  const counts = new Map<string, number>();
  for (const { columns } of records) {
    for (const { name } of columns) counts.set(name, (counts.get(name) ?? 0) + 1);
    yield;
  }
  const isWritten = (name: string) => !own.has(name) && counts.has(name);
  if (uniqueKeys.some(({ columns }) => columns.some(isWritten))) return 'updates alone';
  const isNumbered = sequence.numbered.some((name) => counts.get(name) !== records.length);
  return isNumbered ? 'in order' : sequence.records;
}
