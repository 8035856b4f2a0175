/** Reads the last change of a resource and the period of its data, and keeps them in the cache until its table changes. */
import { callerIn } from '../accept/permit.ts';
import { extremesOf, readExtremes } from '../actions/about.ts';
import type { LoadedBody } from '../cache/results.ts';
import type { Extremes } from '../model/metadata.ts';
import type { Ask } from '../model/question.ts';
import { guard, RowFilter } from '../model/row-filter.ts';
import type { Table } from '../model/table.ts';
import type { Resolved } from '../tables/served.ts';
import type { Call } from './call.ts';
import { runRead } from './run-read.ts';
import { lookUpSlowness, rememberSlowness } from './totals.ts';

/**
 * The extremes of a resource that the sender may read. Null if nothing is known, or if the sender has a row filter: extremes could reveal
 * rows outside it.
 * @param budgetMs how long the answer may wait for them
 */
export async function extremesFor(call: Call, resource: Resolved, budgetMs: number): Promise<Extremes | null> {
  const { table, rows } = resource;
  if (typeof table === 'string' || rows.hasFilterFor(callerIn(call.sender))) return null;
  const { changed, period } = table.about.roles;
  const columns = changed === null && period === null ? null : await ofColumns(call, resource, table, budgetMs);
  if (columns !== null && columns.lastChange !== null) return columns;
  const lastChange = await seenChange(call, resource);
  return lastChange === null ? columns : { from: null, to: null, ...columns, lastChange };
}

/** When our own write or the feed last showed a change of the table; null if neither did, or if a later commit may have changed it. */
async function seenChange({ gateway, received }: Call, { dependencies, freshness }: Resolved): Promise<string | null> {
  const { own = null, dependsOn = [] } = dependencies ?? {};
  if (own === null || freshness === null) return null;
  if (!freshness.isFresh(received) && !(await freshness.prove(received))) return null;
  const at = gateway.cache.generations.lastOwnBumpTime(own, dependsOn);
  return at === null ? null : new Date(performance.timeOrigin + at).toISOString();
}

/** The extremes of columns. Null if they cannot be read in time: metadata never makes an answer fail. */
async function ofColumns(call: Call, resource: Resolved, table: Table, budgetMs: number): Promise<Extremes | null> {
  const { cache, settings, lastChanges } = call.gateway;
  const handle = lastChanges.handleOf(resource);
  if (handle === null) return null;
  const kept = keptExtremes(call, resource);
  if (kept !== null) return kept;
  const ask = extremesOf(table);
  if (ask === null) return null;
  const timeout = AbortSignal.timeout(budgetMs);
  const timed = { ...call, signal: AbortSignal.any([call.signal, timeout]) };
  try {
    const found = await cache.results.lookUp(handle, timed, settings.cache.staleIfError);
    if (found.is === 'entry') return lastChanges.extremesIn(found.entry);
    if (lookUpSlowness(call.gateway, ask)) return null;
    if (found.is === 'suspended') return lastChanges.extremesIn(await load(timed, resource, ask));
    const { entry } = await found.load.fill(load({ ...call, signal: found.load.signal }, resource, ask));
    return lastChanges.extremesIn(entry);
  } catch {
    call.signal.throwIfAborted();
    // Don't try again for ten minutes: without an index for the column, each try would scan the table.
    if (timeout.aborted && 2 * budgetMs >= settings.limits.totalBudget) rememberSlowness(call.gateway, ask);
    return null;
  }
}

/**
 * The extremes of several resources, by id.
 * @param budgetMs how long the answer may wait for all of them: a list does not wait for hundreds of slow tables
 */
export async function extremesOfAll(
  call: Call,
  resources: readonly Resolved[],
  budgetMs: number,
): Promise<ReadonlyMap<string, Extremes>> {
  const all = new Map<string, Extremes>();
  const { totalBudget } = call.gateway.settings.limits;
  const until = performance.now() + budgetMs;
  for (const resource of resources) {
    const kept = keptExtremes(call, resource);
    const left = Math.min(Math.ceil(until - performance.now()), totalBudget);
    // Promises for thousands of resources would take most of the time of a search.
    const extremes = kept?.lastChange ? kept : left > 0 ? await extremesFor(call, resource, left) : null;
    if (extremes !== null) all.set(resource.id, extremes);
  }
  return all;
}

async function load(call: Call, resource: Resolved, ask: Ask): Promise<LoadedBody> {
  const { rows } = await runRead(call, resource, guard(ask, RowFilter.all));
  if (rows === null) throw new TypeError('no extremes');
  return { body: JSON.stringify(readExtremes(rows)), lifetimeMs: Number.POSITIVE_INFINITY };
}

/** The extremes of columns that are in the cache and proved fresh. Null for all others, and for a sender with a row filter. */
function keptExtremes({ gateway, sender, received, refusesCached }: Call, resource: Resolved): Extremes | null {
  if (refusesCached || resource.rows.hasFilterFor(callerIn(sender))) return null;
  const handle = gateway.lastChanges.handleOf(resource);
  if (handle === null || handle.freshness?.isFresh(received) === false) return null;
  const entry = handle.freshEntry(gateway.cache.results, received);
  return entry && gateway.lastChanges.extremesIn(entry);
}
