import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EngineName, isPart, engineNames as names, type Part, parts } from '../../parts.ts';
import { type Engine, openSession, type PgliteEngine, type ServerEngine } from './engines.ts';
import { startMariadb } from './mariadb.ts';
import { mysql56Unavailable, startMysql56 } from './mysql56.ts';
import { startPostgres } from './postgres.ts';
import { complaint, ensure, type Machine, type Need, thisMachine } from './programs.ts';
import { openScope, type Scope } from './scope.ts';

/** How to get a server: from the URL in `variable`, else by `start`, unless `without` gives a reason why that is impossible. */
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
/** Programs that some tests need, but no benchmark. */
const programs = ['openssl', 'script'] as const;
const rest = 'LEFT OUT: long tests and MySQL; npm run test:rest runs them';
type Outcome = { readonly engine: Engine; readonly from: string } | { readonly leftOut: string };

/** Starts the engines of this run, prints which ones run and which are left out, and stops them after the last test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const machine = thisMachine();
  const part = isPart(project.name) ? project.name : 'all';
  const isSelected = chosen(process.env.TEST_ENGINES, parts[part]);
  const scope = openScope();
  let last = '';
  try {
    const startedHere = (['postgres', 'mariadb'] as const).filter(
      (name) => isSelected(name) && given(name) === undefined,
    );
    const missing = await ensure([...startedHere, ...(isPart(project.name) ? programs : [])], machine);
    // `npm test` skips the engines that this machine lacks, unless TEST_ENGINES asks for them.
    const isLeftOut = (need: Need) => part === 'usual' && !process.env.TEST_ENGINES?.includes(need);
    const required = missing.filter((need) => !isLeftOut(need));
    if (required.length > 0) throw new Error(complaint(required, machine));
    last = part !== 'usual' ? '' : missing.length > 0 ? `LEFT OUT: ${complaint(missing, machine)}` : rest;
    // We wait for all of them even after a failure, to report every complaint.
    const outcomes = await Promise.allSettled(
      names.map((name) => {
        if (!isSelected(name)) return { leftOut: `not in ${process.env.TEST_ENGINES ? 'TEST_ENGINES' : 'this part'}` };
        return missing.some((need) => need === name) ? { leftOut: 'not found' } : bring(name, scope, machine);
      }),
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
    project.provide('isRest', part === 'others');
    project.provide('pglite', engines.find((engine) => engine.client === 'pglite') ?? null);
    project.provide(
      'engines',
      engines.filter((engine) => engine.client !== 'pglite'),
    );
  } catch (error) {
    await scope.close();
    throw error;
  }
  return async () => {
    await scope.close();
    if (last !== '') console.log(last);
  };
}

async function bring(name: EngineName, scope: Scope, machine: Machine): Promise<Outcome> {
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

function chosen(list: string | undefined, part: Part): (name: EngineName) => boolean {
  if (!list) return (name) => part.engines.includes(name);
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
