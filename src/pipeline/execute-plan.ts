/** A plan → its outcome. Joins the dialect's statements with the code that executes them. */
import type { Outcome } from '../actions/action.ts';
import type { Gateway } from '../app/gateway.ts';
import { aggregate } from '../execute/aggregate.ts';
import { DatabaseUnavailable } from '../execute/connection/breaker.ts';
import type { CallSessions } from '../execute/connection/call-sessions.ts';
import { type Spent, unspent } from '../execute/connection/meter.ts';
import {
  PoolTimeout,
  SchemaChanged,
  SharedSession,
  StatementTimeout,
  TooLarge,
} from '../execute/connection/session.ts';
import { describe } from '../execute/describe.ts';
import { read } from '../execute/read.ts';
import { remove } from '../execute/write/delete.ts';
import { UnknownOutcome } from '../execute/write/transaction.ts';
import { write } from '../execute/write/write.ts';
import {
  invalid,
  OutsideFlag,
  overResponseBytes,
  Refusal,
  refusal,
  stale,
  tooManyGroups,
  unavailable,
  unreadable,
} from '../model/errors.ts';
import { columnsOf, filterOf, isRank, type Plan, type Read } from '../model/plan.ts';
import { isJudgedByServer } from '../model/table.ts';
import * as formats from '../reply/formats/index.ts';
import { outsideFlag, outsideRead } from '../tables/outside-flag.ts';
import type { Connected, Resolved } from '../tables/served.ts';
import { rowsOf } from '../tables/write-dialect.ts';
import { knownSlowness, knownTotal } from './known-total.ts';
import { readAnywhere } from './server-of-read.ts';

/** How a plan is executed. */
export interface ExecuteOptions {
  /** Ignore cached totals. */
  readonly noCache: boolean;
  /** Aborted when no client waits any more: a read is cancelled then, a write runs to its end. */
  readonly gone: AbortSignal;
  /** The name under which all calls of the client count. */
  readonly client: string;
  /** When the request came, by `performance.now()`. */
  readonly asked: number;
  /** The time on the database is added to it. */
  readonly spent: Spent;
}

/**
 * Executes a plan on the database of its resource.
 * Throws a `Refusal` or the reason of `gone`, nothing else: driver errors are translated here.
 */
export async function executePlan(
  gateway: Gateway,
  resource: Resolved,
  plan: Plan,
  options: ExecuteOptions,
  attempt = 1,
): Promise<Outcome> {
  const { noCache, gone, client, asked, spent: all } = options;
  const { connected } = resource;
  if (connected === null) throw unavailable('the database cannot be reached, try again');
  const { dialect } = connected;
  const spent = unspent();
  let server = 'primary';
  const { limits } = gateway.settings;
  const bounds = { totalBudget: limits.totalBudget, responseBytes: limits.responseBytes, gone };
  const known = (read: Read) => knownTotal({ gateway, resource, connected, plan: read, client, noCache, asked });
  const anywhere = <T>(work: (sessions: CallSessions) => Promise<T>): Promise<T> => {
    const reading = { gateway, resource, connected, isOfPrimary: noCache, asked, spent, gone };
    const on = (by: string) => {
      server = by;
    };
    return readAnywhere(reading, on, work);
  };
  try {
    const database = connected.database.metered(spent);
    switch (plan.effect) {
      case 'read': {
        const shown = rowsOf(plan.columns, [], dialect);
        // Its key comes first: what a replica shows is compared with what has invalidated answers since.
        const total = known(plan);
        return await anywhere(async (sessions) => {
          const into = plan.withCursor
            ? undefined
            : formats[plan.format].jsonRows?.(shown.fields, shown.encoders, dialect.cell);
          into?.clear();
          const found = await read(sessions, dialect, plan, bounds, total, into);
          const { cells, cursor, orderIsPartial, rankWasLimited } = found;
          const rows = into !== undefined && into.count > 0 ? { ...shown, written: into.take() } : { ...shown, cells };
          return {
            rows,
            total: found.total,
            ...(orderIsPartial ? { orderIsPartial } : {}),
            ...(rankWasLimited ? { rankWasLimited } : {}),
            ...(cursor === null ? {} : { end: { sort: plan.sort, cursor } }),
          };
        });
      }
      case 'write': {
        // Nobody waits for it. A later call finds out where it fails.
        const outdated = () => void gateway.reread(plan.table.resource, 'failed').catch(() => null);
        const written = await changed(gateway, resource, database, () =>
          write(database, connected.writeDialect, plan, { random: gateway.random, outdated }),
        );
        return { rows: written && { ...rowsOf(plan.returned ?? [], [], dialect), written: [written] }, total: null };
      }
      case 'delete': {
        const written = await changed(gateway, resource, database, () =>
          remove(database, connected.writeDialect, plan, gateway.random),
        );
        return {
          rows: written && { ...rowsOf(plan.returned?.columns ?? [], [], dialect), written: [written] },
          total: null,
        };
      }
      case 'describe':
        return { rows: null, ...(await describe(database, dialect, plan, bounds, known)) };
      case 'aggregate': {
        const slowness = knownSlowness(gateway, plan);
        const budget = limits.aggregateBudget;
        const work = () => anywhere((sessions) => aggregate(sessions, dialect, plan, { ...bounds, budget }, slowness));
        return { rows: null, total: null, counts: await connected.database.aggregates.take(client, work, gone) };
      }
    }
  } catch (error) {
    if (gone.aborted && error === gone.reason) throw error;
    if (attempt < mostExcluded && excludes(error, plan, connected))
      return await executePlan(gateway, resource, plan, options, attempt + 1);
    throw translate(error, plan, connected, limits.responseBytes);
  } finally {
    const { waited, queried } = spent;
    gateway.emit({ on: 'queried', server, effect: plan.effect, waited, queried, ...labelsOf(plan) });
    all.waited += waited;
    all.queried += queried;
  }
}

