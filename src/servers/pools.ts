import { isDeepStrictEqual } from 'node:util';
import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import * as dialects from '../dialects/index.ts';
import { Database, type DatabaseOptions } from '../execute/connection/database.ts';
import { type Driver, SharedSession } from '../execute/connection/session.ts';
import * as drivers from '../execute/drivers/index.ts';
import { maxAttempts } from '../execute/within-budget.ts';
import type { PoolLevel } from '../watch/levels.ts';

/** Each database's connection pool. A new `Gateway` takes over the old one's pools. */
export type Pools = ReadonlyMap<string, Database>;

/** Opens a pool for each database. @param readOnly whether the pools' sessions are read-only */
export async function openPools({ databases, limits }: Settings, readOnly = false): Promise<Pools> {
  const opened = [...databases.values()].map(
    async (database) => [database.name, await openPool(database, limits, readOnly)] as const,
  );
  return new Map(await Promise.all(opened));
}

/** Opens pools whose sessions are read-only. */
export const openReadOnlyPools = (settings: Settings): Promise<Pools> => openPools(settings, true);

export async function closePools(pools: Pools): Promise<void> {
  await Promise.all([...pools.values()].map((pool) => pool.close()));
}

/** How full each pool is. A database's replicas are listed after its primary. */
export const levelsOf = (pools: Pools): readonly PoolLevel[] =>
  [...pools].flatMap(([database, pool]) =>
    [pool, ...pool.replicas].flatMap((server, nth) =>
      Object.entries(server.usage()).map(([name, usage]) => {
        return { database, pool: nth === 0 ? name : `${name} of replica ${nth}`, ...usage };
      }),
    ),
  );

/**
 * The pools for a new configuration. A pool whose settings have not changed is kept.
 * @returns `pools`: all; `fresh`: the newly opened ones among them; `dropped`: old ones to close when no call uses them any more
 */
export async function replacePools(
  pools: Pools,
  before: Settings,
  next: Settings,
): Promise<Record<'pools' | 'fresh' | 'dropped', Pools>> {
  const settingsOfPool = ({ databases, limits }: Settings, name: string) => [
    databases.get(name),
    limits.dumpsPerDatabase,
    limits.dumpTimeout,
    limits.aggregatesPerDatabase,
    limits.aggregateBudget,
  ];
  const isKept = (name: string) => isDeepStrictEqual(settingsOfPool(before, name), settingsOfPool(next, name));
  const kept = [...pools].filter(([name]) => isKept(name));
  const databases = new Map([...next.databases].filter(([name]) => !isKept(name)));
  const fresh = await openPools({ ...next, databases });
  return {
    pools: new Map([...kept, ...fresh]),
    fresh,
    dropped: new Map([...pools].filter(([name]) => !isKept(name))),
  };
}

async function openPool(settings: DatabaseSettings, limits: PoolLimits, readOnly: boolean): Promise<Database> {
  const { name, replicas } = settings;
  // A replica has its primary's settings, but its own connections.
  const replicaPools = replicas.map(async (connection, nth) => {
    if ('directory' in settings) throw new Error('an embedded database has no replicas');
    const own = { ...settings, name: replicaName(name, nth), connection };
    return new Database(optionsOf(own, await driverOf(own), limits, { readOnly, isReplica: true }, []));
  });
  const kind = { readOnly, isReplica: false };
  return new Database(optionsOf(settings, await driverOf(settings), limits, kind, await Promise.all(replicaPools)));
}

/** For example `erp replica 1`. */
const replicaName = (database: string, nth: number): string => `${database} replica ${nth + 1}`;

function optionsOf(
  { name, client, statementTimeout, pool }: DatabaseSettings,
  driver: Driver,
  limits: PoolLimits,
  { readOnly, isReplica }: { readonly readOnly: boolean; readonly isReplica: boolean },
  replicas: readonly Database[],
): DatabaseOptions {
  const family = dialects[client];
  return {
    ...{ name, driver, ...pool, statementTimeout, replicas },
    dumps: { max: limits.dumpsPerDatabase, timeout: limits.dumpTimeout },
    aggregates: { max: limits.aggregatesPerDatabase, timeout: maxAttempts * limits.aggregateBudget },
    // Identify the server in every new session: it may have been upgraded, or another server may have taken over the address in a failover.
    async initSession(run, setup, use, isShared) {
      // Through a pooler, other applications would run with our session settings.
      if (await isShared()) throw new SharedSession(`${name} is a pooler`);
      const server = family.server(await run(family.serverQuery));
      const dialect = family.dialect(server);
      for (const text of dialect.sessionSetup(use)) await setup(text);
      if (readOnly) await setup(dialect.readOnlySetup);
      if (isReplica) await setup(dialect.replicaSetup);
    },
  };
}

type PoolLimits = Pick<
  Settings['limits'],
  'dumpsPerDatabase' | 'dumpTimeout' | 'aggregatesPerDatabase' | 'aggregateBudget'
>;

/** Opens a read-only pool without replicas, for a login other than the database's own, or a database that is not configured yet. */
export const openReadOnlyPool = (settings: DatabaseSettings): Promise<Database> =>
  openPool(
    { ...settings, replicas: [] },
    { dumpsPerDatabase: 1, dumpTimeout: settings.statementTimeout, aggregatesPerDatabase: 1, aggregateBudget: 0 },
    true,
  );

function driverOf(settings: DatabaseSettings): Promise<Driver> {
  if ('directory' in settings) return drivers[settings.client](settings.directory);
  return drivers[settings.client](settings.connection);
}
