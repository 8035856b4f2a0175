import { serverEngine } from '../model/engines.ts';
import type { Settings } from './assemble.ts';

/**
 * The number of serving processes.
 * @param cores of this machine
 */
export function workersOf({ server, databases }: Settings, cores: number): number {
  if (server.workers !== 'auto') return server.workers;
  const bounds = [...databases.values()].map(({ pool }) => pool.max);
  return Math.min(cores, ...bounds);
}

/** The share of one process in the limits that apply to all together; at least one of each. */
export function shareOf(settings: Settings, workers: number): Settings {
  const part = (whole: number) => Math.max(1, Math.floor(whole / workers));
  const { cache, limits, databases, rateLimit, upstream } = settings;
  const rate = (whole: number | null) => (whole === null ? null : part(whole));
  return {
    ...settings,
    cache: { ...cache, maxBytes: part(cache.maxBytes) },
    limits: {
      ...limits,
      connections: part(limits.connections),
      // A body of the largest size must find room.
      incomingBytes: Math.max(limits.bodyBytes, part(limits.incomingBytes)),
      unsentBytes: part(limits.unsentBytes),
      spoolBytes: Math.floor(limits.spoolBytes / workers),
      dumpsPerDatabase: part(limits.dumpsPerDatabase),
      aggregatesPerDatabase: part(limits.aggregatesPerDatabase),
      subscribers: part(limits.subscribers),
    },
    rateLimit: rateLimit && {
      ...rateLimit,
      perToken: rate(rateLimit.perToken),
      perAddress: rate(rateLimit.perAddress),
    },
    upstream: upstream === null ? null : { ...upstream, maxRequests: part(upstream.maxRequests) },
    databases: new Map(
      [...databases].map(([name, database]) => [
        name,
        { ...database, pool: { ...database.pool, max: part(database.pool.max) } },
      ]),
    ),
  };
}

/** Milliseconds after which every statement of an ended process has finished in its database. */
export function longestStatement({ databases }: Settings): number {
  const limits = [...databases.values()].map((it) => {
    if ('directory' in it) return 0;
    const { lockWaits } = serverEngine(it.client);
    return Math.max(it.statementTimeout, lockWaits * (it.statementTimeout + 2000));
  });
  return Math.max(...limits);
}