/** An `OutsideFlag` of a read, with the names of the column and the record, as far as they are found; any other error as it is. */
export async function withNames(
  error: unknown,
  gateway: Gateway,
  resource: Resolved,
  plan: Plan,
  options: Omit<ExecuteOptions, 'client'>,
): Promise<unknown> {
  const { connected } = resource;
  const isRead = plan.effect === 'read' || plan.effect === 'aggregate';
  if (!(error instanceof OutsideFlag) || !isRead || connected === null) return error;
  const read = outsideRead(plan);
  // No client waits for a total of it.
  return executePlan(gateway, resource, read, { ...options, client: '' }).then(
    ({ rows }) => outsideFlag(plan.table, read.columns, rows?.cells ?? [], connected.dialect) ?? error,
    () => error,
  );
}

/** The server refuses one character at a time, before it executes anything. */
export const mostExcluded = 100;

/** Whether a filter has a character that the encoding of the database lacks. Executed again, the plan finds nothing by it. */
export function excludes(error: unknown, { effect }: Plan, { dialect }: Connected): boolean {
  const meaning = dialect.classifyError(error);
  if (effect === 'write' || meaning.kind !== 'value' || meaning.lacks === undefined) return false;
  dialect.exclude(meaning.lacks);
  return true;
}

/** Database and resource of a plan, for metrics. */
export const labelsOf = ({ table: { database, resource } }: Plan) => ({ database, resource });

/**
 * Invalidates the tables that a write affects, after its commit and before its answer. A failed write invalidates as well: without
 * transactions it may be half done. If the outcome of the commit is unknown, caching over these tables is suspended until the
 * session has ended.
 */
async function changed<T>(
  gateway: Gateway,
  resource: Resolved,
  sessions: CallSessions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnknownOutcome) await gateway.suspend(resource, error.settled);
    throw error;
  } finally {
    await gateway.invalidate(resource, sessions.transactions);
  }
}

/** 409: the records that a write should return cannot be shown. Without transactions they may be written all the same. */
function unanswered({ effect, table }: Plan, why: string, cause: unknown): Refusal {
  const member = effect === 'write' ? 'include_records' : 'include_deleted_records';
  const outcome = table.transactional
    ? 'so nothing was done'
    : 'but its table has no transactions, so the call may have been executed';
  return invalid({ [member]: [`must be false: ${why}, ${outcome}`] }, cause);
}

/** An error of a plan → the refusal for the client. */
export function translate(error: unknown, plan: Plan, { dialect }: Connected, responseBytes: number): Refusal {
  const { table } = plan;
  const row = plan.effect === 'write' || plan.effect === 'delete' ? 0 : null;
  if (error instanceof OutsideFlag && row !== null) return unanswered(plan, error.text, error);
  if (error instanceof Refusal) return error;
  if (error instanceof TooLarge) {
    if (plan.effect === 'aggregate') return tooManyGroups(responseBytes, error);
    if (row === null) return overResponseBytes(responseBytes, error);
    return unanswered(plan, `the records are over ${responseBytes} bytes (limits.responseBytes)`, error);
  }
  if (error instanceof StatementTimeout) return refusal({ kind: 'timeout' }, table, row, error);
  if (error instanceof SchemaChanged) return refusal({ kind: 'schema' }, table, null, error);
  if (error instanceof DatabaseUnavailable || error instanceof SharedSession)
    return refusal({ kind: 'connection' }, table, null, error);
  if (error instanceof PoolTimeout) return refusal({ kind: 'busy' }, table, null, error);
  if (error instanceof UnknownOutcome) {
    const message = 'the connection was lost while writing: the records may or may not have been written';
    return new Refusal('unknownOutcome', { message }, { cause: error });
  }
  const meaning = dialect.classifyError(error);
  // The invalid value came from a filter on a type that only the engine parses (interval, inet …). Or the column was retyped, or a
  // view computes the value.
  const where = filterOf(plan);
  if (meaning.kind === 'unreadable' && (plan.effect === 'read' || plan.effect === 'aggregate')) {
    const shown = plan.effect === 'read' ? plan.columns.flatMap((one) => (isRank(one) ? [] : [one])) : [plan.column];
    return unreadable(shown, meaning.encoding, error);
  }
  if (meaning.kind === 'value' && where !== null) {
    const compared = columnsOf(where);
    const names = compared.filter(({ type }) => type.kind === 'json' || isJudgedByServer(type));
    const fields = names.map(({ label }) => `"${label}"`).join(' or ') || 'its field';
    const refused =
      compared.length > 0
        ? invalid({ filters: [`a value is no valid input for the type of ${fields}`] }, error)
        : invalid({ query: ['the database cannot compute a value of these records'] }, error);
    return stale(refused, table.resource, 'failed');
  }
  if (meaning.kind === 'trigger' && row === null)
    return invalid({ query: ['refused by a function of the database'] }, error);
  return refusal(meaning, table, meaning.kind === 'timeout' ? row : null, error);
}
