/** What `check` reports about the read replicas of a database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import { readCatalog } from '../execute/catalog.ts';
import type { Database } from '../execute/connection/database.ts';
import type { Catalog } from '../model/catalog.ts';
import { hasReached, whyNotReplica } from '../model/replication.ts';
import type { Connected, DatabaseSnapshot } from '../tables/served.ts';
import { whyLost } from './replicas.ts';

export interface CheckedReplica {
  /** The replica's number in the configuration, from 1. */
  readonly replica: number;
  /** Why the replica would answer no reads; null if it would. */
  readonly obstacle: string | null;
  /** The upper bound of the replica's lag in milliseconds; null if it did not catch up while we waited. */
  readonly lagMs: number | null;
  /** Resources whose tables are missing on the replica, or have other columns there: the primary answers their reads. */
  readonly missingResources: readonly string[];
}

/** Milliseconds that we wait for a replica to reach its primary's log position. */
const catchUpTimeoutMs = 2000;

/** Checks each replica of a database, all at the same time. Never throws: an error becomes an `obstacle`. */
export function checkReplicas(
  settings: Settings,
  { name, connected, catalog }: DatabaseSnapshot,
): Promise<readonly CheckedReplica[]> {
  if (connected === null || catalog === null) return Promise.resolve([]);
  const tables = [...settings.resources.values()].filter((resource) => resource.database === name);
  const names = tables.map(({ schema, table }) => ({ schema, name: table }));
  const check = async (database: Database, nth: number): Promise<CheckedReplica> => {
    const found: CheckedReplica = { replica: nth + 1, obstacle: null, lagMs: null, missingResources: [] };
    try {
      const lag = await measureLag(connected, database);
      if (typeof lag === 'string') return { ...found, obstacle: lag };
      const replicaCatalog = await readCatalog(database, connected.dialect, names);
      const without = tables.filter((one) => columnsIn(replicaCatalog, one) !== columnsIn(catalog, one));
      return { ...found, lagMs: lag, missingResources: without.map((one) => one.name) };
    } catch (cause) {
      return { ...found, obstacle: whyLost(settings.databases.get(name), nth, String(cause), cause) };
    }
  };
  return Promise.all(connected.database.replicas.map(check));
}

/** Milliseconds until a replica reaches its primary's current position; null on timeout. A string says why the replica can't be used. */
async function measureLag({ database, dialect }: Connected, replica: Database): Promise<number | string | null> {
  const { replication } = dialect;
  const ask = (of: Database, text: string) => of.use((session) => session.run({ text, values: [] }));
  const readState = async () => replication.state(await ask(replica, replication.replicaQuery));
  let state = await readState();
  if (!state.isReplica) return state.why;
  const startedAt = performance.now();
  const position = replication.position(await ask(database, replication.primaryQuery));
  if (position === null) return 'its primary shows no positions: MySQL needs gtid_mode, MariaDB a binary log';
  const why = whyNotReplica(replication, state, position);
  if (why !== null) return why;
  for (; !hasReached(replication, state, position); state = await readState()) {
    if (performance.now() - startedAt >= catchUpTimeoutMs) return null;
    await sleep(20);
  }
  return performance.now() - startedAt;
}

const columnsIn = ({ tables }: Catalog, { schema, table }: ResourceSettings): string => {
  const found = tables.find((one) => one.name === table && (schema === null || one.schema === schema));
  return JSON.stringify(found?.columns.map((column) => [column.name, column.native, column.nullable]) ?? null);
};

/** Warnings about replicas. The gateway starts anyway, because the primary answers instead. */
export function replicaWarnings(database: string, replicas: readonly CheckedReplica[]): readonly Finding[] {
  return replicas.flatMap(({ replica, obstacle, lagMs, missingResources }): readonly Finding[] => {
    const path = ['databases', database, 'replicas', replica - 1];
    if (obstacle !== null) return [{ path, says: `answers no reads: ${obstacle}` }];
    const late = `does not have what its primary had ${catchUpTimeoutMs / 1000} s ago`;
    const differs = `does not have the tables of its primary, which answers ${missingResources.join(', ')}`;
    const says = [...(lagMs === null ? [late] : []), ...(missingResources.length > 0 ? [differs] : [])];
    return says.map((text) => ({ path, says: text }));
  });
}

/** A replica's line in `check --list`. */
export const replicaLine = ({ replica, obstacle, lagMs }: CheckedReplica): string => {
  const state = lagMs === null ? 'behind by more than 2 s' : `at most ${Math.ceil(lagMs)} ms behind`;
  return `replica ${replica}: ${obstacle === null ? `answers reads, ${state}` : `answers no reads: ${obstacle}`}`;
};
