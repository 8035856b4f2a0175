/** Turns parsed settings into the form that the gateway uses: maps instead of objects, defaults filled in from other settings. */
import { resolve } from 'node:path';
import type { RowTemplate } from '../model/claim.ts';
import { type Connection, type EmbeddedClient, engineOf, type ServerClient } from '../model/engines.ts';
import type { Grant, Rights } from '../model/http.ts';
import type { Identity, Metadata } from '../model/metadata.ts';
import type { JsonObject } from '../model/value.ts';
import { urlOf } from '../values/http-url.ts';
import type { Path } from './complaints.ts';
import { identitiesIn } from './identities.ts';
import type { Layer } from './layers.ts';
import { metadataIn } from './metadata.ts';
import type { Written } from './settings.ts';

type Fixed<T> = T extends readonly (infer U)[]
  ? number extends T['length']
    ? readonly Fixed<U>[]
    : Readonly<T>
  : T extends object
    ? { readonly [K in keyof T]: Fixed<T[K]> }
    : T;

type WrittenServer = Extract<Written['databases'][string], { client: ServerClient }>;
type WrittenResource = Written['resources'][string];

/** All settings, with defaults filled in. Durations are milliseconds, sizes are bytes. */
export interface Settings
  extends Fixed<Omit<Written, 'server' | 'databases' | 'resources' | 'auth' | 'tokens' | 'explorer'>> {
  readonly explorer: Fixed<Omit<Written['explorer'], 'map'>> & { readonly map: MapSettings };
  readonly server: Fixed<Omit<Written['server'], 'siteUrl'>> & { readonly siteUrl: string };
  readonly databases: ReadonlyMap<string, Database>;
  readonly resources: ReadonlyMap<string, ResourceSettings>;
  readonly auth: { readonly jwt: readonly IssuerSettings[] };
  readonly tokens: readonly TokenSettings[];
}

/** What the explorer's map shows besides land. */
export interface MapSettings extends Fixed<Omit<Written['explorer']['map'], 'layers'>> {
  readonly layers: readonly Layer[];
}

export type Database = ServerDatabase | EmbeddedDatabase;
interface Sessions extends Fixed<Omit<WrittenServer, 'client' | 'connection' | 'feedConnection' | 'replicas'>> {
  readonly name: string;
  /** The connections to its read replicas, in the order of the file. */
  readonly replicas: readonly Connection[];
}
export interface ServerDatabase extends Sessions {
  readonly client: ServerClient;
  readonly connection: Connection;
  /** The connection that reads the log; null to use the database's own connection. */
  readonly feedConnection: Connection | null;
}
export interface EmbeddedDatabase extends Sessions {
  readonly client: EmbeddedClient;
  /** An absolute path; null for a database in memory. */
  readonly directory: string | null;
}

export interface ResourceSettings extends Fixed<Omit<WrittenResource, 'title' | 'columns' | 'cache' | 'where'>> {
  /** The id of the resource in the API. (`id` is the column shown as `_id`.) */
  readonly name: string;
  readonly title: string;
  readonly columns: ReadonlyMap<string, ColumnSettings>;
  /** With what it inherits from its dataset and the catalogue. */
  readonly metadata: Metadata;
  readonly identity: Identity;
  /** The filter for the resource's rows; null for every row. */
  readonly where: RowTemplate | null;
  /** The row filters that tokens and grants have for this resource. */
  readonly callerFilters: readonly CallerFilter[];
  /** Both in milliseconds. */
  readonly cache: { readonly ttl: number; readonly maxAge: number };
}
/** A row filter that applies only to some callers. */
export interface CallerFilter {
  /** The callers' display name: `token bern`, or `staff` for an issuer of JWTs. */
  readonly callers: string;
  /** The filter's place in the file. */
  readonly path: Path;
  readonly where: RowTemplate;
}
/** The settings of one column. */
export type ColumnSettings = Fixed<WrittenResource['columns'][string]>;

export interface TokenSettings {
  readonly name: string;
  /** The SHA-256 of the token, in lower-case hex. */
  readonly sha256: string;
  readonly read: Rights;
  readonly write: Rights;
  /** Row filters, by resource id. They narrow what `resources.X.where` leaves. */
  readonly where: ReadonlyMap<string, RowTemplate>;
  /** The values that claims in filters get. */
  readonly claims: JsonObject;
  /** Always infinity: a token in the file never expires. */
  readonly until: number;
}

