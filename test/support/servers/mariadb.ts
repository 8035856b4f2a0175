import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { find, type Machine } from './programs.ts';
import type { Scope } from './scope.ts';
import { openMysql } from './sessions.ts';

/**
 * Starts a MariaDB without durability. Its superuser is `root`, without a password.
 * @param more additional options
 * @param name the name of its folder within the scope
 */
export async function startMariadb(
  scope: Scope,
  machine: Machine,
  more: readonly string[] = [],
  name = 'mariadb',
): Promise<string> {
  const [file, install] = [find('mariadbd', machine), find('mariadb-install-db', machine)];
  if (file === null || install === null) throw new Error('mariadbd or mariadb-install-db not found');
  const folder = join(scope.folder, name);
  const data = join(folder, 'data');
  // The folder may exist: a test may have mounted a file system there.
  mkdirSync(folder, { recursive: true });

  const env = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  const common = [
    '--no-defaults',
    ...(machine.root ? ['--user=root'] : []),
    `--datadir=${data}`,
    '--innodb-log-file-size=8M',
    '--aria-log-file-size=8M',
    '--innodb-flush-method=nosync',
  ];
  await scope.run({ name: 'mariadb-install-db', file: install, env }, [
    ...common,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  const port = await scope.serve({ name, file, env }, (port) => [
    ...common,
    ...[
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 's')}`,
      `--pid-file=${join(folder, 'pid')}`,
    ],
    ...['--max-connections=200', '--skip-name-resolve', '--skip-log-bin', '--performance-schema=OFF'],
    ...['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0'],
    ...more,
  ]);
  return `mysql://root@127.0.0.1:${port}/mysql`;
}

/**
 * Starts a replica of a MariaDB that has a binary log and no databases yet.
 * @param primary its URL, or the URL of a tap in front of it
 * @param more additional options
 */
export async function startMariadbReplica(
  scope: Scope,
  machine: Machine,
  primary: string,
  more: readonly string[] = [],
): Promise<string> {
  const options = ['--server-id=2', '--log-bin=bin', '--log-slave-updates', '--read-only', ...more];
  const url = await startMariadb(scope, machine, options, 'replica');
  const session = await openMysql(url);
  const { hostname, port } = new URL(primary);
  const from = `MASTER_HOST='${hostname}', MASTER_PORT=${port}, MASTER_USER='root', MASTER_CONNECT_RETRY=1`;
  try {
    await session.exec(`CHANGE MASTER TO ${from}, MASTER_USE_GTID=slave_pos`);
    await session.exec('START SLAVE');
  } finally {
    await session.close();
  }
  return url;
}
