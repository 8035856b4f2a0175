/** The composition root: the only place that makes things. */
import { createHash } from 'node:crypto';
import type { Dialect } from '../dialects/dialect.ts';
import * as dialects from '../dialects/index.ts';
import { meet, readCatalog } from '../execute/catalog.ts';
import { type Database, openDatabase } from '../execute/database.ts';
import * as drivers from '../execute/drivers/index.ts';
import type { Driver } from '../execute/session.ts';
import type { Resource } from '../plan.ts';
import type { Emit } from '../watch/events.ts';
import type { Database as DatabaseSettings, Settings } from './assemble.ts';
import { bind } from './bind.ts';
import type { Finding } from './complaints.ts';

/** A database that was reached, with the dialect its server speaks. */
export interface Connected {
  readonly database: Database;
  readonly dialect: Dialect;
  /** As the server says it. */
  readonly version: string;
  readonly maxStatementBytes: number;
}

/** Everything one call needs, as one value that never changes: a call takes it once (design part 2). */
export interface Gateway {
  readonly settings: Settings;
  /** By id and by alias. `unreachable`: configured, but its database has not been reached and checked yet. */
  readonly resources: ReadonlyMap<string, Resource | 'unreachable'>;
  readonly connected: ReadonlyMap<string, Connected>;
  /** Names of the databases that could not be reached, with the reason for the log. */
  readonly unreachable: ReadonlyMap<string, unknown>;
  readonly complaints: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly emit: Emit;
  readonly random: () => number;
  hash(token: string): string;
}

/** Pools of connections, by database. They outlive a `Gateway`: a rebuilt one takes them over. */
export type Pools = ReadonlyMap<string, Database>;

export function openPools(settings: Settings): Pools {
  return new Map([...settings.databases].map(([name, database]) => [name, openPool(name, database)]));
}

export async function closePools(pools: Pools): Promise<void> {
  await Promise.all([...pools.values()].map((pool) => pool.close()));
}

/**
 * Reaches every database, reads what the configured tables look like and binds the resources to them. Never throws: what
 * disagrees is a complaint, what cannot be reached is listed and its resources answer 503.
 */
export async function buildGateway(settings: Settings, pools: Pools, emit: Emit): Promise<Gateway> {
  const complaints: Finding[] = [];
  const warnings: Finding[] = [];
  const resources = new Map<string, Resource | 'unreachable'>();
  const connected = new Map<string, Connected>();
  const unreachable = new Map<string, unknown>();

  await Promise.all(
    [...pools].map(async ([name, database]) => {
      const configured = settings.databases.get(name);
      const mine = [...settings.resources.values()].filter((resource) => resource.database === name);
      const serve = (id: string, aliases: readonly string[], resource: Resource | 'unreachable') => {
        for (const known of [id, ...aliases]) resources.set(known, resource);
      };
      if (configured === undefined) return;
      const family = dialects[configured.client];
      try {
        const server = await meet(database, family);
        const dialect = family.dialect(server);
        const catalog = await readCatalog(
          database,
          dialect,
          mine.map(({ schema, table }) => ({ schema, name: table })),
        );
        connected.set(name, {
          database,
          dialect,
          version: server.versionText,
          maxStatementBytes: server.maxStatementBytes ?? 16_000_000,
        });
        for (const resource of mine) {
          const bound = bind(resource, catalog);
          complaints.push(...bound.complaints);
          warnings.push(...bound.warnings);
          if (bound.resource !== null) serve(resource.name, resource.aliases, bound.resource);
        }
      } catch (error) {
        unreachable.set(name, error);
        for (const resource of mine) serve(resource.name, resource.aliases, 'unreachable');
      }
    }),
  );
  return {
    settings,
    resources,
    connected,
    unreachable,
    complaints,
    warnings,
    emit,
    random: Math.random,
    hash: (token) => createHash('sha256').update(token).digest('hex'),
  };
}

function openPool(name: string, settings: DatabaseSettings): Database {
  const family = dialects[settings.client];
  const { statementTimeout, max, acquireTimeout } =
    settings.client === 'pglite'
      ? { statementTimeout: 60_000, max: 1, acquireTimeout: 30_000 }
      : { statementTimeout: settings.statementTimeout, ...settings.pool };
  return openDatabase({
    name,
    driver: driverOf(settings),
    max,
    acquireTimeout,
    statementTimeout,
    // A server may be upgraded or fail over behind its address: every session asks anew what it talks to.
    async greet(run, setup) {
      const server = family.server(await run(family.serverQuery));
      for (const text of family.dialect(server).sessionSetup(statementTimeout)) await setup(text);
    },
  });
}

function driverOf(settings: DatabaseSettings): Driver {
  if (settings.client === 'pglite') return drivers.pglite(settings.directory);
  return drivers[settings.client](settings.connection);
}
