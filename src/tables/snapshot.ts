/** Reads the databases: which configured tables exist, and what the resources show of them. */
import { indexed } from '../cache/invalidation.ts';
import type { Database as DatabaseSettings, ResourceSettings, Settings } from '../config/assemble.ts';
import { complaintLines, type Finding, type Positions } from '../config/complaints.ts';
import * as dialects from '../dialects/index.ts';
import { identifyServer, readCatalog } from '../execute/catalog.ts';
import { chooseCommitMarker } from '../execute/choose-commit-marker.ts';
import type { Database } from '../execute/connection/database.ts';
import { outageOf } from '../execute/connection/outage.ts';
import { SharedSession } from '../execute/connection/session.ts';
import type { Catalog, Outage, Server } from '../model/catalog.ts';
import type { CommitMarkerSource } from '../model/commit-marker.ts';
import { outageText } from '../servers/outage-text.ts';
import type { Pools } from '../servers/pools.ts';
import { bind, isNamed, tableOf } from './bind.ts';
import { withoutMilliseconds } from './compat.ts';
import { complaintsOfMissingFeed, readFeed } from './feeds.ts';
import { complaintsOfUnsharedCaches } from './other-gateways.ts';
import { complaintsOfReferences } from './references.ts';
import type { Absent, DatabaseSnapshot } from './served.ts';
import { writeDialectOf } from './write-values.ts';

/** Reads all databases concurrently. */
export async function readDatabases(settings: Settings, pools: Pools): Promise<ReadonlyMap<string, DatabaseSnapshot>> {
  const snapshots = await Promise.all([...pools].map(([name, pool]) => readDatabase(settings, name, pool)));
  return new Map(snapshots.map((snapshot) => [snapshot.name, snapshot]));
}

/**
 * Connects to a database, reads its configured tables and binds the resources to them. Never throws: a mismatch becomes a
 * complaint, a failed connection becomes `connectError`.
 */
export async function readDatabase(settings: Settings, name: string, database: Database): Promise<DatabaseSnapshot> {
  const readAt = performance.now();
  const resources = [...settings.resources.values()].filter((resource) => resource.database === name);
  try {
    return { name, readAt, ...(await readTables(settings, name, database, resources)) };
  } catch (cause) {
    return {
      name,
      connected: null,
      connectError: { why: whyUnavailable(settings, name, cause), cause },
      tables: new Map(resources.map((resource) => [resource.name, 'unreachable'])),
      complaints: [],
      warnings: [],
      denials: [],
      catalog: null,
      effects: null,
      server: null,
      fingerprint: '',
      definitions: '',
      readAt,
    };
  }
}

/** Reads a database that can be reached. */
async function readTables(
  settings: Settings,
  name: string,
  database: Database,
  resources: readonly ResourceSettings[],
): Promise<Omit<DatabaseSnapshot, 'name' | 'readAt'>> {
  const own = settingsOf(settings, name);
  const family = dialects[own.client];
  const server = await identifyServer(database, family);
  const dialect = family.dialect(server);
  const relations = resources.map(({ schema, table }) => ({ schema, name: table }));
  const read = await readCatalog(database, dialect, relations);
  const commitMarker = needsCommitMarker(settings, name) ? await chooseCommitMarker(database, dialect) : null;
  const feed = await readFeed(own, { database, dialect, family, commitMarker });
  const writeDialect = writeDialectOf(dialect, server.maxStatementBytes ?? 16_000_000, settings.limits.responseBytes);
  const catalog = settings.server.compat === '2.11' ? withoutMilliseconds(read) : read;
  const bound = resources.map((resource) => ({ resource, ...bind(resource, catalog) }));
  return {
    connected: { database, dialect, server, writeDialect, commitMarker, feed },
    connectError: null,
    tables: new Map(bound.map(({ resource, table }) => [resource.name, table ?? whyAbsent(catalog, resource)])),
    complaints: [...bound.flatMap((it) => it.complaints), ...complaintsOfMissingFeed(own, feed)],
    warnings: [
      ...bound.flatMap((it) => it.warnings),
      ...warningWithoutMarker(settings, name, commitMarker, catalog.user),
      ...strangers(name, catalog),
      ...withoutEncoding(name, server),
    ],
    denials: bound.flatMap((it) => it.denials),
    catalog,
    effects: indexed(read.effects),
    server: JSON.stringify(server),
    fingerprint: fingerprintOf([catalog.tables, catalog.effects, commitMarker?.name, feed]),
    definitions: JSON.stringify(catalog.tables.map(({ definition }) => definition)),
  };
}

