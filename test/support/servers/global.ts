import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Engine, openSession, type PgliteEngine, type ServerEngine } from './engines.ts';
import { startMariadb } from './mariadb.ts';
import { mysql56Unavailable, startMysql56 } from './mysql56.ts';
import { startPostgres } from './postgres.ts';
import { ensure, type Machine, thisMachine } from './programs.ts';
import { openScope, type Scope } from './scope.ts';

/** Where a server comes from: the URL in `variable`, else `start`, unless `without` says why not. */
interface Source {
  readonly client: ServerEngine['client'];
  readonly variable: string;
  readonly version: RegExp;
  readonly start?: (scope: Scope, machine: Machine) => Promise<string>;
  readonly without?: string | null;
}

const postgres: Source = {
  ...{ client: 'postgres', variable: 'TEST_POSTGRES_URL', version: /^PostgreSQL/ },
  start: startPostgres,
};
const mariadb: Source = {
  ...{ client: 'mysql', variable: 'TEST_MARIADB_URL', version: /MariaDB/ },
  start: startMariadb,
};
const mysql: Source = {
  ...{ client: 'mysql', variable: 'TEST_MYSQL_URL', version: /^(?!.*MariaDB)(5\.7|[89]|\d\d)\b/ },
  without: 'TEST_MYSQL_URL is not set',
};
const mysql56: Source = {
  ...{ client: 'mysql', variable: 'TEST_MYSQL56_URL', version: /^5\.6\./ },
  ...{ start: startMysql56, without: mysql56Unavailable() },
};
const sources = { postgres, mariadb, mysql, mysql56 };
const names = ['pglite', 'postgres', 'mariadb', 'mysql', 'mysql56'] as const;
type Outcome = { readonly engine: Engine; readonly from: string } | { readonly leftOut: string };

/** Brings up the engines of this run, says which they are and which are left out, and ends them after the last test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const machine = thisMachine();
  const wanted = chosen(process.env.TEST_ENGINES);
  const scope = openScope();
  try {
    const own = (['postgres', 'mariadb'] as const).filter((name) => wanted(name) && given(name) === undefined);
    await ensure([...own, 'redis'], machine);
    // All of them to their end, also after a failure: each complaint is worth reading.
    const outcomes = await Promise.allSettled(
      names.map((name) => (wanted(name) ? bring(name, scope, machine) : { leftOut: 'not named in TEST_ENGINES' })),
    );
    const done: Outcome[] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const failed = outcomes.flatMap((outcome, i) =>
      outcome.status === 'rejected' ? [`${names[i]}: ${outcome.reason}`] : [],
    );
    if (failed.length > 0) throw new Error(failed.join('\n\n'));
    console.log(
      `\nEngines of this run:\n${done.map((outcome, i) => `  ${names[i]?.padEnd(8)}  ${line(outcome)}\n`).join('')}`,
    );

    const engines = done.flatMap((outcome) => ('engine' in outcome ? [outcome.engine] : []));
    project.provide('pglite', engines.find((engine) => engine.client === 'pglite') ?? null);
    project.provide(
      'engines',
      engines.filter((engine) => engine.client !== 'pglite'),
    );
  } catch (error) {
    await scope.close();
    throw error;
  }
  return () => scope.close();
}

async function bring(name: (typeof names)[number], scope: Scope, machine: Machine): Promise<Outcome> {
  if (name === 'pglite') return { engine: await startPglite(scope), from: 'in process' };
  const { client, variable, version: expected, start, without } = sources[name];
  const url = given(name) ?? (without ? undefined : await start?.(scope, machine));
  if (url === undefined) return { leftOut: without ?? `${variable} is not set` };
  const version = await versionOf({ client, url });
  if (!expected.test(version)) throw new Error(`${variable} must be the URL of a ${name}, got: ${version}`);
  return { engine: { name, client, url, version }, from: given(name) ? variable : 'started here' };
}

function line(outcome: Outcome): string {
  if ('leftOut' in outcome) return `LEFT OUT: ${outcome.leftOut}`;
  return `${outcome.engine.version.replace(/ on .*|, compiled.*/, '')}, ${outcome.from}`;
}

function given(name: ServerEngine['name']): string | undefined {
  return process.env[sources[name].variable] || undefined;
}

function chosen(list: string | undefined): (name: (typeof names)[number]) => boolean {
  if (!list) return () => true;
  const asked = list.split(',').map((name) => name.trim());
  const unknown = asked.filter((name) => !names.some((known) => known === name));
  if (unknown.length > 0) throw new Error(`TEST_ENGINES must be some of ${names.join(',')}, got: ${unknown.join(',')}`);
  return (name) => asked.includes(name);
}

async function versionOf(server: Pick<ServerEngine, 'client' | 'url'>): Promise<string> {
  const session = await openSession(server);
  try {
    return String((await session.query('SELECT version()'))[0]?.[0]);
  } finally {
    await session.close();
  }
}

async function startPglite(scope: Scope): Promise<PgliteEngine> {
  const template = join(scope.folder, 'pglite');
  const program = { name: 'pglite-template', file: process.execPath, env: {} };
  const version = await scope.run(program, [join(import.meta.dirname, 'pglite-template.mjs'), template]);
  return { name: 'pglite', client: 'pglite', version: version.trim(), template };
}
