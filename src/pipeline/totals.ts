/** Looks totals up in the cache, stores them, and counts in the background what was only estimated. */
import type { Gateway } from '../app/gateway.ts';
import { countRecords, type KnownTotal, type LearnedTotal } from '../execute/read.ts';
import type { Aggregate, Read } from '../model/plan.ts';
import type { Ask } from '../model/question.ts';
import { questionKeyOf, totalKeyOf } from '../model/read-key.ts';
import { clientName } from './call.ts';
import { type Reading, readOnServer } from './replica-of-read.ts';

/** What the cache knows about the total of a search, before the search runs. */
export interface PlannedTotal extends KnownTotal {
  /** Where the total will be stored; null if the search shows none. */
  readonly place: Place | null;
}

interface Place {
  /** Identifies the condition, to remember that it is slow to count. */
  readonly condition: string;
  /** The cache key, with the generations from before the query; null if totals are not cached. */
  readonly key: string | null;
  /** When the key was taken, by `performance.now()`. */
  readonly at: number;
}

/** Looks the total up. All pages of a search share it, whatever their order. */
export function lookUpTotal({ call, resource }: Reading, plan: Read): PlannedTotal {
  if (!plan.total) return { total: null, isSlow: false, place: null };
  const { cache, version } = call.gateway;
  const { totals, generations } = cache;
  const at = performance.now();
  const condition = JSON.stringify([version, totalKeyOf(plan)]);
  const isSlow = totals.slowness(condition) !== null;
  const ttl = resource.cacheTtl;
  const reads = resource.dependencies?.dependsOn;
  if (ttl === 0 || reads === undefined || generations.isSuspended(reads))
    return { total: null, isSlow, place: { condition, key: null, at } };
  const key = keyOf(condition, generations.currentCounts(reads));
  const isProved = resource.freshness?.isFresh(call.received, at) ?? true;
  const total = call.refusesCached || !isProved ? null : totals.find(key, ttl);
  return { total, isSlow, place: { condition, key, at } };
}

const keyOf = (condition: string, generations: string): string => JSON.stringify([condition, generations]);

/** Stores what a search has learned about its total. If that is only an estimate, counts it in the background. */
export function rememberTotal(reading: Reading, plan: Read, { total, place }: PlannedTotal, found: LearnedTotal): void {
  if (place === null) return;
  const { call, resource, connected } = reading;
  const { totals, generations } = call.gateway.cache;
  const { condition, key, at } = place;
  const ttl = resource.cacheTtl;
  if (found.is === 'estimated') {
    // With `no-cache`, a client gets an estimate although the exact total is cached. Keep the exact one for the others.
    const isKnown = key !== null && totals.find(key, ttl)?.estimated === false;
    if (key !== null && !isKnown) totals.set(key, { count: found.count, estimated: true }, at);
    if (totals.slowness(condition) === null) totals.setSlow(condition, 'for a client');
    if (key !== null) countLater(reading, plan, condition);
  } else if (found.is === 'exact') {
    // The last page gives the exact total, which replaces an earlier estimate.
    if (key !== null && (total === null || total.estimated))
      totals.set(key, { count: found.count, estimated: false }, at);
  } else if (total?.estimated === true) {
    // A background count may have finished while we read the page. Count again only if it has not.
    const now = keyOf(condition, generations.currentCounts(resource.dependencies?.dependsOn ?? []));
    const isCounted = totals.find(now, ttl)?.estimated !== true;
    if (!isCounted && !connected.database.backgroundCounts.has(condition)) countLater(reading, plan, condition);
  }
}

function countLater(reading: Reading, plan: Read, condition: string): void {
  const { call, connected } = reading;
  if (call.gateway.cache.totals.slowness(condition) === 'in the background') return;
  // A pool with a single connection has none to spare for the background.
  if (connected.database.usage().calls.max <= 1) return;
  const run = () => countNow(reading, plan, condition);
  connected.database.backgroundCounts.add({ client: clientName(call), condition, run });
}

/** A signal that is never aborted: no client waits for a background count, so none can disconnect. */
const neverAborted = new AbortController().signal;

async function countNow({ call, resource, connected }: Reading, plan: Read, condition: string): Promise<void> {
  const { gateway } = call;
  const { totals, generations } = gateway.cache;
  const began = performance.now();
  const key = keyOf(condition, generations.currentCounts(resource.dependencies?.dependsOn ?? []));
  const backgroundCall = { ...call, received: began, refusesCached: false, signal: neverAborted };
  const reading: Reading = {
    call: backgroundCall,
    resource,
    connected,
    spent: { waited: 0, queried: 0 },
    server: 'primary',
  };
  const count = await readOnServer(reading, ({ use }) =>
    use((session) => countRecords(session, connected.dialect, plan)),
  );
  if (count === 'overdue') return totals.setSlow(condition, 'in the background');
  totals.set(key, { count, estimated: false }, began);
  if (performance.now() - began < gateway.settings.limits.totalBudget) totals.setFast(condition);
}

/** Whether counting these groups timed out recently. */
export const lookUpSlowness = ({ cache: { totals }, version }: Gateway, plan: Aggregate | Ask): boolean =>
  totals.slowness(nameOf(version, plan)) !== null;

/** Remembers that counting these groups timed out. */
export const rememberSlowness = ({ cache: { totals }, version }: Gateway, plan: Aggregate | Ask): void =>
  totals.setSlow(nameOf(version, plan), 'for a client');

const nameOf = (version: number, plan: Aggregate | Ask): string =>
  JSON.stringify([
    version,
    ...(plan.effect === 'ask'
      ? [questionKeyOf(plan.question)]
      : [plan.by.is, plan.column.name, totalKeyOf(plan.records)]),
  ]);
