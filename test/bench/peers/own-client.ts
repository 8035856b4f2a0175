import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerDatabase } from '../../support/servers/engines.ts';
import { find, thisMachine } from '../../support/servers/programs.ts';

const programs = { postgres: ['psql'], mysql: ['mariadb', 'mysql'] };

/** The server's command-line client; null if it is not installed. */
export function ownClientOf({ client }: Pick<ServerDatabase, 'client'>): string | null {
  const machine = thisMachine();
  return programs[client].find((name) => find(name, machine) !== null) ?? null;
}

/**
 * How many times per second the server's own client runs these statements in sequence, without the time for connecting.
 * @param seconds how long to measure, but at least one run
 */
export async function askedByOwnClient(
  program: string,
  { client, url }: ServerDatabase,
  sql: readonly string[],
  seconds: number,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const script = join(folder, 'statements.sql');
  const { hostname, port, username, password, pathname } = new URL(url);
  const to = [`-h${hostname}`, `-P${port}`, `-u${username}`, pathname.slice(1)];
  // With an empty password as an argument, the client would prompt for one.
  const env = { ...process.env, MYSQL_PWD: password };
  const args = {
    postgres: [url, '-Xq', '-o', '/dev/null', '-f', script],
    mysql: ['--no-defaults', '--batch', ...to, '-e', `source ${script}`],
  };
  const timed = async (times: number) => {
    writeFileSync(script, `${sql.join(';\n')};\n`.repeat(times));
    const began = performance.now();
    await promisify(execFile)(program, args[client], { maxBuffer: 2 ** 30, encoding: 'buffer', env });
    return (performance.now() - began) / 1000;
  };
  try {
    const connected = await timed(0);
    const times = Math.ceil(seconds / Math.max(0.001, (await timed(1)) - connected));
    const all = await timed(times);
    // On a busy machine, connecting may have taken longer than the statements.
    return times / Math.max(all - connected, all / 2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
