import type { Settings } from '../config/assemble.ts';
import type { Emit } from '../model/events.ts';
import type { Pools } from '../servers/pools.ts';
import type { DatabaseSnapshot } from '../tables/served.ts';
import { whyUnavailable } from '../tables/snapshot.ts';

/** Milliseconds between two attempts to reach a database. */
const retryIntervalMs = 500;

/**
 * Reads a database again at its `refresh` interval, when it has come back, and until it is reached for the first time. Emits an event when a
 * database is lost, and when it is back.
 * @param watched `snapshots` returns the current ones; `read` reads a database again
 * @returns a function that stops the timers
 */
export function watchDatabases(watched: {
  readonly settings: Settings;
  readonly pools: Pools;
  snapshots(): ReadonlyMap<string, DatabaseSnapshot>;
  read(name: string): unknown;
  readonly emit: Emit;
}): () => void {
  const { settings, pools, snapshots, read, emit } = watched;
  const timers: NodeJS.Timeout[] = [];
  const every = (milliseconds: number, work: () => unknown) => timers.push(setInterval(work, milliseconds).unref());
  every(retryIntervalMs, () => {
    for (const { name, connected } of snapshots().values()) if (connected === null) read(name);
  });
  for (const database of settings.databases.values()) {
    if (database.refresh > 0) every(database.refresh, () => read(database.name));
  }
  for (const [name, pool] of pools) {
    pool.watch((news) => {
      const version = snapshots().get(name)?.connected?.server.versionText;
      if (version === undefined) return;
      if (news.is === 'away') {
        const why = whyUnavailable(settings, name, news.cause);
        emit({ on: 'database lost', database: name, why, cause: news.cause });
      } else emit({ on: 'database reached', database: name, version });
      // Read the catalogue again: a different server may answer at this address now.
      if (news.is === 'back') read(name);
    });
  }
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