const whyAbsent = (catalog: Catalog, resource: ResourceSettings): Absent =>
  tableOf(catalog, resource) !== undefined ? 'unfit' : isNamed(catalog, resource) ? 'broken' : 'missing';

/** A text that is equal for equal catalogues, apart from the definitions of tables. */
function fingerprintOf(parts: readonly unknown[]): string {
  return JSON.stringify(parts, (key, value) => {
    if (key === 'definition') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });
}

/** Whether we need a commit marker: `maxStaleness` is set, and at least one resource of this database is cached. */
const needsCommitMarker = ({ databases, resources }: Settings, name: string): boolean =>
  (databases.get(name)?.maxStaleness ?? null) !== null &&
  [...resources.values()].some(({ database, cache }) => database === name && cache.ttl > 0);

/** Warns if a server shows no commit marker: then we cannot guarantee `maxStaleness`. */
function warningWithoutMarker(
  settings: Settings,
  name: string,
  commitMarker: CommitMarkerSource | null,
  user: string,
): readonly Finding[] {
  if (commitMarker !== null || !needsCommitMarker(settings, name)) return [];
  const says = `should be none: the server shows ${user} nothing that changes with every commit, so what others write is seen after the ttl of the cache (docs/caching.md says what a server needs)`;
  return [{ path: ['databases', name, 'maxStaleness'], says }];
}

/** Warns about roles that can create functions which the server might call in place of its built-in ones. */
function strangers(database: string, { creators, user }: Catalog): readonly Finding[] {
  return creators.map(({ schema, role }) => ({
    path: ['databases', database],
    says: `lets ${role} create functions and operators in the schema ${schema}, which the server may run with the rights of ${user} in place of its own (CVE-2018-1058): REVOKE CREATE ON SCHEMA ${schema} FROM ${role}`,
  }));
}

/** Warns about a database that accepts any bytes as text: a record that is not UTF-8 makes every search that shows it fail. */
function withoutEncoding(database: string, { encoding }: Server): readonly Finding[] {
  if (encoding?.name !== 'SQL_ASCII') return [];
  const says =
    'has the encoding SQL_ASCII, which does not check texts: a search that shows a record with bytes other than UTF-8 is refused, and case is folded for A to Z only';
  return [{ path: ['databases', database], says }];
}

function settingsOf({ databases }: Settings, name: string): DatabaseSettings {
  const database = databases.get(name);
  if (database === undefined) throw new Error('not configured');
  return database;
}

/** The finding about a database that cannot be used. */
export const unusable = ({ name, connectError }: DatabaseSnapshot): readonly Finding[] =>
  connectError === null
    ? []
    : [
        {
          path: ['databases', name],
          says: `cannot be used: ${connectError.why}; its resources are not checked`,
        },
      ];

/** The complaints that forbid serving, one per line. */
export function complaintsOf(
  { settings, positions }: { readonly settings: Settings; readonly positions: Positions },
  snapshots: ReadonlyMap<string, DatabaseSnapshot>,
): readonly string[] {
  const read = [...snapshots.values()];
  // An outage does not forbid serving, because the server may come back. A pooler does, because it will not go away on its own.
  const poolers = read.filter(({ connectError }) => connectError?.cause instanceof SharedSession).map(unusable);
  const all = [
    ...read.map(({ complaints }) => complaints),
    ...poolers,
    complaintsOfUnsharedCaches(settings, snapshots),
    complaintsOfReferences(settings, snapshots),
  ];
  return all.flatMap((complaints) => complaintLines(complaints, positions));
}

/**
 * Why a database cannot be used, in a sentence.
 * @param names whether the sentence may name the user and the database
 */
export function whyUnavailable(
  { databases }: Pick<Settings, 'databases'>,
  name: string,
  cause: unknown,
  names = true,
): string {
  const database = databases.get(name);
  const outage = outageIn({ databases }, name, cause);
  return database === undefined || outage === null ? 'it is not configured' : outageText(outage, database, names);
}

/** Why a database cannot be used; null if it is not configured. */
export function outageIn({ databases }: Pick<Settings, 'databases'>, name: string, cause: unknown): Outage | null {
  const database = databases.get(name);
  return database === undefined ? null : outageOf(cause, dialects[database.client].outage);
}
