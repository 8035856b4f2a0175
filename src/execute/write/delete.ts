import { columnsOf, type Delete } from '../../model/plan.ts';
import type { Column } from '../../model/table.ts';
import type { Bound } from '../../model/value.ts';
import { inSlices, type Steps } from '../../values/slices.ts';
import type { Session, Sessions } from '../connection/database.ts';
import { among, keysAtOnce } from './keys.ts';
import { inTransaction, orRetry, Retry } from './transaction.ts';
import type { Cells, Writer } from './writer.ts';

/**
 * Deletes the matching records. Returns the JSON that `plan.returned` asks for, of the records that this call deleted and no
 * others. Throws a 409, `TooLarge` (and nothing is deleted), `UnknownOutcome`, or a driver's error.
 */
export function remove(
  database: Sessions,
  writer: Writer,
  plan: Delete,
  random: () => number,
): Promise<Uint8Array | null> {
  const { transactional } = plan.table;
  return inTransaction(database, { dialect: writer, random, end: 'commit', transactional }, async (session) => {
    try {
      // Locks the table's definition for the transaction: after a retype, the condition would use an engine's cast.
      await session.run(writer.check(plan.table, columnsOf(plan.where)));
      if (plan.returned === null) {
        await session.run(writer.delete(plan));
        return null;
      }
      const cells = writer.returning.delete
        ? (await session.run(writer.delete(plan), { maxBytes: writer.responseBytes })).cells
        : await lockAndDelete(session, writer, plan, plan.returned);
      return await inSlices(writer.written(plan.returned.columns, cells));
    } catch (error) {
      const meaning = writer.classifyError(error);
      orRetry(meaning, error);
      // The invalid value came from a filter; the caller reports it as such.
      throw (meaning.kind === 'value' ? null : writer.refuse(meaning, plan.table, null, error)) ?? error;
    }
  });
}

/**
 * Where DELETE cannot return its records, they are locked and read first. Meanwhile another writer may add a matching record.
 * So where all are shown, only the locked records are deleted, by their keys.
 */
async function lockAndDelete(
  session: Session,
  writer: Writer,
  plan: Delete,
  { columns, limit }: NonNullable<Delete['returned']>,
): Promise<Cells> {
  const { table, where } = plan;
  const locked = await session.run(
    writer.records(table, [...columns, ...table.key], where, { order: table.key, limit: limit + 1, lock: true }),
    { maxBytes: writer.responseBytes },
  );
  const shown = locked.cells.slice(0, limit).map((row) => row.slice(0, columns.length));
  const keys =
    locked.cells.length > limit ? null : await inSlices(keysOf(table.key, locked.cells, columns.length, writer));
  if (keys !== null && table.keyIs === 'proved') {
    for (let at = 0; at < keys.length; at += keysAtOnce)
      await session.run(writer.delete({ ...plan, where: among(table.key, keys.slice(at, at + keysAtOnce)) }));
    return shown;
  }
  const { found } = await session.run(writer.delete(plan));
  if (locked.cells.length <= limit && found > locked.cells.length && table.transactional)
    throw new Retry('a record that matches appeared meanwhile');
  return shown;
}

/** The keys of records; null where a key has a value that cannot be bound again. */
function* keysOf(
  key: readonly Column[],
  cells: Cells,
  from: number,
  writer: Writer,
): Steps<readonly (readonly Bound[])[] | null> {
  const keys: (readonly Bound[])[] = [];
  for (const row of cells) {
    const values = key.map((column, nth) => writer.stored(column, row[from + nth] ?? null));
    const whole = values.filter((value) => value !== null);
    if (whole.length < key.length) return null;
    keys.push(whole);
    yield;
  }
  return keys;
}
