/** A replica with a full disk stops applying writes: reads go to the primary, and return to the replica once there is space. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { reading, tables } from '../support/replica-reads.ts';
import { openSession, servers } from '../support/servers/engines.ts';
import { startMariadb, startMariadbReplica } from '../support/servers/mariadb.ts';
import { startPostgres, startStandby } from '../support/servers/postgres.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { openMysql } from '../support/servers/sessions.ts';

interface Case {
  readonly engine: 'postgres' | 'mariadb';
  readonly client: 'postgres' | 'mysql';
  /** The replica's folder within the scope. */
  readonly folder: string;
  startPrimary(scope: Scope): Promise<string>;
  startReplica(scope: Scope, primary: string): Promise<string>;
  /** More data than fits on the almost full disk. */
  readonly rows: string;
  /** What an operator does after freeing space. */
  mend(scope: Scope, replica: string): Promise<void>;
}

const machine = thisMachine();
const restart = async (scope: Scope, replica: string) => (await scope.stop(portOf(replica), 'SIGKILL'))();
const portOf = (url: string) => Number(new URL(url).port);

const ofMariadb = {
  ...{ engine: 'mariadb', client: 'mysql', folder: 'replica' },
  startPrimary: (scope) => startMariadb(scope, machine, ['--server-id=1', '--log-bin=bin', '--binlog-format=ROW']),
  rows: 'SELECT REPEAT(MD5(seq), 50) FROM seq_1_to_500',
} as const satisfies Partial<Case>;

const cases: Readonly<Record<string, Case>> = {
  PostgreSQL: {
    ...{ engine: 'postgres', client: 'postgres', folder: 'standby' },
    startPrimary: (scope) => startPostgres(scope, machine, { wal_level: 'replica', max_wal_senders: 5 }),
    startReplica: (scope, primary) => startStandby(scope, machine, primary),
    rows: `SELECT repeat(md5(i::text), 100) FROM generate_series(1, 10000) i`,
    mend: restart,
  },
  // MariaDB waits for free space and checks once a minute. Until then SHOW SLAVE STATUS and STOP SLAVE hang.
  'MariaDB, which has no room for its relay log,': {
    ...ofMariadb,
    startReplica: (scope, primary) => startMariadbReplica(scope, machine, primary),
    mend: restart,
  },
  'MariaDB, which has no room for its tables,': {
    ...ofMariadb,
    startReplica: (scope, primary) =>
      startMariadbReplica(scope, machine, primary, [`--relay-log=${join(scope.folder, 'relay')}`]),
    async mend(_, replica) {
      const session = await openMysql(replica);
      await session.exec('START SLAVE').finally(() => session.close());
    },
  },
};
const givenUrls = { postgres: process.env.TEST_POSTGRES_URL, mariadb: process.env.TEST_MARIADB_URL };
const isPossible = ({ engine }: Case) =>
  givenUrls[engine] === undefined && servers().some(({ name }) => name === engine);

/** Mounts a small file system on a new folder; null if this user or container may not mount. */
function mounted(folder: string): (() => void) | null {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return () => void execFileSync('umount', ['-l', folder]);
}

const possible = Object.entries(cases).filter(([, one]) => isPossible(one));

test.runIf(possible.length > 0).for(possible)(
  'a replica of %s with a full disk',
  { timeout: 180_000 },
  async ([, { client, startPrimary, startReplica, rows, mend, ...one }], { skip }) => {
    const scope = openScope();
    const folder = join(scope.folder, one.folder);
    const unmount = mounted(folder);
    try {
      if (unmount === null) return skip('no file system can be mounted');
      const primaryUrl = await startPrimary(scope);
      const replica = await startReplica(scope, primaryUrl);
      const primary = await openSession({ client, url: primaryUrl });
      for (const { create } of tables) for (const sql of create) await primary.exec(sql);
      await primary.exec('CREATE TABLE filler (text text)');
      const access = { read: 'public', write: 'token' };
      const gateway = await startGateway({
        databases: { db: { client, connection: primaryUrl, replicas: [replica], maxStaleness: '50ms' } },
        cache: { ttl: '1h' },
        resources: Object.fromEntries(tables.map(({ name }) => [name, { database: 'db', table: name, access }])),
      });
      const { read, write } = reading(gateway);
      let variant = 0;
      const servedBy = async (n: number) => {
        expect(await read(1, variant++ % 10_000)).toBe(n);
        return gateway.events.findLast((event) => event.on === 'queried')?.server;
      };
      const fill = join(folder, 'fill');
      try {
        await expect.poll(() => servedBy(0), { timeout: 10_000 }).toBe('replica 1');
        writeFileSync(fill, Buffer.alloc(statfsSync(folder).bavail * statfsSync(folder).bsize));
        for (let n = 1; n <= 12; n++) {
          await primary.exec(`INSERT INTO filler ${rows}`);
          await write(1, n);
          await servedBy(n);
        }
        for (let times = 0; times < 20; times++) expect(await servedBy(12)).toBe('primary');
        expect(gateway.events.filter((event) => event.on === 'answered' && event.status >= 400)).toEqual([]);
        rmSync(fill);
        await mend(scope, replica);
        await expect.poll(() => servedBy(12), { timeout: 30_000 }).toBe('replica 1');
      } finally {
        await gateway.close();
        await primary.close();
      }
    } finally {
      // A lazy unmount, because the server still has open files there; it stops with its folder.
      unmount?.();
      await scope.close();
    }
  },
);
