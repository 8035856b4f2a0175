import { serverEngine } from '../model/engines.ts';
import type { Settings } from './assemble.ts';

/**
 * The number of worker processes.
 * @param cores the number of this machine's processor cores
 */
export function workersOf({ server, databases }: Settings, cores: number): number {
  if (server.workers !== 'auto') return server.workers;
  const bounds = [...databases.values()].map(({ pool }) => pool.max);
  return Math.min(cores, ...bounds);
}

/** The settings of one worker: its share of the limits that apply to all workers together, at least 1 of each. */
export function shareOf(settings: Settings, workers: number): Settings {
  const shareOfLimit = (whole: number) => Math.max(1, Math.floor(whole / workers));
  const { cache, limits, databases, rateLimit, upstream } = settings;
  const shareOfRate = (whole: number | null) => (whole === null ? null : shareOfLimit(whole));
  return {
    ...settings,
    cache: { ...cache, maxBytes: shareOfLimit(cache.maxBytes) },
    limits: {
      ...limits,
      connections: shareOfLimit(limits.connections),
      // Even a small share must have room for the largest body.
      incomingBytes: Math.max(limits.bodyBytes, shareOfLimit(limits.incomingBytes)),
      unsentBytes: shareOfLimit(limits.unsentBytes),
      spoolBytes: Math.floor(limits.spoolBytes / workers),
      dumpsPerDatabase: shareOfLimit(limits.dumpsPerDatabase),
      aggregatesPerDatabase: shareOfLimit(limits.aggregatesPerDatabase),
      subscribers: shareOfLimit(limits.subscribers),
    },
    rateLimit: rateLimit && {
      ...rateLimit,
      perToken: shareOfRate(rateLimit.perToken),
      perAddress: shareOfRate(rateLimit.perAddress),
    },
    upstream: upstream && {
      ...upstream,
      maxRequests: shareOfLimit(upstream.maxRequests),
      access: { ...upstream.access, maxRequests: shareOfLimit(upstream.access.maxRequests) },
    },
    databases: new Map(
      [...databases].map(([name, database]) => [
        name,
        { ...database, pool: { ...database.pool, max: shareOfLimit(database.pool.max) } },
      ]),
    ),
  };
}

/** After a process has died, none of its statements can still be running in a database after this many milliseconds. */
export function longestStatement({ databases }: Settings): number {
  const limits = [...databases.values()].map((it) => {
    if ('directory' in it) return 0;
    const { lockWaits } = serverEngine(it.client);
    return Math.max(it.statementTimeout, lockWaits * (it.statementTimeout + 2000));
  });
  return Math.max(...limits);
}
