import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { openMysql, openPglite, openPostgres, type Session } from './sessions.ts';

/** A server that the tests may use as its superuser. */
export interface ServerEngine {
  readonly name: 'postgres' | 'mariadb' | 'mysql' | 'mysql56';
  readonly client: 'postgres' | 'mysql';
  readonly url: string;
  readonly version: string;
}

/** PGlite runs in the process that opens it. */
export interface PgliteEngine {
  readonly name: 'pglite';
  readonly client: 'pglite';
  readonly version: string;
  /** An empty database, made once per run: a copy opens in a tenth of the time. */
  readonly template: string;
}

export type Engine = ServerEngine | PgliteEngine;

declare module 'vitest' {
  interface ProvidedContext {
    engines: readonly ServerEngine[];
    pglite: PgliteEngine | null;
    /** Whether tests that need one engine of a kind have run in another part. */
    isRest: boolean;
  }
}

/** The operations of a test on its database. */
interface Fresh {
  exec: Session['exec'];
  query: Session['query'];
  /** Removes it; sessions that are still connected are ended. */
  drop(): Promise<void>;
}

/** A database of its own on a server, with one session that lasts until `drop`. */
export interface ServerDatabase extends Fresh {
  readonly client: 'postgres' | 'mysql';
  readonly url: string;
}

/** A directory that `exec` and `query` open and close again, so that between them the gateway can own it. */
export interface PgliteDatabase extends Fresh {
  readonly client: 'pglite';
  readonly directory: string;
  readonly url?: undefined;
}

export type FreshDatabase = ServerDatabase | PgliteDatabase;

/** The engines of this run, in process first. */
export function engines(): readonly Engine[] {
  const pglite = inject('pglite');
  return pglite === null ? inject('engines') : [pglite, ...inject('engines')];
}

/** The servers among them. */
export const servers = (): readonly ServerEngine[] => inject('engines');

/** One of the servers: enough where the engine makes no difference. */
export const anyServer = (of = servers()): readonly ServerEngine[] => (inject('isRest') ? [] : of.slice(0, 1));

/** One of the engines, a server if there is one: PGlite takes a second to open. Enough where the engine makes no difference. */
export const anyEngine = (): readonly Engine[] => (servers().length > 0 ? anyServer() : engines());

/** For `describe.each` and `test.each`: the name of each goes into the name of the test. */
export const byName = <E extends Engine>(of: readonly E[]) => of.map((engine) => [engine.name, engine] as const);

/** Of the servers one for each driver: enough where it is the driver and our own code that could fail, not the engine. */
export function onePerDriver(): readonly ServerEngine[] {
  const isFirst = ({ client }: ServerEngine, nth: number, all: readonly ServerEngine[]) =>
    all.findIndex((other) => other.client === client) === nth;
  return inject('isRest') ? [] : servers().filter(isFirst);
}

/** Of the servers one for each driver in `npm test`, all of them in `npm run fuzz`: where a server rarely makes a difference. */
export const fewServers = (): readonly ServerEngine[] =>
  process.env.FUZZ_CASES === undefined ? onePerDriver() : servers();

/** The engines without PGlite in `npm test`, all of them in `npm run fuzz`: where its driver makes no difference, it is PostgreSQL. */
export const fewEngines = (): readonly Engine[] =>
  process.env.FUZZ_CASES === undefined && servers().length > 0 ? servers() : engines();

/** Makes an empty UTF-8 database. */
export function freshDatabase(engine: ServerEngine, name?: string): Promise<ServerDatabase>;
export function freshDatabase(engine: PgliteEngine, name?: string): Promise<PgliteDatabase>;
export function freshDatabase(engine: Engine, name?: string): Promise<FreshDatabase>;
export function freshDatabase(engine: Engine, name = `gw_${randomBytes(6).toString('hex')}`): Promise<FreshDatabase> {
  return engine.client === 'pglite' ? onPglite(engine, name) : onServer(engine, name);
}

/** Opens one more session with a server's database, for what needs two: locks, kills, another `sql_mode`. */
export function openSession({ client, url }: Pick<ServerDatabase, 'client' | 'url'>): Promise<Session> {
  return client === 'postgres' ? openPostgres(url) : openMysql(url);
}

async function onServer({ client, url }: ServerEngine, name: string): Promise<ServerDatabase> {
  const admin = async (sql: readonly string[]) => {
    const session = await openSession({ client, url });
    try {
      // One by one: PostgreSQL takes a script as one transaction, in which no database can be created.
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
    // The default is to wait for a forgotten transaction for a year.
    mysql: ['SET lock_wait_timeout = 10', `DROP DATABASE IF EXISTS \`${name}\``],
  };
  await admin(create[client]);
  const own = new URL(url);
  own.pathname = `/${encodeURIComponent(name)}`;
  const session = await openSession({ client, url: own.href });
  return {
    client,
    url: own.href,
    exec: session.exec,
    query: session.query,
    async drop() {
      await session.close();
      // A gateway that has just ended may have left a slot for a moment.
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
  // Two openers are not refused, they overwrite each other: one call at a time. Those that wait take over the session.
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
