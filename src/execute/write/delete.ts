import { columnsOf, type Delete, type Where } from '../../model/plan.ts';
import type { Guarded } from '../../model/row-filter.ts';
import type { Column } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { inSlices, type Steps } from '../../values/slices.ts';
import type { Session, Sessions } from '../connection/call-sessions.ts';
import { maxKeysPerCondition, whereKeyIn } from './keys.ts';
import { inTransaction, orRetry, Retry } from './transaction.ts';
import type { Cells, WriteDialect } from './write-dialect.ts';

/**
 * Deletes the matching records. Returns the JSON that `plan.returned` asks for, only of records that this call has deleted; a dry run
 * rolls back at the end. Throws a 409, `TooLarge` (then nothing is deleted), `UnknownOutcome`, or a driver's error.
 */
export function deleteRecords(
  database: Sessions,
  dialect: WriteDialect,
  plan: Guarded<Delete>,
  random: () => number,
): Promise<Uint8Array | null> {
  const { table, returned, dryRun } = plan;
  const { transactional } = table;
  const keeps = () => !dryRun;
  return inTransaction(database, { dialect, random, keeps, transactional }, async (session, attempt) => {
    try {
      // This also locks the table's definition: if a column were retyped, the condition would compare with a cast, and match other records.
      await session.run(dialect.check(table, columnsOf(plan.where)));
      // Locking in key order avoids deadlocks, but takes twice the time unless an index finds the records: only do it after a conflict.
      const inOrder = attempt > 1 || namesKeys(plan.where, table.key);
      const cells =
        returned === null || dialect.returning.delete
          ? (await session.run(dialect.delete(plan, inOrder), { maxBytes: dialect.responseBytes })).cells
          : await lockAndDelete(session, dialect, plan, returned);
      // Check deferred constraints now, because a dry run rolls back, and its errors would go unreported.
      if (dryRun && dialect.settle !== null) await session.run(dialect.settle);
      return returned && (await inSlices(dialect.written(table, returned.columns, cells)));
    } catch (error) {
      const meaning = dialect.classifyError(error);
      orRetry(meaning, error);
      // Only the filter can contain an invalid value, so the caller reports this error for the filter.
      throw (meaning.kind === 'value' ? null : dialect.refuse(meaning, table, null, error)) ?? error;
    }
  });
}

/** Whether a condition lists several values of the key's first column, so that an index finds the records. */
function namesKeys(where: Where, key: readonly Column[]): boolean {
  if (where.op === 'all') return where.of.some((part) => namesKeys(part, key));
  return where.op === 'in' && where.column.name === key[0]?.name && where.values.length > 1;
}

/**
 * For engines whose DELETE returns no records: locks and reads the records first. Another writer may add a matching record in between. So
 * if the answer shows all deleted records, we delete only the locked ones, by key.
 */
async function lockAndDelete(
  session: Session,
  dialect: WriteDialect,
  plan: Delete,
  { columns, limit }: NonNullable<Delete['returned']>,
): Promise<Cells> {
  const { table, where } = plan;
  const locked = await session.run(
    dialect.records(table, [...columns, ...table.key], where, { order: table.key, limit: limit + 1, lock: true }),
    { maxBytes: dialect.responseBytes },
  );
  const shown = locked.cells.slice(0, limit).map((row) => row.slice(0, columns.length));
  const keys =
    locked.cells.length > limit ? null : await inSlices(keysOf(table.key, locked.cells, columns.length, dialect));
  if (keys !== null && table.keyIs === 'proved') {
    for (let at = 0; at < keys.length; at += maxKeysPerCondition)
      await session.run(
        dialect.delete({ ...plan, where: whereKeyIn(table.key, keys.slice(at, at + maxKeysPerCondition)) }, false),
      );
    return shown;
  }
  const { found } = await session.run(dialect.delete(plan, false));
  if (locked.cells.length <= limit && found > locked.cells.length && table.transactional)
    throw new Retry('a record that matches appeared meanwhile');
  return shown;
}

/** The keys of records; null if a key has a value that no client could send, because no condition can match that. */
function* keysOf(
  key: readonly Column[],
  cells: Cells,
  from: number,
  dialect: WriteDialect,
): Steps<readonly (readonly BoundValue[])[] | null> {
  const keys: (readonly BoundValue[])[] = [];
  for (const row of cells) {
    const values = key.map((column, nth) => dialect.stored(column, row[from + nth] ?? null));
    const whole = values.filter((value) => value !== null);
    if (whole.length < key.length) return null;
    keys.push(whole);
    yield;
  }
  return keys;
}
