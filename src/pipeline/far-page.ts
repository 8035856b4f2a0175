/**
 * A page far behind the first record. A server walks past all records before it, so the gateway begins at the nearest position that
 * an earlier page has shown. Others may have deleted a record before it meanwhile, and then every record of the page would be
 * another one. So its records are used only if a token, asked for after them, proves that nothing has changed since the position
 * was shown.
 *
 * A planner may expect many records of the filter behind the position, and walk to the end of the table for the few that there are.
 * Without the position it would sort the few that an index of the filter finds. So the position has as much time as the walk, and
 * then it is dropped.
 */
import type { Freshness } from '../cache/freshness.ts';
import { isTimeout, type KnownTotal, type ReadResult, type Start } from '../execute/read.ts';
import type { Gateway, Resolved } from '../gateway/gateway.ts';
import { keptFor } from '../gateway/other-gateways.ts';
import type { Dialect } from '../model/dialect.ts';
import { isRank, type Read, type Sort } from '../model/plan.ts';
import { totalKeyOf } from '../model/read-key.ts';

interface Asked {
  readonly gateway: Gateway;
  readonly resource: Resolved;
  readonly plan: Read;
  readonly dialect: Dialect;
  /** Ignore known positions. */
  readonly noCache: boolean;
}

/** A server walks past fewer records in some milliseconds. */
const far = 10_000;
/** Milliseconds in which a server walks past so many records, and answers however busy it is. */
const walk = (offset: number): number => 250 + offset / 1000;

/**
 * Reads a page of a search.
 * @param read from there on; null: from the first record. A second call replaces what the first one has written
 */
export async function readPage(
  asked: Asked,
  known: KnownTotal,
  read: (plan: Read, known: KnownTotal, from: Start | null) => Promise<ReadResult>,
): Promise<ReadResult> {
  const { plan } = asked;
  const { positions } = asked.gateway.cache;
  const order = orderOf(asked);
  if (order === null) return read(plan, known, null);
  const { nameNow, freshness, ttl } = order;
  const withCursor = { ...plan, withCursor: true };
  const learned = (found: ReadResult, name: string | null, at: number): ReadResult => {
    const { shown, cursor } = found;
    if (name !== null && cursor !== null) positions.set(name, { offset: plan.offset + shown, cursor }, ttl, at);
    return plan.withCursor ? found : { ...found, cursor: null };
  };
  const [at, name] = [performance.now(), nameNow()];
  const position = asked.noCache || name === null ? null : positions.nearest(name, plan.offset, ttl);
  if (name !== null && position !== null) {
    const totals: (() => void)[] = [];
    const learn: KnownTotal['learn'] = (...count) => void totals.push(() => known.learn(...count));
    const from = { position, deadline: walk(plan.offset) };
    const found = await read(withCursor, { ...known, learn }, from).catch((error: unknown) => {
      if (!isTimeout(error, asked.dialect)) throw error;
      positions.drop(name, ttl);
      return null;
    });
    if (found !== null && (await freshness.proveUntil(performance.now())) && nameNow() === name) {
      for (const one of totals) one();
      return learned(found, name, at);
    }
  }
  const [again, now] = [performance.now(), nameNow()];
  return learned(await read(withCursor, known, null), now, again);
}

/** Whether a position may be used, or noted. A replica may show a commit before its primary does, and no token proves that it has not. */
export const usesPositions = (asked: Asked): boolean => orderOf(asked) !== null;

interface Order {
  /** Names condition, order and generations; null while a generation is suspended. Take it before the query is sent. */
  readonly nameNow: () => string | null;
  readonly freshness: Freshness;
  /** Milliseconds for which positions are stored. */
  readonly ttl: number;
}

/** Null where the page is near, its order is not that of a key, or no token notices all writes of others. */
function orderOf({ gateway: { cache, settings, version }, resource, plan }: Asked): Order | null {
  const { generations } = cache;
  const { freshness, isSeen, dependencies } = resource;
  const ttl = keptFor(settings, resource);
  if (plan.offset < far || plan.limit === 0 || ttl === 0 || !isByKey(plan)) return null;
  if (freshness === null || !isSeen || dependencies === null) return null;
  const { dependsOn } = dependencies;
  const order = plan.sort.map(({ by, direction }) => [by.label, direction]);
  const name = JSON.stringify([version, totalKeyOf(plan), order]);
  const nameNow = () => (generations.isSuspended(dependsOn) ? null : `${generations.now(dependsOn)} ${name}`);
  return { nameNow, freshness, ttl };
}

/** Whether the records are in the order of a key of whole numbers that the database proves, and none is merged. */
function isByKey({ table, sort, distinct, after, searches }: Read): boolean {
  if (table.keyIs !== 'proved' || distinct || after !== null || searches.length > 0) return false;
  const key = table.order.by.map(({ name }) => name);
  const isOfKey = ({ by }: Sort) => !isRank(by) && by.type.kind === 'int' && !by.nullable && key.includes(by.name);
  return sort.length === key.length && sort.every(isOfKey);
}
