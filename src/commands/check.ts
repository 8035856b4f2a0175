import type { RuleName } from '../advise/facts.ts';
import type { Settings } from '../config/assemble.ts';
import type { Finding, Positions } from '../config/complaints.ts';
import { unencrypted } from '../config/encryption.ts';
import { NoCommitMarker } from '../execute/connection/sampler.ts';
import type { CatalogTable, SurveyedTable } from '../model/catalog.ts';
import { engineOf } from '../model/engines.ts';
import { type CheckedReplica, checkReplicas, replicaWarnings } from '../replicas/replica-check.ts';
import { closePools, openReadOnlyPools, type Pools } from '../servers/pools.ts';
import {
  exposureOf,
  tableIn,
  unlisted,
  warningOfUnlisted,
  warningsOfNumbers,
  warningsOfSecrets,
} from '../tables/exposure.ts';
import { complaintsOfUnsharedCaches } from '../tables/other-gateways.ts';
import { complaintsOfReferences } from '../tables/references.ts';
import { resolveAll, whyUnnoticed } from '../tables/resolve.ts';
import type { DatabaseSnapshot, Resolved } from '../tables/served.ts';
import { readDatabases, unusable, whyUnavailable } from '../tables/snapshot.ts';
import { listTables } from '../tables/survey.ts';
import { warningOfUndescribed } from '../tables/undescribed.ts';
import { inTurn } from '../values/in-turn.ts';
import { adviseOn } from './advice/advice.ts';
import { asJson, asLines, type CheckReport } from './check-report.ts';
import { reportShadows } from './shadow-report.ts';

export interface CheckOptions {
  /** List the tables and columns that are exposed, and those that are not. */
  readonly list: boolean;
  /** Print one JSON document instead of lines. */
  readonly json: boolean;
  /** Advise how to make the configuration faster or safer. */
  readonly advise: boolean;
  /** The only rule to advise on; null for all rules. */
  readonly only: RuleName | null;
}

/**
 * Checks a configuration against its databases, as `serve` does before it listens. The sessions are read-only.
 * @param options null to report only the findings that `serve` reports
 * @returns whether the configuration can be served; warnings and advice do not count
 */
export async function check(
  settings: Settings,
  positions: Positions,
  print: (line: string) => void,
  options: CheckOptions | null = null,
): Promise<boolean> {
  const pools = await openReadOnlyPools(settings);
  try {
    const report = await reportOn(settings, pools, options);
    if (options?.json === true) print(asJson(report, positions));
    else for (const line of asLines(report, positions, options?.list === true)) print(line);
    return report.errors.length === 0;
  } finally {
    await closePools(pools);
  }
}

async function reportOn(settings: Settings, pools: Pools, options: CheckOptions | null): Promise<CheckReport> {
  const snapshots = await readDatabases(settings, pools);
  const databases = [...snapshots.values()];
  const { resources } = resolveAll(settings, snapshots);
  const resourcesOf = (name: string) => resources.filter((one) => one.settings.database === name);
  const catalogTableOf = (resource: Resolved) => {
    const snapshot = snapshots.get(resource.settings.database);
    return snapshot === undefined ? null : tableIn(resource.settings, snapshot);
  };
  const replicas = await byDatabase(databases, (one) => checkReplicas(settings, one));
  const replicasOf = (name: string) => replicas.get(name) ?? [];
  const listed = await byDatabase(options === null ? [] : databases, (one) => list(settings, one));
  const tables = new Map([...listed].flatMap(([name, one]) => ('all' in one ? [[name, one.all] as const] : [])));
  const notInFile = [...tables].map(([name, all]) => {
    const schema = engineOf(settings.databases.get(name)?.client)?.schema ?? null;
    return unlisted(name, all, settings, schema);
  });
  const serveWarnings = await byDatabase(databases, (one) =>
    warningsOfServe(settings, one, resourcesOf(one.name), snapshots, replicasOf(one.name)),
  );
  const warnings = databases.flatMap(({ name }): readonly Finding[] => {
    const ofServe = serveWarnings.get(name) ?? [];
    if (options === null) return ofServe;
    const own = resourcesOf(name);
    return [
      ...ofServe,
      ...own.flatMap((one) => warningsOfSecrets(one, catalogTableOf(one))),
      ...own.flatMap(warningsOfNumbers),
      ...notInFile.filter((one) => one.database === name).flatMap(warningOfUnlisted),
      ...unlistable(name, listed.get(name)),
    ];
  });
  const adviceReport =
    options?.advise === true ? await adviseOn({ settings, snapshots, resources, tables }, options.only) : null;
  return {
    databases: databases.map(({ name, connected }) => ({
      ...{ name, connected },
      maxStaleness: settings.databases.get(name)?.maxStaleness ?? null,
      replicas: replicasOf(name),
    })),
    resources: resources.map((one) => exposureOf(one, catalogTableOf(one))),
    notInFile,
    shadows: options === null ? [] : await reportShadows(settings),
    errors: [
      ...databases.flatMap(unusable),
      ...databases.flatMap((one) => [...one.complaints, ...one.denials]),
      ...(await inTurn(resources, (one) => unreadable(one, catalogTableOf(one)))).flat(),
      ...complaintsOfUnsharedCaches(settings, snapshots),
      ...complaintsOfReferences(settings, snapshots),
    ],
    warnings: [
      ...warnings,
      ...withoutFilter(settings),
      ...(options === null ? [] : warningOfUndescribed(settings)),
      ...(adviceReport?.unread ?? []),
    ],
    advice: adviceReport?.advice ?? null,
  };
}

