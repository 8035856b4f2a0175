import type { Where, Write } from '../../model/plan.ts';
import type { Guarded } from '../../model/row-filter.ts';
import { inSlices, Pace } from '../../values/slices.ts';
import type { Session } from '../connection/call-sessions.ts';
import type { IdentifiedRecord } from './batches.ts';
import { withColumn } from './error-column.ts';
import { maxKeysPerCondition } from './keys.ts';
import { sorted } from './sorted.ts';
import { orRetry } from './transaction.ts';
import type { WriteDialect } from './write-dialect.ts';

export interface LockedKeys {
  /** The identities of the keys that exist in the table. */
  readonly stored: Set<string>;
  /** Whether the server found a key that equals ours only by the column's collation, and has other bytes. */
  readonly resembling: boolean;
}

/**
 * Locks the rows with the records' keys (only those within the row filter), in key order, so that concurrent calls don't deadlock.
 * @throws Retry after a conflict with another writer; the refusal of a key value that the server rejects
 */
export async function lockKeys(
  session: Session,
  dialect: WriteDialect,
  { table, rows }: Guarded<Write>,
  records: readonly IdentifiedRecord[],
): Promise<LockedKeys> {
  const requested = new Map<string, IdentifiedRecord>();
  const stored = new Set<string>();
  const pace = new Pace();
  for (const one of records) {
    const { key } = one.record;
    if (key !== null && !key.values.includes(null)) requested.set(one.identity, one);
    if (pace.isDue()) await pace.turn();
  }
  const columns = records.find(({ record }) => record.key !== null)?.record.key?.columns ?? [];
  if (columns.length === 0) return { stored, resembling: false };
  let resembling = false;
  const keys = (await inSlices(sorted([...requested.values()]))).map(({ record }) => record.key?.values ?? []);
  const size = columns.length === 1 ? dialect.limits.keys : maxKeysPerCondition;
  for (let at = 0; at < keys.length; at += size) {
    const { cells } = await session
      .run(dialect.lock(table, columns, keys.slice(at, at + size), rows.within(everyRow)))
      .catch((error: unknown) => {
        const meaning = dialect.classifyError(error);
        orRetry(meaning, error);
        throw dialect.refuse(withColumn(meaning, columns), table, null, error) ?? error;
      });
    for (const row of cells) {
      const identity = JSON.stringify(columns.map((column, nth) => dialect.identity(column, row[nth] ?? null)));
      stored.add(identity);
      if (!requested.has(identity)) resembling = true;
      if (pace.isDue()) await pace.turn();
    }
  }
  return { stored, resembling };
}

const everyRow: Where = { op: 'all', of: [] };
