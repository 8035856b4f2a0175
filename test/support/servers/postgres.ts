import { chownSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { find, type Machine } from './programs.ts';
import type { Scope } from './scope.ts';

/**
 * Starts a PostgreSQL without durability. Its superuser is `postgres`, without a password.
 * @param more additional settings
 */
export async function startPostgres(
  scope: Scope,
  machine: Machine,
  more: Readonly<Record<string, string | number>> = {},
): Promise<string> {
  const initdb = find('initdb', machine);
  if (initdb === null) throw new Error('initdb not found');
  const bin = dirname(realpathSync(initdb));
  const user = machine.root ? unprivileged() : undefined;
  const folder = join(scope.folder, 'postgres');
  mkdirSync(folder);
  if (user !== undefined) chownSync(folder, user.uid, user.gid);

  const data = join(folder, 'data');
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LANG: locale };
  await scope.run({ name: 'initdb', file: join(bin, 'initdb'), env, user }, [
    ...[
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      `--locale=${locale}`,
      '--no-sync',
      '--no-instructions',
    ],
  ]);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    ...more,
  };
  const port = await scope.serve({ name: 'postgres', file: join(bin, 'postgres'), env, user }, (port) => [
    ...['-D', data, '-p', String(port)],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

/**
 * Copies a server that has `wal_level: replica`, and starts the copy as its standby.
 * @param name the name of its folder within the scope
 * @param more additional settings
 */
export async function startStandby(
  scope: Scope,
  machine: Machine,
  primary: string,
  name = 'standby',
  more: Readonly<Record<string, string | number>> = {},
): Promise<string> {
  const basebackup = find('pg_basebackup', machine);
  const initdb = find('initdb', machine);
  if (basebackup === null || initdb === null) throw new Error('pg_basebackup not found');
  const user = machine.root ? unprivileged() : undefined;
  const folder = join(scope.folder, name);
  // The folder may exist: a test may have mounted a file system there.
  mkdirSync(folder, { recursive: true });
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  const copy = ['-D', data, '-d', primary, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  await scope.run({ name: 'pg_basebackup', file: basebackup, env, user }, copy);
  const file = join(dirname(realpathSync(initdb)), 'postgres');
  const port = await scope.serve({ name, file, env, user }, (port) => [
    ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ...['-c', 'max_connections=200', '-c', 'fsync=off'],
    ...Object.entries(more).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]),
  ]);
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

/** initdb and postgres refuse to run as root, so they run as the account of the package, or else as `nobody`. */
function unprivileged(): { uid: number; gid: number } {
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(line?.[1] ?? 65534), gid: Number(line?.[2] ?? 65534) };
}
