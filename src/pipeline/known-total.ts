/** What the cache knows of totals, and their way into it: counted, or estimated first and counted in the background. */

import type { Gateway } from '../app/gateway.ts';
import type { KnownSlowness } from '../execute/aggregate.ts';
import { unspent } from '../execute/connection/meter.ts';
import { counted, type KnownTotal } from '../execute/read.ts';
import type { Aggregate, Read } from '../model/plan.ts';
import { totalKeyOf } from '../model/read-key.ts';
import { keptFor } from '../tables/other-gateways.ts';
import type { Connected, Resolved } from '../tables/served.ts';
import { readAnywhere } from './server-of-read.ts';

interface Asked {
  readonly gateway: Gateway;
  readonly resource: Resolved;
  readonly connected: Connected;
  readonly plan: Read;
  /** The name under which all calls of the client count. */
  readonly client: string;
  /** Ignore cached totals. */
  readonly noCache: boolean;
  /** When the request came, by `performance.now()`. */
  readonly asked: number;
}

const never = new AbortController().signal;

/** All pages of a search share its total, whatever their order. Its key has the generations from before the query. */
export function knownTotal({ gateway, resource, connected, plan, client, noCache, asked }: Asked): KnownTotal {
  const { cache, settings, version } = gateway;
  const { totals, generations } = cache;
  const nothing = () => undefined;
  const unknown: KnownTotal = { total: null, isSlow: false, learn: nothing, guess: nothing, stillEstimated: nothing };
  if (!plan.total) return unknown;
  const condition = totalKeyOf(plan);
  const name = JSON.stringify([version, condition]);
  const ttl = keptFor(settings, resource);
  const reads = resource.dependencies?.dependsOn;
  const isSlow = totals.slowness(name) !== null;
  if (ttl === 0 || reads === undefined || generations.isSuspended(reads))
    return { ...unknown, isSlow, guess: () => totals.setSlow(name, 'for a client') };
  const keyNow = () => JSON.stringify([version, generations.now(reads), condition]);
  const at = performance.now();
  const key = keyNow();
  const isProved = resource.freshness?.isProved(asked, at) ?? true;
  const total = noCache || !isProved ? null : totals.find(key, ttl);
  const refine = async (): Promise<void> => {
    const [began, key] = [performance.now(), keyNow()];
    const reading = { gateway, resource, connected, isOfPrimary: false, asked: began, spent: unspent(), gone: never };
    const count = await readAnywhere(reading, nothing, ({ use }) =>
      use((session) => counted(session, connected.dialect, plan)),
    );
    if (count === null) return totals.setSlow(name, 'in the background');
    totals.set(key, { count, estimated: false }, began);
    if (performance.now() - began < settings.limits.totalBudget) totals.setFast(name);
  };
  const { backgroundCounts } = connected.database;
  const countLater = () => {
    if (totals.slowness(name) === 'in the background') return;
    // The only connection of a pool is for calls.
    if (connected.database.usage().calls.max > 1) backgroundCounts.add({ client, condition: name, run: refine });
  };
  return {
    total,
    isSlow,
    learn(count) {
      // A page that is the last one shows the exact total, whatever was estimated before.
      if (total === null || total.estimated) totals.set(key, { count, estimated: false }, at);
    },
    guess(count) {
      // The estimate of a client that accepts no cached total does not replace the exact one of others.
      if (totals.find(key, ttl)?.estimated !== false) totals.set(key, { count, estimated: true }, at);
      if (totals.slowness(name) === null) totals.setSlow(name, 'for a client');
      countLater();
    },
    stillEstimated() {
      // It may have been counted while the page was read.
      const isCounted = totals.find(keyNow(), ttl)?.estimated !== true;
      if (!isCounted && !backgroundCounts.has(name)) countLater();
    },
  };
}

/** Whether counting these groups took too long lately. */
export function knownSlowness(
  { cache: { totals }, version }: Gateway,
  { by, column, records }: Aggregate,
): KnownSlowness {
  const name = JSON.stringify([version, by.is, column.name, totalKeyOf(records)]);
  return { isSlow: totals.slowness(name) !== null, learn: () => totals.setSlow(name, 'for a client') };
}
