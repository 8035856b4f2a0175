import type { ErrorKind } from '../../model/catalog.ts';
import type { Write, WriteRecord } from '../../model/plan.ts';
import type { Statement } from '../../model/rows.ts';
import { inSlices, type Steps, turn } from '../../values/slices.ts';
import type { Session } from '../connection/call-sessions.ts';
import { StatementTimeout } from '../connection/session.ts';
import { type Batch, batches, type IdentifiedRecords, rowsOf } from './batches.ts';
import { isSpelledOnce } from './keys.ts';
import { type LockedUpdates, settable } from './locked-updates.ts';
import { sequenceOf } from './sequence.ts';
import { sorted } from './sorted.ts';
import type { WriteDialect } from './write-dialect.ts';

/**
 * Upserts many records by an INSERT that updates on conflict, without first locking the existing ones. It uses no savepoint: on PostgreSQL
 * that would have its own transaction id, which would look like another client's commit.
 * @returns `unsuited` if the plan does not qualify: nothing is written. `refused` if the server refuses a statement, or the table has
 * changed since we read the catalogue: roll back, and write with locks, which finds the reason.
 */
export async function upsertAll(
  session: Session,
  dialect: WriteDialect,
  plan: Write,
  { records, shapes }: IdentifiedRecords,
  updates: LockedUpdates,
): Promise<'done' | 'unsuited' | 'refused'> {
  const { table, method } = plan;
  if (method !== 'upsert' || !table.transactional) return 'unsuited';
  if ((await inSlices(sequenceOf(table, shapes))) !== 'in any order') return 'unsuited';
  if (!records.every(({ record }) => record.key?.values.includes(null) === false)) return 'unsuited';
  if (!(await inSlices(areUpserted(shapes, updates)))) return 'unsuited';
  const { limits, maxStatementBytes: maxBytes } = dialect;
  const updateRows = () => limits.rows;
  const all = { stored: anyKey, method, limits, maxBytes, isAlone: () => false, updateRows };
  const ordered = await inSlices(sorted(records));
  const orRefused = (error: unknown): 'refused' => {
    if (isRefused(error, dialect.classifyError(error).kind)) return 'refused';
    throw error;
  };
  const statements = statementsOf(batches(ordered, all), updates);
  for (let one = statements.next(); one.done !== true; ) {
    // Build the next statement while the server executes this one.
    const next = turn().then(() => statements.next());
    const [following, answer] = await Promise.all([next, session.run(one.value).catch(orRefused)]);
    if (answer === 'refused') return 'refused';
    one = following;
  }
  // Any record will do: the proofs concern the table, not the columns of a record.
  const [shape] = shapes;
  const one = shape && updates.of(shape);
  const areProved = one != null && (await updates.areProved(session, one).catch(orRefused));
  return areProved === true ? 'done' : 'refused';
}

/** Whether the server rejected the statement itself. Timeouts, lost sessions and conflicts with other writers don't count. */
const isRefused = (error: unknown, kind: ErrorKind['kind']): boolean =>
  !(error instanceof StatementTimeout || ['retry', 'timeout', 'busy', 'connection', 'read-only'].includes(kind));

const anyKey = { has: () => true };

/** Whether records of every shape can be upserted without locks; yields after each shape. */
function* areUpserted(shapes: readonly WriteRecord[], updates: LockedUpdates): Steps<boolean> {
  for (const shape of shapes) {
    if (!isFoundByKeyAlone(shape) || updates.of(shape) === null) return false;
    yield;
  }
  return true;
}

/** Whether the server compares this key exactly as we do, and the record could also be inserted, because it has no read-only column. */
const isFoundByKeyAlone = ({ key, columns }: WriteRecord): boolean =>
  key !== null && !columns.some(({ readOnly }) => readOnly) && key.columns.every(isSpelledOnce);

function* statementsOf(all: Iterable<Batch>, updates: LockedUpdates): Generator<Statement> {
  for (const batch of all) {
    const records = batch.records.map(({ record }) => record);
    const [first] = records;
    const update = first && updates.of(first);
    if (first?.key == null || update == null) throw new Error('a record that cannot be upserted');
    const { columns } = first.key;
    yield update.statement(rowsOf(records, [...columns, ...settable(first.columns, columns)]));
  }
}
