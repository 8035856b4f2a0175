/** What `check` says of the read replicas of a database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import { readCatalog } from '../execute/catalog.ts';
import type { Database } from '../execute/connection/database.ts';
import type { Catalog } from '../model/catalog.ts';
import { hasReached, strays } from '../model/replication.ts';
import type { Connected, DatabaseSnapshot } from '../tables/served.ts';
import { whyLost } from './replicas.ts';

export interface CheckedReplica {
  /** Its place in the configuration, from 1. */
  readonly replica: number;
  /** Why it would answer no reads; null: it would. */
  readonly obstacle: string | null;
  /** At most so many milliseconds until it had replayed its primary's position of the question; null: that was not seen. */
  readonly behind: number | null;
  /** Resources whose tables it does not have, or has otherwise: the primary answers these. */
  readonly without: readonly string[];
}

/** Milliseconds that a replica has to get as far as its primary is. */
const patience = 2000;

/** Asks each replica of a database. */
export function checkReplicas(
  settings: Settings,
  { name, connected, catalog }: DatabaseSnapshot,
): Promise<readonly CheckedReplica[]> {
  if (connected === null || catalog === null) return Promise.resolve([]);
  const tables = [...settings.resources.values()].filter((resource) => resource.database === name);
  const names = tables.map(({ schema, table }) => ({ schema, name: table }));
  const check = async (database: Database, nth: number): Promise<CheckedReplica> => {
    const found: CheckedReplica = { replica: nth + 1, obstacle: null, behind: null, without: [] };
    try {
      const reached = await reach(connected, database);
      if (typeof reached === 'string') return { ...found, obstacle: reached };
      const its = await readCatalog(database, connected.dialect, names);
      const without = tables.filter((one) => columnsIn(its, one) !== columnsIn(catalog, one));
      return { ...found, behind: reached, without: without.map((one) => one.name) };
    } catch (cause) {
      return { ...found, obstacle: whyLost(settings.databases.get(name), nth, String(cause), cause) };
    }
  };
  return Promise.all(connected.database.replicas.map(check));
}

/** Milliseconds until it had what its primary had; null: longer than we wait. A text: why it is no replica. */
async function reach({ database, dialect }: Connected, replica: Database): Promise<number | string | null> {
  const { replication } = dialect;
  const ask = (of: Database, text: string) => of.use((session) => session.run({ text, values: [] }));
  const look = async () => replication.state(await ask(replica, replication.replicaQuery));
  let state = await look();
  if (!state.isReplica) return state.why;
  const asked = performance.now();
  const position = replication.position(await ask(database, replication.primaryQuery));
  if (position === null) return 'its primary shows no positions: MySQL needs gtid_mode, MariaDB a binary log';
  const why = strays(replication, state, position);
  if (why !== null) return why;
  for (; !hasReached(replication, state, position); state = await look()) {
    if (performance.now() - asked >= patience) return null;
    await sleep(20);
  }
  return performance.now() - asked;
}

const columnsIn = ({ tables }: Catalog, { schema, table }: ResourceSettings): string => {
  const found = tables.find((one) => one.name === table && (schema === null || one.schema === schema));
  return JSON.stringify(found?.columns.map((column) => [column.name, column.native, column.nullable]) ?? null);
};

/** What an operator should know of them. None prevents the start: the primary answers. */
export function replicaWarnings(database: string, replicas: readonly CheckedReplica[]): readonly Finding[] {
  return replicas.flatMap(({ replica, obstacle, behind, without }): readonly Finding[] => {
    const path = ['databases', database, 'replicas', replica - 1];
    if (obstacle !== null) return [{ path, says: `answers no reads: ${obstacle}` }];
    const late = `does not have what its primary had ${patience / 1000} s ago`;
    const differs = `does not have the tables of its primary, which answers ${without.join(', ')}`;
    const says = [...(behind === null ? [late] : []), ...(without.length > 0 ? [differs] : [])];
    return says.map((text) => ({ path, says: text }));
  });
}

/** For `check --list`. */
export const replicaLine = ({ replica, obstacle, behind }: CheckedReplica): string => {
  const state = behind === null ? 'behind by more than 2 s' : `at most ${Math.ceil(behind)} ms behind`;
  return `replica ${replica}: ${obstacle === null ? `answers reads, ${state}` : `answers no reads: ${obstacle}`}`;
};
