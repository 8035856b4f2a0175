import type { WriteRecord } from '../../model/plan.ts';
import type { Sequence, Table } from '../../model/table.ts';
import type { Steps } from '../../values/slices.ts';

/**
 * The order in which a call writes its records. `by key`: existing records first, then inserts in key order, so that concurrent calls with
 * the same keys don't deadlock; only used if it gives the same result (`sequenceOf`). `at once`: the same order, but an upsert first tries
 * to write without locking the keys. `as sent`: the client's order, which decides which failing record a refusal names.
 */
export type Order = 'at once' | 'by key' | 'as sent';

/**
 * How freely we may reorder a call's records, and join them in one statement, without changing the result. With a second unique key, two
 * records may conflict in one order but not in another. A default that counts (AUTO_INCREMENT) reveals the order of the inserts. Yields
 * after each shape, because every record may have a shape of its own.
 * @param records the first record of each shape
 */
export function* sequenceOf(
  { sequence, uniqueKeys }: Table,
  records: readonly WriteRecord[],
): Steps<Sequence['records']> {
  if (sequence.records === 'alone' || sequence.records === 'updates alone') return sequence.records;
  const keyNames = new Set(records[0]?.key?.columns.map(({ name }) => name));
  const counts = new Map<string, number>();
  for (const { columns } of records) {
    for (const { name } of columns) counts.set(name, (counts.get(name) ?? 0) + 1);
    yield;
  }
  const isWritten = (name: string) => !keyNames.has(name) && counts.has(name);
  if (uniqueKeys.some(({ columns }) => columns.some(isWritten))) return 'updates alone';
  const isNumbered = sequence.numbered.some((name) => counts.get(name) !== records.length);
  return isNumbered ? 'in order' : sequence.records;
}
