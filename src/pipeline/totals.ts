/** What the cache knows of totals, and their way into it: counted, or estimated first and counted in the background. */
import type { Gateway } from '../app/gateway.ts';
import type { Sessions } from '../execute/connection/call-sessions.ts';
import { unspent } from '../execute/connection/meter.ts';
import { counted, type KnownTotal, type LearnedTotal } from '../execute/read.ts';
import type { Aggregate, Read } from '../model/plan.ts';
import { totalKeyOf } from '../model/read-key.ts';
import { clientName } from './call.ts';
import { leaveReplica, type Reading, replicaFor } from './replica-of-read.ts';

/** The total of a search before it is run. */
export interface PlannedTotal extends KnownTotal {
  /** Where it is stored; null: nowhere. */
  readonly place: Place | null;
}

interface Place {
  /** The condition, for what is known of its slowness. */
  readonly condition: string;
  /** With the generations from before the query; null where totals are not cached. */
  readonly key: string | null;
  /** When that was, by `performance.now()`. */
  readonly at: number;
}

/** All pages of a search share its total, whatever their order. */
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
  const key = keyOf(condition, generations.now(reads));
  const isProved = resource.freshness?.isProved(call.received, at) ?? true;
  const total = call.fresh || !isProved ? null : totals.find(key, ttl);
  return { total, isSlow, place: { condition, key, at } };
}

const keyOf = (condition: string, generations: string): string => JSON.stringify([condition, generations]);

/** Stores what a search has found out about its total, and has a total counted that is only estimated. */
export function rememberTotal(reading: Reading, plan: Read, { total, place }: PlannedTotal, found: LearnedTotal): void {
  if (place === null) return;
  const { call, resource, connected } = reading;
  const { totals, generations } = call.gateway.cache;
  const { condition, key, at } = place;
  const ttl = resource.cacheTtl;
  if (found.is === 'estimated') {
    // The estimate of a client that accepts no cached total does not replace the exact one of others.
    const isKnown = key !== null && totals.find(key, ttl)?.estimated === false;
    if (key !== null && !isKnown) totals.set(key, { count: found.count, estimated: true }, at);
    if (totals.slowness(condition) === null) totals.setSlow(condition, 'for a client');
    if (key !== null) countLater(reading, plan, condition);
  } else if (found.is === 'exact') {
    // A page that is the last one shows the exact total, whatever was estimated before.
    if (key !== null && (total === null || total.estimated))
      totals.set(key, { count: found.count, estimated: false }, at);
  } else if (total?.estimated === true) {
    // It may have been counted while the page was read.
    const now = keyOf(condition, generations.now(resource.dependencies?.dependsOn ?? []));
    const isCounted = totals.find(now, ttl)?.estimated !== true;
    if (!isCounted && !connected.database.backgroundCounts.has(condition)) countLater(reading, plan, condition);
  }
}

function countLater(reading: Reading, plan: Read, condition: string): void {
  const { call, connected } = reading;
  if (call.gateway.cache.totals.slowness(condition) === 'in the background') return;
  // The only connection of a pool is for calls.
  if (connected.database.usage().calls.max <= 1) return;
  const run = () => countNow(reading, plan, condition);
  connected.database.backgroundCounts.add({ client: clientName(call), condition, run });
}

/** No client waits for a count in the background. */
const never = new AbortController().signal;

async function countNow({ call, resource, connected }: Reading, plan: Read, condition: string): Promise<void> {
  const { gateway } = call;
  const { totals, generations } = gateway.cache;
  const began = performance.now();
  const key = keyOf(condition, generations.now(resource.dependencies?.dependsOn ?? []));
  const asked = { ...call, received: began, fresh: false, signal: never };
  const reading: Reading = { call: asked, resource, connected, spent: unspent(), server: 'primary' };
  const countedBy = ({ use }: Sessions) => use((session) => counted(session, connected.dialect, plan));
  const replica = await replicaFor(reading);
  const count =
    (replica && (await countedBy(replica.sessions).catch((error: unknown) => leaveReplica(reading, replica, error)))) ??
    (await countedBy(connected.database));
  if (count === 'overdue') return totals.setSlow(condition, 'in the background');
  totals.set(key, { count, estimated: false }, began);
  if (performance.now() - began < gateway.settings.limits.totalBudget) totals.setFast(condition);
}

/** Whether counting these groups took too long lately. */
export const lookUpSlowness = ({ cache: { totals }, version }: Gateway, plan: Aggregate): boolean =>
  totals.slowness(nameOf(version, plan)) !== null;

export const rememberSlowness = ({ cache: { totals }, version }: Gateway, plan: Aggregate): void =>
  totals.setSlow(nameOf(version, plan), 'for a client');

const nameOf = (version: number, { by, column, records }: Aggregate): string =>
  JSON.stringify([version, by.is, column.name, totalKeyOf(records)]);