/** An issuer of JWTs. */
export interface IssuerSettings extends Fixed<Omit<Written['auth']['jwt'][number], 'grants'>> {
  readonly grants: readonly Grant[];
}

/** The connections that the file defines, and the contents of other files that it names. */
export interface Defined {
  /** The databases' connections, by database name. Embedded databases have none. */
  readonly connections: ReadonlyMap<string, Connection>;
  /** The connections that read the databases' logs, by database name. Only databases with a separate `feedConnection` have one. */
  readonly feeds: ReadonlyMap<string, Connection>;
  /** The connections to the databases' read replicas, by database name. */
  readonly replicas: ReadonlyMap<string, readonly Connection[]>;
  /** The layers of the explorer's map. */
  readonly layers: readonly Layer[];
}

/**
 * Assembles the settings.
 * @param written settings that have passed every check
 * @param folder the folder that relative paths start from
 */
export function assemble(written: Written, defined: Defined, folder: string): Settings {
  const { connections, feeds, replicas, layers } = defined;
  const { server, cache, explorer } = written;
  const siteUrl = (server.siteUrl ?? urlOf(server)).replace(/\/$/, '');
  const metadataOf = metadataIn(written);
  const identityOf = identitiesIn(siteUrl + server.basePath, written.datasets);
  const databases = Object.entries(written.databases).flatMap(
    ([name, database]): readonly (readonly [string, Database])[] => {
      if ('directory' in database) {
        const directory = database.directory === null ? null : resolve(folder, database.directory);
        return [[name, { ...oneSession, ...database, name, directory }]];
      }
      const connection = connections.get(name);
      const others = { feedConnection: feeds.get(name) ?? null, replicas: replicas.get(name) ?? [] };
      return connection === undefined ? [] : [[name, { ...database, name, connection, ...others }]];
    },
  );
  const resources = Object.entries(written.resources).map(([name, resource]) => {
    const defaultSchema = engineOf(written.databases[resource.database]?.client)?.schema ?? null;
    const settings: ResourceSettings = {
      ...resource,
      name,
      schema: defaultSchema === null ? null : (resource.schema ?? defaultSchema),
      title: resource.title ?? resource.table,
      columns: new Map(Object.entries(resource.columns)),
      metadata: metadataOf(name),
      identity: identityOf(name),
      callerFilters: callerFilters(written, name),
      cache: { ttl: resource.cache.ttl ?? cache.ttl, maxAge: resource.cache.maxAge ?? cache.maxAge },
    };
    return [name, settings] as const;
  });
  return {
    ...written,
    server: { ...server, siteUrl },
    explorer: { ...explorer, map: { ...explorer.map, layers } },
    databases: new Map(databases),
    resources: new Map(resources),
    auth: {
      jwt: written.auth.jwt.map((issuer) => ({
        ...issuer,
        grants: issuer.grants.map((grant) => ({ when: new Map(Object.entries(grant.when)), ...rightsOf(grant) })),
      })),
    },
    tokens: written.tokens.map((token) => ({
      name: token.name,
      sha256: token.sha256.toLowerCase(),
      ...rightsOf(token),
      claims: token.claims,
      until: Number.POSITIVE_INFINITY,
    })),
  };
}

/** Fixed values for settings that an embedded database lacks: it has a single session, and no other program writes to it. */
const oneSession = {
  pool: { max: 1, acquireTimeout: 30_000 },
  statementTimeout: 60_000,
  maxStaleness: null,
  feed: 'none' as const,
  refresh: 0,
  replicas: [],
};

/** The row filters that tokens and grants have for a resource. */
const callerFilters = ({ tokens, auth }: Written, id: string): readonly CallerFilter[] =>
  [
    ...tokens.map(({ name, where }, nth) => ({ callers: `token ${name}`, path: ['tokens', nth], where })),
    ...auth.jwt.flatMap(({ name, grants }, nth) =>
      grants.map(({ where }, at) => ({ callers: name, path: ['auth', 'jwt', nth, 'grants', at], where })),
    ),
  ].flatMap(({ callers, path, where: { [id]: filter } }) =>
    filter === undefined ? [] : [{ callers, path: [...path, 'where', id], where: filter }],
  );

const rightsOf = ({ read, write, where }: Pick<Written['tokens'][number], 'read' | 'write' | 'where'>) => ({
  read: rights(read),
  write: rights(write),
  where: new Map(Object.entries(where)),
});

const rights = (names: readonly string[]): Rights => (names.includes('*') ? 'all' : new Set(names));
