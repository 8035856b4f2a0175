import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { openMysql, openPglite, openPostgres, type Session } from './sessions.ts';

/** A server on which the tests are superuser. */
export interface ServerEngine {
  readonly name: 'postgres' | 'mariadb' | 'mysql' | 'mysql56';
  readonly client: 'postgres' | 'mysql';
  readonly url: string;
  readonly version: string;
}

/** PGlite is a library: it runs inside the process that opens it. */
export interface PgliteEngine {
  readonly name: 'pglite';
  readonly client: 'pglite';
  readonly version: string;
  /** An empty database, created once per run. Copying it is ten times as fast as creating one. */
  readonly template: string;
}

export type Engine = ServerEngine | PgliteEngine;

declare module 'vitest' {
  interface ProvidedContext {
    engines: readonly ServerEngine[];
    pglite: PgliteEngine | null;
    /** Whether tests that need only one engine of a kind already run in another part. */
    isRest: boolean;
  }
}

/** What a test can do with its database. */
interface Fresh {
  exec: Session['exec'];
  query: Session['query'];
  /** Removes the database, and kills sessions that are still connected. */
  drop(): Promise<void>;
}

/** A database on a server, with a session that stays open until `drop`. */
export interface ServerDatabase extends Fresh {
  readonly client: 'postgres' | 'mysql';
  readonly url: string;
}

/** A directory that `exec` and `query` open and close again each time, so that the gateway can open it in between. */
export interface PgliteDatabase extends Fresh {
  readonly client: 'pglite';
  readonly directory: string;
  readonly url?: undefined;
}

export type FreshDatabase = ServerDatabase | PgliteDatabase;

/** The engines of this run, PGlite first. */
export function engines(): readonly Engine[] {
  const pglite = inject('pglite');
  return pglite === null ? inject('engines') : [pglite, ...inject('engines')];
}

/** The engines that are servers. */
export const servers = (): readonly ServerEngine[] => inject('engines');

/** One of the servers, for tests where the engine makes no difference. */
export const anyServer = (of = servers()): readonly ServerEngine[] => (inject('isRest') ? [] : of.slice(0, 1));

/** One of the engines, for tests where it makes no difference. Preferably a server, because PGlite takes a second to open. */
export const anyEngine = (): readonly Engine[] => (servers().length > 0 ? anyServer() : engines());

/** Pairs for `describe.each` and `test.each`, which put the engine's name into the name of the test. */
export const byName = <E extends Engine>(of: readonly E[]) => of.map((engine) => [engine.name, engine] as const);

/** One server for each driver, for tests of our code and of the driver rather than of the engine. */
export function onePerDriver(): readonly ServerEngine[] {
  const isFirst = ({ client }: ServerEngine, nth: number, all: readonly ServerEngine[]) =>
    all.findIndex((other) => other.client === client) === nth;
  return inject('isRest') ? [] : servers().filter(isFirst);
}

/** One server for each driver in `npm test`, all servers in `npm run fuzz`: for tests where the server rarely makes a difference. */
export const fewServers = (): readonly ServerEngine[] =>
  process.env.FUZZ_CASES === undefined ? onePerDriver() : servers();

/** All engines except PGlite in `npm test`, all engines in `npm run fuzz`. PGlite is PostgreSQL, so it adds little unless its driver matters. */
export const fewEngines = (): readonly Engine[] =>
  process.env.FUZZ_CASES === undefined && servers().length > 0 ? servers() : engines();

/** Creates an empty UTF-8 database. */
export function freshDatabase(engine: ServerEngine, name?: string): Promise<ServerDatabase>;
export function freshDatabase(engine: PgliteEngine, name?: string): Promise<PgliteDatabase>;
export function freshDatabase(engine: Engine, name?: string): Promise<FreshDatabase>;
export function freshDatabase(engine: Engine, name = `gw_${randomBytes(6).toString('hex')}`): Promise<FreshDatabase> {
  return engine.client === 'pglite' ? onPglite(engine, name) : onServer(engine, name);
}

/** Opens another session with a test's database: for locks, for kills, or for another `sql_mode`. */
export function openSession({ client, url }: Pick<ServerDatabase, 'client' | 'url'>): Promise<Session> {
  return client === 'postgres' ? openPostgres(url) : openMysql(url);
}

async function onServer({ client, url }: ServerEngine, name: string): Promise<ServerDatabase> {
  const admin = async (sql: readonly string[]) => {
    const session = await openSession({ client, url });
    try {
      // One statement at a time: PostgreSQL runs a script as one transaction, and CREATE DATABASE is not allowed in one.
      for (const statement of sql) await session.exec(statement);
    } finally {
      await session.close();
    }
  };
  const create = {
    postgres: [`CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'UTF8'`],
    mysql: [`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4`],
  };
  const drop = {
    postgres: [
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      `DROP DATABASE IF EXISTS "${name}"`,
    ],
    // By default a forgotten transaction would make DROP wait for its lock for a year.
    mysql: ['SET lock_wait_timeout = 10', `DROP DATABASE IF EXISTS \`${name}\``],
  };
  await admin(create[client]);
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${encodeURIComponent(name)}`;
  const session = await openSession({ client, url: databaseUrl.href });
  return {
    client,
    url: databaseUrl.href,
    exec: session.exec,
    query: session.query,
    async drop() {
      await session.close();
      // The replication slot of a gateway that has just ended may exist for another moment, and blocks the DROP.
      for (const limit = Date.now() + 5000; ; await sleep(20)) {
        const error: unknown = await admin(drop[client]).catch((error: unknown) => error);
        if (error === undefined) return;
        if (Date.now() > limit || !/slot/.test(String(error))) throw error;
      }
    },
  };
}

async function onPglite({ template }: PgliteEngine, name: string): Promise<PgliteDatabase> {
  const directory = await mkdtemp(join(dirname(template), `${name}-`));
  // The asynchronous `cp` takes five times as long for a thousand small files.
  cpSync(template, directory, { recursive: true });
  // Two processes that open the same PGlite directory overwrite each other's files without an error. So calls take turns, and those already waiting
  // share the open session.
  let last: Promise<unknown> = Promise.resolve();
  let session: Session | null = null;
  let waiting = 0;
  const opened = <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    waiting++;
    const next = last.then(async () => {
      try {
        session ??= await openPglite(directory);
        return await work(session);
      } finally {
        const done = --waiting === 0 ? session : null;
        if (done !== null) session = null;
        await done?.close();
      }
    });
    last = next.catch(() => undefined);
    return next;
  };
  return {
    client: 'pglite',
    directory,
    exec: (sql) => opened((session) => session.exec(sql)),
    query: (sql) => opened((session) => session.query(sql)),
    drop: () => rm(directory, { recursive: true, force: true }),
  };
}
