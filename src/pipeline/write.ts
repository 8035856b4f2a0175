/** A write to a table, from top to bottom: plan → run in one transaction → invalidate → encode → reply. */
import { rowsOf } from '../actions/query/columns.ts';
import { deleteRecords } from '../execute/write/delete.ts';
import { UnknownOutcome } from '../execute/write/transaction.ts';
import { write as writeRecords } from '../execute/write/write.ts';
import { unavailable } from '../model/errors.ts';
import type { Delete, Write } from '../model/plan.ts';
import type { Guarded } from '../model/row-filter.ts';
import { cacheControl } from '../reply/cached-reply.ts';
import type { Connected, Resolved } from '../tables/served.ts';
import type { Call, TableCall } from './call.ts';
import { type CallAnswer, emitQueried, uncached } from './finish.ts';
import { makePlan, present } from './plan.ts';
import { bodyOf } from './search.ts';
import { succeeded } from './succeeded.ts';
import { excludes, maxExcludedCharacters, translate } from './translate.ts';

/** Runs a write, to its end even if the client disconnects. The caller's rights have been checked before. */
export async function write({ call, parsed, received, resource, rows }: TableCall): Promise<CallAnswer> {
  const { table } = present(resource);
  const plan = await makePlan(call, resource, rows, parsed);
  if (plan.effect !== 'write' && plan.effect !== 'delete') throw new TypeError('a write has the plan of a read');
  const { connected } = resource;
  if (connected === null) throw unavailable('the database cannot be reached, try again');
  const written = await run(call, resource, connected, plan);
  const columns = plan.effect === 'write' ? plan.returned : plan.returned?.columns;
  const returned = written && { ...rowsOf(columns ?? [], [], connected.dialect), written: [written] };
  const body = await bodyOf(call, parsed, table, { rows: returned, total: null }, null);
  return uncached(await succeeded(body, cacheControl(resource.access.read !== 'public'), received.callback));
}

/** Runs the write. After its commit and before its answer, invalidates the cache entries that it affects. @throws Refusal */
async function run(call: Call, resource: Resolved, connected: Connected, plan: Guarded<Write | Delete>) {
  const { gateway } = call;
  const { database, writeDialect } = connected;
  // The write does not wait for the new catalogue. If reading it fails, a later call requests it again.
  const onOutdatedCatalog = () => void gateway.reread(plan.table.resource, 'failed').catch(() => null);
  for (let attempt = 1; ; attempt++) {
    const spent = { waited: 0, queried: 0 };
    const sessions = database.metered(spent);
    try {
      if (plan.effect === 'delete') return await deleteRecords(sessions, writeDialect, plan, gateway.random);
      return await writeRecords(sessions, writeDialect, plan, { random: gateway.random, onOutdatedCatalog });
    } catch (error) {
      // The answer to the COMMIT is lost: the commit may still happen until its session has ended.
      if (error instanceof UnknownOutcome) await gateway.suspend(resource, error.settled);
      if (attempt === maxExcludedCharacters || !excludes(error, plan, connected))
        throw translate(error, plan, connected, gateway.settings.limits.responseBytes);
    } finally {
      // Invalidate after a failure, too: in a table without transactions, some rows may be written.
      await gateway.invalidate(resource, sessions.transactions);
      emitQueried(call, 'primary', plan.effect, plan, spent);
    }
  }
}
