/** Runs the server's own client for its log. What that costs an application is the minimum for any reader of the log. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerDatabase, ServerEngine } from '../support/servers/engines.ts';
import { find, thisMachine } from '../support/servers/programs.ts';

interface LogClient {
  stop(): Promise<void>;
}

/** @returns null if the program is not installed */
export async function startLogClient(
  { client }: ServerEngine,
  database: Pick<ServerDatabase, 'url' | 'query'>,
): Promise<LogClient | null> {
  const names = { postgres: ['pg_recvlogical'], mysql: ['mariadb-binlog', 'mysqlbinlog'] };
  const program = names[client].map((name) => find(name, thisMachine())).find((path) => path !== null) ?? null;
  if (program === null) return null;
  return client === 'postgres' ? receiver(program, database) : dumper(program, database);
}

/** Decodes with the same plugin as the gateway, and confirms its position every second. */
async function receiver(program: string, { url }: Pick<ServerDatabase, 'url'>): Promise<LogClient> {
  const slot = ['--dbname', url, '--slot', `client_${process.pid}`];
  const run = promisify(execFile);
  await run(program, [...slot, '--create-slot', '--plugin', 'test_decoding']);
  const reading = ['--start', '--file', '/dev/null', '--fsync-interval', '0', '--status-interval', '1', '--no-loop'];
  const stop = running(program, [...slot, ...reading]);
  return {
    async stop() {
      await stop();
      await run(program, [...slot, '--drop-slot']);
    },
  };
}

/** Stores the raw events. */
async function dumper(program: string, { url, query }: Pick<ServerDatabase, 'url' | 'query'>): Promise<LogClient> {
  const { hostname, port, username, password } = new URL(url);
  const [[file = '', position = ''] = []] = await query('SHOW MASTER STATUS');
  const folder = mkdtempSync(join(tmpdir(), 'log-client-'));
  const at = ['--host', hostname, '--port', port, '--user', decodeURIComponent(username)];
  const reading = ['--read-from-remote-server', '--stop-never', '--raw', `--result-file=${join(folder, 'copy-')}`];
  const stop = running(program, [...at, ...reading, '--start-position', String(position), String(file)], {
    MYSQL_PWD: decodeURIComponent(password),
  });
  return {
    async stop() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts a program that runs until it is stopped. Stopping throws if it has already ended. */
function running(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  return async (): Promise<void> => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    child.kill('SIGTERM');
    await ended;
  };
}
