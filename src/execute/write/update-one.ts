import { columnsOf, type Where, type Write } from '../../model/plan.ts';
import type { Guarded } from '../../model/row-filter.ts';
import { plain } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Session, Sessions } from '../connection/call-sessions.ts';
import { StatementTimeout } from '../connection/session.ts';
import { valuesOf } from './batches.ts';
import { uniquelySpelledTypes } from './keys.ts';
import { unknownOutcome } from './transaction.ts';
import type { WriteDialect } from './write-dialect.ts';

/**
 * Updates an existing record in one statement, which commits by itself: one round trip instead of four. The key must match byte by
 * byte, so neither a collation nor a retyped column can make it hit another record.
 * @returns false if the plan does not qualify, no record matches, or the statement fails. Nothing is changed then; a transaction with
 * locks (`WriteAttempt`) finds the reason. Throws `UnknownOutcome`, and the driver's error or `StatementTimeout` on a timeout.
 */
export async function updateSingle(database: Sessions, dialect: WriteDialect, plan: Guarded<Write>): Promise<boolean> {
  const { records, table, method, returned, dryRun, rows } = plan;
  const [record, ...others] = records;
  if (record === undefined || others.length > 0 || method === 'insert' || returned !== null || dryRun) return false;
  // Deferred checks would run inside the commit, where no statement timeout ends them.
  if (table.mayDefer) return false;
  if (!table.transactional || table.keyIs !== 'proved' || record.key === null) return false;
  const keys = record.key.columns;
  const isUnique = table.uniqueKeys.some(
    ({ columns }) => columns.length === keys.length && keys.every(({ name }) => columns.includes(name)),
  );
  const values = record.key.values.filter((value) => value !== null);
  const set = record.columns.filter((column) => !keys.some(({ name }) => name === column.name));
  if (!isUnique || values.length < keys.length || set.length === 0) return false;
  if (!keys.every(({ type }) => uniquelySpelledTypes.has(type.kind))) return false;
  if (rows.where !== null && mayLeave(rows.where, table, set)) return false;
  const statement = dialect.updateOne(table, keys, set, rows.where)([...values, ...valuesOf(record, set)]);
  return database.use(async (session) => {
    try {
      const answer = await session.run(statement);
      const id = dialect.transactionOf(answer);
      if (id !== null) database.recordTransaction(id);
      return answer.found > 0;
    } catch (error) {
      const { kind } = dialect.classifyError(error);
      if (kind === 'timeout' || (error instanceof StatementTimeout && error.isEnded)) throw error;
      // If the session still responds, the server has refused the statement, even if we do not know its error.
      const isLost = kind === 'connection' || (kind === 'unknown' && !(await isResponding(session)));
      if (isLost) throw unknownOutcome(session, error);
      return false;
    }
  });
}

/** Whether the update could move the record out of the row filter, by columns that it sets, or that the server sets with them. */
function mayLeave(inside: Where, { sequence }: Table, set: readonly Column[]): boolean {
  const isSet = ({ name, readOnly, type }: Column) =>
    readOnly || type.kind === 'timestamp' || set.some((column) => column.name === name);
  return sequence.records !== 'in any order' || columnsOf(inside).some(isSet);
}

function isResponding(session: Session): Promise<boolean> {
  return session.run(plain('SELECT 1')).then(
    () => true,
    () => false,
  );
}
