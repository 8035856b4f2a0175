/** Another server that provides an API for a table, with three reads of `films`. */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ServerDatabase } from '../../support/servers/engines.ts';
import { find, thisMachine } from '../../support/servers/programs.ts';
import type { Scope } from '../../support/servers/scope.ts';

const run = promisify(execFile);

/** The reads by their names in the table, with the number of films in an answer. */
export const reads = {
  filtered: ['100 records by a filter', 100],
  byKey: ['a record by its key', 1],
  later: ['100 records after 7,000', 100],
} as const;
export type Paths = Readonly<Record<keyof typeof reads, string>>;

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  readonly paths: Paths;
}

export interface OtherServer {
  readonly name: string;
  /** What must be installed. */
  readonly needs: string;
  /** Starts it on the first core until the scope is closed; null if it is not installed. @param database has `films` */
  start(database: ServerDatabase, scope: Scope): Promise<RunningServer | null>;
}

interface Program {
  readonly command: (port: number) => readonly string[];
  readonly environment: (port: number) => Readonly<Record<string, string>>;
}

/** Starts a program on the first core. Throws if it does not answer within twenty seconds. */
export async function startOnCore(
  scope: Scope,
  name: string,
  paths: Paths,
  { command, environment }: Program,
): Promise<RunningServer> {
  const taskset = find('taskset', thisMachine()) ?? '';
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: scope.folder };
  const port = await scope.serve({ name, file: taskset, env, ready: /^/ }, (port) => {
    Object.assign(env, environment(port));
    return ['-c', '0', ...command(port)];
  });
  const url = `http://127.0.0.1:${port}`;
  for (const limit = Date.now() + 20_000; ; await sleep(100)) {
    const answer = await fetch(url + paths.filtered).catch(() => null);
    const text = await answer?.text();
    if (answer?.ok) return { url, pid: await pidAt(port), paths };
    if (Date.now() > limit) throw new Error(`${name} does not answer: ${text}`);
  }
}

/** The process that listens on a port. */
export async function pidAt(port: number): Promise<number> {
  const { stdout } = await run('ss', ['-Hltnp', `sport = :${port}`]);
  return Number(/pid=(\d+)/.exec(stdout)?.[1]);
}
