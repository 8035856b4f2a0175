import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import * as dialects from '../dialects/index.ts';
import type { Database } from '../execute/connection/database.ts';
import { outageOf } from '../execute/connection/outage.ts';
import type { Emit } from '../model/events.ts';
import { outageText } from '../servers/outage-text.ts';
import type { DatabaseSnapshot } from '../tables/served.ts';
import { ReplicaSet } from './replica-set.ts';

/** Finds the read replicas of a database; null where it has none, or cannot be used. They outlive a `Gateway`, as its pool does. */
export function replicaSets(emit: Emit): (settings: Settings, snapshot: DatabaseSnapshot) => ReplicaSet | null {
  const known = new WeakMap<Database, { readonly server: string | null; readonly set: ReplicaSet }>();
  return (settings, { name, connected, server }) => {
    if (connected === null || connected.database.replicas.length === 0) return null;
    const { database, dialect } = connected;
    const before = known.get(database);
    // Positions of another server, or of the same one before a restart, say nothing.
    if (before?.server === server) return before.set;
    const own = settings.databases.get(name);
    const set = new ReplicaSet(database, dialect.replication, (nth, why, cause) => {
      const replica = { database: name, replica: nth + 1 };
      if (why === null) emit({ on: 'replica reached', ...replica });
      else emit({ on: 'replica lost', ...replica, why: whyLost(own, nth, why, cause), cause });
    });
    known.set(database, { server, set });
    return set;
  };
}

/** A sentence. @param cause the driver's error, where that is why */
export function whyLost(of: DatabaseSettings | undefined, nth: number, why: string, cause: unknown): string {
  const connection = of?.replicas[nth];
  if (cause === undefined || of === undefined || connection === undefined || 'directory' in of) return why;
  return outageText(outageOf(cause, dialects[of.client].outage), { ...of, connection }, true);
}
