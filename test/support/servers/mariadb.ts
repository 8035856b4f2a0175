import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { find, type Machine } from './programs.ts';
import type { Scope } from './scope.ts';

/** Starts a MariaDB without durability; `root` is its superuser, without a password. `more`: options beside the usual ones. */
export async function startMariadb(scope: Scope, machine: Machine, more: readonly string[] = []): Promise<string> {
  const [file, install] = [find('mariadbd', machine), find('mariadb-install-db', machine)];
  if (file === null || install === null) throw new Error('mariadbd or mariadb-install-db not found');
  const folder = join(scope.folder, 'mariadb');
  const data = join(folder, 'data');
  mkdirSync(folder);

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
  const port = await scope.serve({ name: 'mariadb', file, env }, (port) => [
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
