/** From written settings to the gateway's settings: names inside, maps, and defaults taken from other settings. */
import { resolve } from 'node:path';
import { type Connection, type EmbeddedClient, engineOf, type ServerClient } from '../model/engines.ts';
import type { Rights } from '../model/http.ts';
import { urlOf } from '../values/http-url.ts';
import type { Written } from './settings.ts';

type Fixed<T> = T extends readonly (infer U)[]
  ? readonly Fixed<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Fixed<T[K]> }
    : T;

type WrittenServer = Extract<Written['databases'][string], { client: ServerClient }>;
type WrittenResource = Written['resources'][string];

/** All settings, with defaults filled in. Durations are milliseconds, sizes are bytes. */
export interface Settings extends Fixed<Omit<Written, 'server' | 'databases' | 'resources' | 'tokens'>> {
  readonly server: Fixed<Omit<Written['server'], 'siteUrl'>> & { readonly siteUrl: string };
  readonly databases: ReadonlyMap<string, Database>;
  readonly resources: ReadonlyMap<string, ResourceSettings>;
  readonly tokens: readonly TokenSettings[];
}

export type Database = ServerDatabase | EmbeddedDatabase;
interface Sessions extends Fixed<Omit<WrittenServer, 'client' | 'connection' | 'feedConnection' | 'replicas'>> {
  readonly name: string;
  /** Those of its read replicas, in the order of the file. */
  readonly replicas: readonly Connection[];
}
export interface ServerDatabase extends Sessions {
  readonly client: ServerClient;
  readonly connection: Connection;
  /** Null: the same. */
  readonly feedConnection: Connection | null;
}
export interface EmbeddedDatabase extends Sessions {
  readonly client: EmbeddedClient;
  /** An absolute path; null: in memory. */
  readonly directory: string | null;
}

export interface ResourceSettings extends Fixed<Omit<WrittenResource, 'title' | 'columns' | 'cache'>> {
  /** Its id in the API. (`id` is the column shown as `_id`.) */
  readonly name: string;
  readonly title: string;
  readonly columns: ReadonlyMap<string, ColumnSettings>;
  /** Milliseconds. */
  readonly cache: { readonly ttl: number; readonly maxAge: number };
}
/** The settings of a column, by its name in the table. */
export type ColumnSettings = Fixed<WrittenResource['columns'][string]>;

export interface TokenSettings {
  readonly name: string;
  /** Of the token's text, in lower case. */
  readonly sha256: string;
  readonly read: Rights;
  readonly write: Rights;
}

/** What the file says of other servers. */
export interface Connections {
  /** Of the databases that are servers, by name. */
  readonly connections: ReadonlyMap<string, Connection>;
  /** Those for reading their logs, by name. */
  readonly feeds: ReadonlyMap<string, Connection>;
  /** Those of their read replicas, by name. */
  readonly replicas: ReadonlyMap<string, readonly Connection[]>;
}

/**
 * @param written has passed every check
 * @param folder that relative paths start from
 */
export function assemble(written: Written, said: Connections, folder: string): Settings {
  const { connections, feeds, replicas } = said;
  const { server, cache } = written;
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
    const preset = engineOf(written.databases[resource.database]?.client)?.schema ?? null;
    const settings: ResourceSettings = {
      ...resource,
      name,
      schema: preset === null ? null : (resource.schema ?? preset),
      title: resource.title ?? resource.table,
      columns: new Map(Object.entries(resource.columns)),
      cache: { ttl: resource.cache.ttl ?? cache.ttl, maxAge: resource.cache.maxAge ?? cache.maxAge },
    };
    return [name, settings] as const;
  });
  return {
    ...written,
    server: { ...server, siteUrl: (server.siteUrl ?? urlOf(server)).replace(/\/$/, '') },
    databases: new Map(databases),
    resources: new Map(resources),
    tokens: written.tokens.map((token) => ({
      name: token.name,
      sha256: token.sha256.toLowerCase(),
      read: rights(token.read),
      write: rights(token.write),
    })),
  };
}

/** An embedded database has one session and no server that ends its statements. No other program changes its tables. */
const oneSession = {
  pool: { max: 1, acquireTimeout: 30_000 },
  statementTimeout: 60_000,
  maxStaleness: null,
  feed: 'none' as const,
  refresh: 0,
  replicas: [],
};

const rights = (names: readonly string[]): Rights => (names.includes('*') ? 'all' : new Set(names));
