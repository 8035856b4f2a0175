/** A primary and a replica, each behind a tap. */

import { openSession } from './servers/engines.ts';
import { startMariadb, startMariadbReplica } from './servers/mariadb.ts';
import { startMysql56, startMysql56Replica, withGtids } from './servers/mysql56.ts';
import { startPostgres, startStandby } from './servers/postgres.ts';
import { thisMachine } from './servers/programs.ts';
import { openScope, type Scope } from './servers/scope.ts';
import type { Session } from './servers/sessions.ts';
import { openTap, type Tap } from './tap.ts';

export interface Pair {
  readonly client: 'postgres' | 'mysql';
  readonly scope: Scope;
  /** A session of the superuser. */
  readonly primary: Session;
  /** The same on the replica. It connects for each statement, because the replica may have been killed meanwhile. */
  readonly replica: Pick<Session, 'exec'>;
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** The taps between the gateway and each server. */
  readonly toPrimary: Tap;
  readonly toReplica: Tap;
  /** Makes the replica lag by this many milliseconds; 0 ends the lag. */
  delay(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

const starts = { postgres: startPostgresPair, mariadb: startMariadbPair, mysql56: startMysql56Pair };

/** Starts a primary and a replica. */
export async function startPair(engine: keyof typeof starts): Promise<Pair> {
  const scope = openScope();
  try {
    return await starts[engine](scope);
  } catch (error) {
    await scope.close();
    throw error;
  }
}

async function startPostgresPair(scope: Scope): Promise<Pair> {
  const machine = thisMachine();
  const settings = { wal_level: 'replica', max_wal_senders: 5, synchronous_commit: 'on' };
  const primaryUrl = await startPostgres(scope, machine, settings);
  const replicaUrl = await startStandby(scope, machine, primaryUrl);
  return pairOf('postgres', scope, primaryUrl, replicaUrl, async (replica, milliseconds) => {
    await replica.exec(`ALTER SYSTEM SET recovery_min_apply_delay = '${milliseconds}ms'`);
    await replica.exec('SELECT pg_reload_conf()');
  });
}

async function startMariadbPair(scope: Scope): Promise<Pair> {
  const options = ['--server-id=1', '--log-bin=bin', '--binlog-format=ROW'];
  const primaryUrl = await startMariadb(scope, thisMachine(), options);
  return mysqlPairOf(scope, primaryUrl, (logUrl) => startMariadbReplica(scope, thisMachine(), logUrl));
}

async function startMysql56Pair(scope: Scope): Promise<Pair> {
  const primaryUrl = await startMysql56(scope, thisMachine(), withGtids(1));
  return mysqlPairOf(scope, primaryUrl, (logUrl) => startMysql56Replica(scope, thisMachine(), logUrl));
}

async function mysqlPairOf(
  scope: Scope,
  primaryUrl: string,
  startReplica: (logUrl: string) => Promise<string>,
): Promise<Pair> {
  // We delay the log with a tap, because the server's own delay setting has a resolution of whole seconds.
  const log = await openTap(primaryUrl);
  const replicaUrl = await startReplica(log.url);
  const admin = await openSession({ client: 'mysql', url: primaryUrl });
  await admin.exec('CREATE DATABASE d CHARACTER SET utf8mb4');
  await admin.close();
  const ofD = (url: string) => url.replace(/mysql$/, 'd');
  const pair = await pairOf('mysql', scope, ofD(primaryUrl), ofD(replicaUrl), async (_, milliseconds) =>
    log.delay(milliseconds),
  );
  const close = () => {
    log.close();
    return pair.close();
  };
  return { ...pair, close };
}

async function pairOf(
  client: Pair['client'],
  scope: Scope,
  primaryUrl: string,
  replicaUrl: string,
  delay: (replica: Pick<Session, 'exec'>, milliseconds: number) => Promise<void>,
): Promise<Pair> {
  const [toPrimary, toReplica] = [await openTap(primaryUrl), await openTap(replicaUrl)];
  const primary = await openSession({ client, url: primaryUrl });
  const replica = {
    async exec(sql: string) {
      const session = await openSession({ client, url: replicaUrl.replace(/\/d$/, '/mysql') });
      await session.exec(sql).finally(() => session.close());
    },
  };
  return {
    ...{ client, scope, primary, replica, primaryUrl, replicaUrl, toPrimary, toReplica },
    delay: (milliseconds) => delay(replica, milliseconds),
    async close() {
      toPrimary.close();
      toReplica.close();
      await primary.close();
      await scope.close();
    },
  };
}
