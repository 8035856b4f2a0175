import { isDeepStrictEqual } from 'node:util';
import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import * as dialects from '../dialects/index.ts';
import { mostAttempts } from '../execute/aggregate.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../execute/connection/database.ts';
import { type Driver, SharedSession } from '../execute/connection/session.ts';
import * as drivers from '../execute/drivers/index.ts';
import type { PoolLevel } from '../watch/levels.ts';

/** Connection pools by database. They outlive a `Gateway`: a rebuilt one takes them over. */
export type Pools = ReadonlyMap<string, Database>;

/** @param readOnly whether their sessions can change nothing */
export async function openPools({ databases, limits }: Settings, readOnly = false): Promise<Pools> {
  const opened = [...databases.values()].map(
    async (database) => [database.name, await openPool(database, limits, readOnly)] as const,
  );
  return new Map(await Promise.all(opened));
}

/** Pools whose sessions can change nothing. */
export const openReadOnlyPools = (settings: Settings): Promise<Pools> => openPools(settings, true);

export async function closePools(pools: Pools): Promise<void> {
  await Promise.all([...pools.values()].map((pool) => pool.close()));
}

/** How full each pool is, those of replicas after their primary's. */
export const levelsOf = (pools: Pools): readonly PoolLevel[] =>
  [...pools].flatMap(([database, pool]) =>
    [pool, ...pool.replicas].flatMap((server, nth) =>
      Object.entries(server.usage()).map(([name, usage]) => {
        return { database, pool: nth === 0 ? name : `${name} of replica ${nth}`, ...usage };
      }),
    ),
  );

/**
 * The pools of another configuration. Those whose settings are equal are taken over.
 * @returns `fresh`: the new ones among `pools`; `dropped`: those to close once no call uses them
 */
export async function replacePools(
  pools: Pools,
  before: Settings,
  next: Settings,
): Promise<Record<'pools' | 'fresh' | 'dropped', Pools>> {
  const deciding = ({ databases, limits }: Settings, name: string) => [
    databases.get(name),
    limits.dumpsPerDatabase,
    limits.dumpTimeout,
    limits.aggregatesPerDatabase,
    limits.aggregateBudget,
  ];
  const isKept = (name: string) => isDeepStrictEqual(deciding(before, name), deciding(next, name));
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
  // A replica has the settings of its primary, and connections of its own.
  const others = replicas.map(async (connection, nth) => {
    if ('directory' in settings) throw new Error('an embedded database has no replicas');
    const of = { ...settings, name: replicaName(name, nth), connection };
    return openDatabase(optionsOf(of, await driverOf(of), limits, { readOnly, isReplica: true }, []));
  });
  const kind = { readOnly, isReplica: false };
  return openDatabase(optionsOf(settings, await driverOf(settings), limits, kind, await Promise.all(others)));
}

/** `erp replica 1`. */
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
    aggregates: { max: limits.aggregatesPerDatabase, timeout: mostAttempts * limits.aggregateBudget },
    // A server may be upgraded or fail over behind its address: every session identifies its server again.
    async initSession(run, setup, use, isShared) {
      // Its settings would stay in sessions of the applications.
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

/** A pool whose sessions can change nothing, without replicas: for a login beside that of the database, or before it is configured. */
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
