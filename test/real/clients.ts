/** The servers' own command-line clients, whose output is the reference. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { ServerEngine } from '../support/servers/engines.ts';
import type { TextRow } from '../support/servers/sessions.ts';

export interface Client {
  /** Runs a script, and stops at the first error. */
  load(script: string): Promise<void>;
  /** The rows of one SELECT, each cell as the client prints it; null for NULL. */
  print(select: string): Promise<readonly TextRow[]>;
}

/** The client programs for each kind of engine. */
export const programs: Readonly<Record<ServerEngine['client'], readonly string[]>> = {
  mysql: ['mariadb', 'mysql'],
  postgres: ['psql'],
};

/** A client for the database in `url`. The session uses UTC for reading and printing TIMESTAMP. */
export function clientOf(kind: ServerEngine['client'], program: string, url: string): Client {
  const { hostname, port, username, password, pathname } = new URL(url);
  const [user, secret, database] = [username, password, pathname.slice(1)].map(decodeURIComponent);
  if (kind === 'postgres') {
    const env = { PGHOST: hostname, PGPORT: port, PGUSER: user, PGPASSWORD: secret, PGDATABASE: database };
    const psql = (script: string) =>
      run(program, ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', '-'], { ...env, PGTZ: 'UTC' }, script);
    return {
      load: async (script) => void (await psql(script)),
      print: async (select) => copied(await psql(`COPY (${select}) TO STDOUT;`)),
    };
  }
  const options = [
    ...['--no-defaults', '--protocol=tcp', `--host=${hostname}`, `--port=${port || '3306'}`, `--user=${user}`],
    ...['--default-character-set=utf8mb4', "--init-command=SET time_zone = '+00:00'", `--database=${database}`],
  ];
  const mysql = (format: readonly string[], script: string) =>
    run(program, [...options, ...format], { MYSQL_PWD: secret }, script);
  return {
    load: async (script) => void (await mysql(['--batch'], script)),
    print: async (select) => marked(await mysql(['--xml', '--binary-as-hex'], select)),
  };
}

async function run(
  program: string,
  options: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  script: string,
): Promise<string> {
  const child = spawn(program, options, { env: { PATH: process.env.PATH, ...environment } });
  // A client that exits early closes the pipe; its exit code and output tell why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(script);
  const [printed, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${complaint}`);
  return printed;
}

/** Parses COPY's text format, the only output of psql in which NULL, tab and line feed are unambiguous. */
function copied(printed: string): TextRow[] {
  const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
  const cell = (escaped: string) =>
    escaped === '\\N' ? null : escaped.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
  return printed
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').map(cell));
}

/** Parses the client's XML output, because its tables do not distinguish NULL from the text `NULL`. */
function marked(printed: string): TextRow[] {
  const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };
  return printed
    .split('<row>')
    .slice(1)
    .map((row) =>
      [...row.matchAll(/<field name="[^"]*"(?: xsi:nil="true" \/>|>([^<]*)<\/field>)/g)].map(
        ([, cell]) => cell?.replace(/&\w+;/g, (entity) => entities[entity] ?? entity) ?? null,
      ),
    );
}
