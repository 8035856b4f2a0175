/** Runs a write as one transaction: all records or none, with the result of writing them in sequence. */
import { Refusal } from '../../model/errors.ts';
import type { Write } from '../../model/plan.ts';
import { inSlices } from '../../values/slices.ts';
import type { Sessions } from '../connection/call-sessions.ts';
import { WriteAttempt } from './attempt.ts';
import type { Order } from './sequence.ts';
import { inTransaction, orRetry } from './transaction.ts';
import { updateSingle } from './update-one.ts';
import { NotAtOnce } from './upsert-all.ts';
import type { WriteDialect } from './write-dialect.ts';
import { WrittenKeys } from './written-keys.ts';

export interface Writing {
  random(): number;
  /** Called when the catalogue is found to be older than the table. The write goes on, more slowly. */
  outdated(): void;
}

/**
 * Writes all records or none. Returns the JSON that `plan.returned` asks for, read after the last record; a dry run rolls back
 * at the end. Throws a 409 that names the first record that fails, `TooLarge`, `UnknownOutcome`, or a driver's error.
 */
export async function write(
  database: Sessions,
  dialect: WriteDialect,
  plan: Write,
  writing: Writing,
): Promise<Uint8Array | null> {
  const { records, returned } = plan;
  if (records.length === 0) return returned === null ? null : inSlices(dialect.written(returned, []));
  if (await updateSingle(database, dialect, plan)) return null;
  for (let order: Order = 'at once'; ; ) {
    try {
      return await writeIn(order, database, dialect, plan, writing);
    } catch (error) {
      if (!(error instanceof OtherOrder)) throw error;
      order = error.order;
    }
  }
}

/** Nothing is written: the whole call has to be tried in another order. */
class OtherOrder extends Error {
  readonly order: Order;

  constructor(order: Order) {
    super(`to be written ${order}`);
    this.order = order;
  }
}

/** As `write`, in one order. Throws `OtherOrder` where another one is needed; `as sent` never is. */
function writeIn(
  order: Order,
  database: Sessions,
  dialect: WriteDialect,
  plan: Write,
  { random, outdated }: Writing,
): Promise<Uint8Array | null> {
  const { returned, dryRun } = plan;
  const { transactional } = plan.table;
  const end = dryRun ? 'rollback' : 'commit';
  return inTransaction(database, { dialect, random, end, transactional }, async (session, attempt) => {
    const places = new WrittenKeys(dialect, plan);
    const call = new WriteAttempt(session, dialect, plan, places, attempt, order);
    try {
      await call.run();
      // Deferred constraints must run before records are shown, and before a dry run rolls back.
      if (dialect.settle !== null && (dryRun || returned !== null)) await session.run(dialect.settle);
      if (returned === null) return null;
      return await inSlices(dialect.written(returned, await places.read(session, returned)));
    } catch (error) {
      if (error instanceof NotAtOnce) throw new OtherOrder('by key');
      orRetry(dialect.classifyError(error), error);
      // A record has failed, which may not be the first that does.
      throw call.reordered && error instanceof Refusal ? new OtherOrder('as sent') : error;
    } finally {
      if (call.isOutdated) outdated();
    }
  });
}
