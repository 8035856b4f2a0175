/** Runs the plan of a read, on a replica or the primary. Its total is cached, counted or estimated. */
import type { Outcome } from '../actions/action.ts';
import { rowsOf } from '../actions/query/columns.ts';
import { aggregate } from '../execute/aggregate.ts';
import { askQuestion } from '../execute/ask-question.ts';
import type { CallSessions } from '../execute/connection/call-sessions.ts';
import { StatementTimeout } from '../execute/connection/session.ts';
import { describe } from '../execute/describe.ts';
import { read } from '../execute/read.ts';
import type { AggregateBounds, Budgeted } from '../execute/within-budget.ts';
import { OutsideFlag, unavailable } from '../model/errors.ts';
import type { Aggregate, Describe, Read } from '../model/plan.ts';
import type { Ask } from '../model/question.ts';
import type { Guarded } from '../model/row-filter.ts';
import * as formats from '../reply/formats/index.ts';
import { outsideFlag, outsideRead } from '../tables/outside-flag.ts';
import type { Resolved } from '../tables/served.ts';
import { type Call, clientName } from './call.ts';
import { emitQueried } from './finish.ts';
import { type Reading, readOnServer } from './replica-of-read.ts';
import { lookUpSlowness, lookUpTotal, type PlannedTotal, rememberSlowness, rememberTotal } from './totals.ts';
import { excludes, maxExcludedCharacters, translate } from './translate.ts';

/**
 * Runs the plan of a read on the database of its resource.
 * Throws a `Refusal` or the reason of the call's signal, nothing else: driver errors are translated here.
 */
export async function runRead(call: Call, resource: Resolved, plan: Guarded): Promise<Outcome> {
  const { gateway, signal } = call;
  const { connected } = resource;
  if (connected === null) throw unavailable('the database cannot be reached, try again');
  if (plan.effect === 'write' || plan.effect === 'delete') throw new TypeError('a read has the plan of a write');
  for (let attempt = 1; ; attempt++) {
    const reading: Reading = { call, resource, connected, spent: { waited: 0, queried: 0 }, server: 'primary' };
    try {
      switch (plan.effect) {
        case 'read':
          return await runSearch(reading, plan);
        case 'describe':
          return await runDescribe(reading, plan);
        case 'aggregate':
          return await runAggregate(reading, plan);
        case 'ask':
          return await runQuestion(reading, plan);
      }
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      // The filter has a character that the database encoding lacks. Retry: the new SQL matches nothing for it. One character per try.
      if (attempt === maxExcludedCharacters || !excludes(error, plan, connected))
        throw translate(error, plan, connected, gateway.settings.limits.responseBytes);
    } finally {
      emitQueried(call, reading.server, plan.effect, plan, reading.spent);
    }
  }
}

async function runSearch(reading: Reading, plan: Guarded<Read>): Promise<Outcome> {
  // Take the key before choosing the replica, so that the replica has every commit whose bump is in the key.
  const total = lookUpTotal(reading, plan);
  const found = await readOnServer(reading, (sessions) => searchOn(sessions, reading, plan, total));
  rememberTotal(reading, plan, total, found.learned);
  return found.outcome;
}

/** Runs a search in these sessions. If the driver exposes the bytes of the rows, they are written as JSON without decoding them. */
async function searchOn(
  sessions: CallSessions,
  { call, connected }: Reading,
  plan: Guarded<Read>,
  total: PlannedTotal,
) {
  const { dialect } = connected;
  const shown = rowsOf(plan.columns, [], dialect);
  const into = plan.withCursor
    ? undefined
    : formats[plan.format].jsonRows?.(shown.fields, shown.encoders, dialect.cell);
  into?.clear();
  const found = await read(sessions, dialect, plan, boundsOf(call), total, into);
  const { cells, cursor, orderIsPartial, rankWasLimited } = found;
  const outcome: Outcome = {
    rows: into !== undefined && into.count > 0 ? { ...shown, written: into.take() } : { ...shown, cells },
    total: found.total,
    ...(orderIsPartial ? { orderIsPartial } : {}),
    ...(rankWasLimited ? { rankWasLimited } : {}),
    ...(cursor === null ? {} : { end: { sort: plan.sort, cursor } }),
  };
  return { outcome, learned: found.learned };
}

async function runDescribe(reading: Reading, plan: Guarded<Describe>): Promise<Outcome> {
  const { call, connected, spent } = reading;
  const sessions = connected.database.metered(spent);
  const { signal } = call;
  const sizes = await describe(sessions, connected.dialect, plan, signal);
  if (plan.count === null) return { rows: null, sizes, total: null };
  const known = lookUpTotal(reading, plan.count);
  const { total, learned } = await read(sessions, connected.dialect, plan.count, boundsOf(call), known);
  rememberTotal(reading, plan.count, known, learned);
  return { rows: null, sizes, total };
}

async function runAggregate(reading: Reading, plan: Guarded<Aggregate>): Promise<Outcome> {
  const { dialect } = reading.connected;
  const counts = await inTurn(reading, plan, (sessions, bounds, isSlow) =>
    aggregate(sessions, dialect, plan, bounds, isSlow),
  );
  return { rows: null, total: null, counts };
}

async function runQuestion(reading: Reading, plan: Guarded<Ask>): Promise<Outcome> {
  const { dialect } = reading.connected;
  const asked = await inTurn(reading, plan, (sessions, bounds, isSlow) =>
    askQuestion(sessions, dialect, plan, bounds, isSlow),
  );
  const columns = plan.question.outputs.slice(0, plan.counts ? -1 : undefined).map(({ column }) => column);
  return { rows: rowsOf(columns, asked.cells, dialect), total: null, asked };
}

/** Counts when it is the call's turn, and remembers whether that took too long. */
async function inTurn<T>(
  reading: Reading,
  plan: Aggregate | Ask,
  count: (sessions: CallSessions, bounds: AggregateBounds, isSlow: boolean) => Promise<Budgeted<T>>,
): Promise<T> {
  const { call, connected } = reading;
  const isSlow = lookUpSlowness(call.gateway, plan);
  const { aggregateBudget, sqlBudget } = call.gateway.settings.limits;
  const isSql = plan.effect === 'ask' && !plan.counts;
  const bounds = { ...boundsOf(call), budget: isSql ? sqlBudget : aggregateBudget };
  const turn = await connected.database.aggregates.enter(clientName(call), call.signal);
  try {
    const { counts, tookTooLong } = await readOnServer(reading, (sessions) => count(sessions, bounds, isSlow));
    if (tookTooLong) rememberSlowness(call.gateway, plan);
    return counts;
  } catch (error) {
    if (error instanceof StatementTimeout) rememberSlowness(call.gateway, plan);
    throw error;
  } finally {
    turn.leave();
  }
}

const boundsOf = ({ gateway: { settings }, signal }: Call) => ({
  totalBudget: settings.limits.totalBudget,
  responseBytes: settings.limits.responseBytes,
  signal,
});

/** Adds column and record to the message of an `OutsideFlag`, if a second read finds them; returns any other error unchanged. */
export async function nameFlag(error: unknown, call: Call, resource: Resolved, plan: Guarded): Promise<unknown> {
  const { connected } = resource;
  const isRead = plan.effect === 'read' || plan.effect === 'aggregate' || plan.effect === 'ask';
  if (!(error instanceof OutsideFlag) || !isRead || connected === null) return error;
  const read = outsideRead(plan);
  return runRead(call, resource, read).then(
    ({ rows }) => outsideFlag(plan.table, read.columns, rows?.cells ?? [], connected.dialect) ?? error,
    () => error,
  );
}