/** Warns about tokens that may read every resource, but have row filters only for some. */
const withoutFilter = ({ tokens }: Settings): readonly Finding[] =>
  tokens.flatMap(({ read, where }, nth) =>
    read === 'all' && where.size > 0
      ? [
          {
            path: ['tokens', nth, 'read'],
            says: 'is "*" beside `where`: a resource that is added later has no filter there',
          },
        ]
      : [],
  );

/** Asks every database the same question, all at once. */
async function byDatabase<T>(
  databases: readonly DatabaseSnapshot[],
  ask: (database: DatabaseSnapshot) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  return new Map(await Promise.all(databases.map(async (one) => [one.name, await ask(one)] as const)));
}

/** The warnings about a database that `serve` reports, too. */
async function warningsOfServe(
  settings: Settings,
  database: DatabaseSnapshot,
  resources: readonly Resolved[],
  snapshots: ReadonlyMap<string, DatabaseSnapshot>,
  replicas: readonly CheckedReplica[],
): Promise<readonly Finding[]> {
  return [
    ...unencrypted(settings).filter(({ path }) => path[1] === database.name),
    ...database.warnings,
    ...unproved(resources),
    ...unnoticed(settings, resources, snapshots),
    ...replicaWarnings(database.name, replicas),
    ...(await unsampledNow(settings, database)),
  ];
}

/** Complains about a view that the catalogue lists but nobody can read: its definer was dropped, or it was never refreshed. */
async function unreadable(
  { id, table, connected }: Resolved,
  catalogTable: CatalogTable | null,
): Promise<readonly Finding[]> {
  if (typeof table === 'string' || connected === null || catalogTable?.kind !== 'view') return [];
  const { database, dialect } = connected;
  try {
    await database.use((session) => session.run(dialect.check(table, table.columns.slice(0, 1))));
  } catch (error) {
    const { kind } = dialect.classifyError(error);
    const path = ['resources', id, 'table'];
    if (kind === 'broken view')
      return [{ path, says: 'is a broken view: a table, column, function or definer that it needs is gone' }];
    if (kind === 'not populated')
      return [{ path, says: 'is not populated, or reads what is not: its owner has to REFRESH MATERIALIZED VIEW' }];
  }
  return [];
}

type Listed = { readonly all: readonly SurveyedTable[] } | { readonly why: string };

async function list(settings: Settings, { name, connected }: DatabaseSnapshot): Promise<Listed> {
  return connected === null ? { all: [] } : listTables(settings, name, connected);
}

function unlistable(name: string, listed: Listed | undefined): readonly Finding[] {
  if (listed === undefined || 'all' in listed) return [];
  return [{ path: ['databases', name], says: `does not list its tables: ${listed.why}` }];
}

/** Warns about tables whose changes by other clients we see only after `ttl`, although the server has a commit marker for its other tables. */
function unnoticed(
  { databases }: Settings,
  resources: readonly Resolved[],
  snapshots: ReadonlyMap<string, DatabaseSnapshot>,
): readonly Finding[] {
  return resources.flatMap(({ id, settings }) => {
    const snapshot = snapshots.get(settings.database);
    const isProvable = databases.get(settings.database)?.maxStaleness !== null && settings.cache.ttl > 0;
    if (!isProvable || snapshot === undefined || snapshot.connected?.commitMarker === null) return [];
    const why = whyUnnoticed(settings, snapshot, snapshots);
    if (why === null) return [];
    const says = `is the only limit for what others write to this table: its server does not show that, because ${why}`;
    return [{ path: ['resources', id, 'cache', 'ttl'], says }];
  });
}

/** Warns about writes that invalidate all cache entries of a server, because the catalogue cannot tell which tables they change. */
function unproved(resources: readonly Resolved[]): readonly Finding[] {
  return resources.flatMap(({ id, access, settings, dependencies }) => {
    const why = dependencies?.unproved ?? null;
    if (why === null || access.write === 'none' || settings.invalidates !== 'all') return [];
    const says = `should list what a write changes beside the table itself; now each makes all kept answers of the server old, because ${why}`;
    return [{ path: ['resources', id, 'invalidates'], says }];
  });
}

/** Warns if a server's commit marker cannot be read right now: no cached answer can be used then. */
async function unsampledNow(settings: Settings, { name, connected }: DatabaseSnapshot): Promise<readonly Finding[]> {
  if (connected === null || connected.commitMarker === null) return [];
  try {
    await connected.database.sampler.sample(connected.commitMarker);
    return [];
  } catch (error) {
    const why = error instanceof NoCommitMarker ? error.message : whyUnavailable(settings, name, error);
    return [{ path: ['databases', name], says: `uses no cached answer now: ${why}` }];
  }
}
