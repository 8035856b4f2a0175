/** The planner's estimates of how many records tables have: one query per database, kept for a minute. */
import { callerIn } from '../accept/permit.ts';
import { CacheHandle } from '../cache/handle.ts';
import type { LoadedBody } from '../cache/results.ts';
import { ask } from '../execute/ask.ts';
import type { Connected, Resolved } from '../tables/served.ts';
import type { Call } from './call.ts';

const lifetimeMs = 60_000;

/**
 * The estimates by the ids of resources. None for a resource on which the sender has a row filter, because the estimate would count rows
 * outside it; nor for a view, a table that was never analysed, or a database that does not answer in time.
 */
export async function rowEstimates(call: Call, resources: readonly Resolved[]): Promise<ReadonlyMap<string, number>> {
  const caller = callerIn(call.sender);
  const shown = resources.filter(({ rows }) => !rows.hasFilterFor(caller));
  const databases = new Map(
    shown.flatMap(({ connected, settings }) => (connected === null ? [] : [[settings.database, connected] as const])),
  );
  const read = [...databases].map(
    async ([name, connected]) => [name, await estimatesIn(call, name, connected)] as const,
  );
  const estimates = new Map(await Promise.all(read));
  return new Map(
    shown.flatMap(({ id, settings: { database }, table }) => {
      if (typeof table === 'string') return [];
      const count = estimates.get(database)?.get(placeOf(table));
      return count === undefined ? [] : [[id, count] as const];
    }),
  );
}

const placeOf = ({ schema, name }: { readonly schema: string | null; readonly name: string }): string =>
  JSON.stringify([schema, name]);

type Estimates = ReadonlyMap<string, number>;

async function estimatesIn(call: Call, database: string, connected: Connected): Promise<Estimates> {
  const { cache, hash, settings, version } = call.gateway;
  const name = hash(JSON.stringify(['estimates', version, database]));
  const handle = new CacheHandle(name, [], lifetimeMs, null, cache.generations);
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(settings.limits.totalBudget)]);
  try {
    const found = await cache.results.lookUp(handle, { ...call, signal }, 0);
    if (found.is === 'suspended') throw new TypeError('no commit changes the estimates at once');
    const { entry } = found.is === 'entry' ? found : await found.load.fill(load(call, connected, found.load.signal));
    const rows: readonly (readonly [string, number])[] = JSON.parse(Buffer.from(entry.body).toString());
    return new Map(rows);
  } catch {
    call.signal.throwIfAborted();
    return new Map();
  }
}

async function load(call: Call, { database, dialect }: Connected, signal: AbortSignal): Promise<LoadedBody> {
  const { use } = database.metered(call.log.spent);
  const all = await use((session) => ask(session, dialect.rowEstimates), signal);
  return { body: JSON.stringify(all.map((one) => [placeOf(one), one.rows])), lifetimeMs };
}
