/**
 * The facts about engines that the configuration depends on, so that no code has to compare engine names. SQL is in `dialects/`, protocols
 * are in `execute/drivers/`. Pure.
 */

/** A kind of database: a server, or one that runs in our process. */
interface Engine {
  /** The schema of a table whose resource names none; null if the engine has no schemas. */
  readonly schema: string | null;
}

/** An engine that runs as a server, to which the gateway connects. */
interface ServerEngine extends Engine {
  /** The product's name in messages. */
  readonly product: string;
  /** Another product that speaks the same protocol. */
  readonly also?: string;
  readonly port: number;
  /**
   * How many locks a write may wait for, one after the other, each up to the statement timeout plus two seconds, because MySQL's timeout
   * for whole statements applies to reads only. 0: the timeout applies to writes, too.
   */
  readonly lockWaits: number;
  /** The protocols of a connection URL; examples use the first. */
  readonly protocols: readonly string[];
  /** The parameters of a connection URL, and the TLS mode that each one sets: `unverified` does not check the server's certificate. */
  readonly parameters: Readonly<Record<string, 'verified' | 'unverified' | 'none'>>;
}

const servers = {
  mysql: {
    product: 'MySQL or MariaDB',
    also: 'MariaDB',
    schema: null,
    port: 3306,
    // The metadata lock, then the row lock.
    lockWaits: 2,
    protocols: ['mysql:', 'mariadb:'],
    parameters: {
      'ssl=true': 'verified',
      'ssl=false': 'none',
      'ssl-mode=REQUIRED': 'unverified',
      'ssl-mode=VERIFY_IDENTITY': 'verified',
      'ssl-mode=DISABLED': 'none',
    },
  },
  postgres: {
    product: 'PostgreSQL',
    schema: 'public',
    port: 5432,
    lockWaits: 0,
    protocols: ['postgres:', 'postgresql:'],
    parameters: { 'sslmode=require': 'unverified', 'sslmode=verify-full': 'verified', 'sslmode=disable': 'none' },
  },
} satisfies Readonly<Record<string, ServerEngine>>;

/**
 * Engines that run inside the gateway's process, with a single session. Only one process can open such a database, so no other
 * program changes its tables.
 */
const embedded = {
  pglite: { schema: 'public' },
} satisfies Readonly<Record<string, Engine>>;

export type ServerClient = keyof typeof servers;
export type EmbeddedClient = keyof typeof embedded;

/** The address of a server, and the login. In the configuration, either a URL or a mapping. */
export interface Connection {
  /** The host; null when `socketPath` is given. */
  readonly host: string | null;
  readonly port: number;
  readonly user: string | null;
  readonly password: string | null;
  readonly database: string;
  /** A Unix socket. mysql: the path of the socket; postgres: the folder that contains it. */
  readonly socketPath: string | null;
  readonly tls: Tls;
}

/** The TLS settings; null for an unencrypted connection. `ca`: PEM text; null for Node's own list of authorities. */
export type Tls = { readonly ca: string | null; readonly rejectUnauthorized: boolean } | null;

export const isServer = (client: unknown): client is ServerClient =>
  typeof client === 'string' && Object.hasOwn(servers, client);

export const isEmbedded = (client: unknown): client is EmbeddedClient =>
  typeof client === 'string' && Object.hasOwn(embedded, client);

export const serverClients: readonly ServerClient[] = Object.keys(servers).filter(isServer);
export const embeddedClients: readonly EmbeddedClient[] = Object.keys(embedded).filter(isEmbedded);

export const serverEngine = (client: ServerClient): ServerEngine => servers[client];

/** The facts about an engine; null if no engine has this name. */
export function engineOf(client: unknown): Engine | null {
  if (isServer(client)) return servers[client];
  return isEmbedded(client) ? embedded[client] : null;
}
