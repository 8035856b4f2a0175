/**
 * The facts about engines that the configuration depends on. Pure. Code reads a fact here instead of comparing names. SQL is in
 * `dialects/`, protocols are in `execute/drivers/`.
 */

/** A kind of database server, or of database in the process. */
interface Engine {
  /** The schema of a table where its resource names none; null: the engine has no schemas. */
  readonly schema: string | null;
}

/** An engine that is reached by a connection. */
interface ServerEngine extends Engine {
  /** Its name in sentences. */
  readonly product: string;
  /** Another product that the same client reaches. */
  readonly also?: string;
  readonly port: number;
  /**
   * For how many locks a write may wait one after the other, each for the statement timeout and up to two seconds: MySQL limits the time
   * of reads only. 0: the timeout limits the whole statement.
   */
  readonly lockWaits: number;
  /** Of a connection URL; the first is that of examples. */
  readonly protocols: readonly string[];
  /** The parameters that a connection URL may have, and how each encrypts: `unverified` does not check the server. */
  readonly parameters: Readonly<Record<string, 'verified' | 'unverified' | 'none'>>;
}

/** The engines that run as servers. */
const servers = {
  mysql: {
    product: 'MySQL or MariaDB',
    also: 'MariaDB',
    schema: null,
    port: 3306,
    // That of the table, and that of the record.
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
 * The engines that run in the process of the gateway. Each has a single session, so that one process can open it and no other
 * program changes its tables.
 */
const embedded = {
  pglite: { schema: 'public' },
} satisfies Readonly<Record<string, Engine>>;

export type ServerClient = keyof typeof servers;
export type EmbeddedClient = keyof typeof embedded;

/** The address of a server and its login. URL and mapping of the configuration both become this. */
export interface Connection {
  /** Null when `socketPath` is given. */
  readonly host: string | null;
  readonly port: number;
  readonly user: string | null;
  readonly password: string | null;
  readonly database: string;
  /** mysql: the socket's file; postgres: the folder it is in. */
  readonly socketPath: string | null;
  readonly tls: Tls;
}

/** Null: not encrypted. `ca` is PEM text; null means Node's own list. */
export type Tls = { readonly ca: string | null; readonly rejectUnauthorized: boolean } | null;

export const isServer = (client: unknown): client is ServerClient =>
  typeof client === 'string' && Object.hasOwn(servers, client);

export const isEmbedded = (client: unknown): client is EmbeddedClient =>
  typeof client === 'string' && Object.hasOwn(embedded, client);

export const serverClients: readonly ServerClient[] = Object.keys(servers).filter(isServer);
export const embeddedClients: readonly EmbeddedClient[] = Object.keys(embedded).filter(isEmbedded);

export const serverEngine = (client: ServerClient): ServerEngine => servers[client];

/** The facts of an engine; null where no engine has this name. */
export function engineOf(client: unknown): Engine | null {
  if (isServer(client)) return servers[client];
  return isEmbedded(client) ? embedded[client] : null;
}
