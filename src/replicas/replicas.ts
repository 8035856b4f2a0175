import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import * as dialects from '../dialects/index.ts';
import type { Database } from '../execute/connection/database.ts';
import { outageOf } from '../execute/connection/outage.ts';
import type { Emit } from '../model/events.ts';
import { outageText } from '../servers/outage-text.ts';
import type { DatabaseSnapshot } from '../tables/served.ts';
import { ReplicaSet } from './replica-set.ts';

/** Returns a function that finds a database's replicas; null if it has none or can't be used. Each set lives as long as its pool. */
export function replicaSets(emit: Emit): (settings: Settings, snapshot: DatabaseSnapshot) => ReplicaSet | null {
  const sets = new WeakMap<Database, { readonly server: string | null; readonly set: ReplicaSet }>();
  return (settings, { name, connected, server }) => {
    if (connected === null || connected.database.replicas.length === 0) return null;
    const { database, dialect } = connected;
    const before = sets.get(database);
    // Positions in another server's log, or from before a restart, can't be compared.
    if (before?.server === server) return before.set;
    const own = settings.databases.get(name);
    const set = new ReplicaSet(database, dialect.replication, (nth, why, cause) => {
      const replica = { database: name, replica: nth + 1 };
      if (why === null) emit({ on: 'replica reached', ...replica });
      else emit({ on: 'replica lost', ...replica, why: whyLost(own, nth, why, cause), cause });
    });
    sets.set(database, { server, set });
    return set;
  };
}

/** Says in a sentence why a replica is lost. @param cause the driver's error, if there is one; else `why` already is the sentence */
export function whyLost(settings: DatabaseSettings | undefined, nth: number, why: string, cause: unknown): string {
  const connection = settings?.replicas[nth];
  if (cause === undefined || settings === undefined || connection === undefined || 'directory' in settings) return why;
  return outageText(outageOf(cause, dialects[settings.client].outage), { ...settings, connection }, true);
}
