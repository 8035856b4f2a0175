/** Runs a write as one transaction: all records or none, with the same result as writing them one after the other. */
import { Refusal } from '../../model/errors.ts';
import type { Write } from '../../model/plan.ts';
import type { Guarded } from '../../model/row-filter.ts';
import { inSlices } from '../../values/slices.ts';
import type { Sessions } from '../connection/call-sessions.ts';
import { WriteAttempt } from './attempt.ts';
import type { Order } from './sequence.ts';
import { inTransaction, orRetry } from './transaction.ts';
import { updateSingle } from './update-one.ts';
import type { WriteDialect } from './write-dialect.ts';
import { WrittenKeys } from './written-keys.ts';

export interface Writing {
  random(): number;
  /** Called when the write finds that the table changed after we read the catalogue. The write goes on, but more slowly. */
  onOutdatedCatalog(): void;
}

/**
 * Writes all records or none. Returns the JSON that `plan.returned` asks for, read after the last write; a dry run rolls back at the end.
 * Throws a 409 that names the first failing record, `TooLarge`, `UnknownOutcome`, or a driver's error.
 */
export async function write(
  database: Sessions,
  dialect: WriteDialect,
  plan: Guarded<Write>,
  writing: Writing,
): Promise<Uint8Array | null> {
  const { records, returned } = plan;
  if (records.length === 0) return returned === null ? null : inSlices(dialect.written(plan.table, returned, []));
  if (await updateSingle(database, dialect, plan)) return null;
  for (let order: Order = 'at once'; ; ) {
    const result = await writeIn(order, database, dialect, plan, writing);
    if (result.is === 'written') return result.json;
    order = result.order;
  }
}

/** `other order`: nothing is written; the whole call has to be tried again in that order. */
type Result =
  | { readonly is: 'written'; readonly json: Uint8Array | null }
  | { readonly is: 'other order'; readonly order: Order };

/** Writes in the given order, or finds that it needs another one. `as sent` never needs another. */
function writeIn(
  order: Order,
  database: Sessions,
  dialect: WriteDialect,
  plan: Guarded<Write>,
  { random, onOutdatedCatalog }: Writing,
): Promise<Result> {
  const { returned, dryRun, rows } = plan;
  const { transactional } = plan.table;
  const keeps = ({ is }: Result) => is === 'written' && !dryRun;
  return inTransaction<Result>(database, { dialect, random, keeps, transactional }, async (session, attempt) => {
    const places = new WrittenKeys(dialect, plan);
    const call = new WriteAttempt(session, dialect, plan, places, attempt, order);
    try {
      if ((await call.run()) === 'refused') return { is: 'other order', order: 'by key' };
      // Check deferred constraints before we return or check records, and before a dry run rolls back and skips the checks.
      const isLookedAt = dryRun || returned !== null || rows.where !== null;
      if (dialect.settle !== null && isLookedAt) await session.run(dialect.settle);
      if (rows.where !== null) await places.mustBeInside(session, rows.where);
      if (returned === null) return { is: 'written', json: null };
      const json = await inSlices(dialect.written(plan.table, returned, await places.read(session, returned)));
      return { is: 'written', json };
    } catch (error) {
      orRetry(dialect.classifyError(error), error);
      // In key order, another record may fail first than in the client's order, which the refusal must follow. So write in that order.
      if (call.reordered && error instanceof Refusal) return { is: 'other order', order: 'as sent' };
      throw error;
    } finally {
      if (call.isOutdated) onOutdatedCatalog();
    }
  });
}
