/** A PostgreSQL standby: its snapshots do not list open transactions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startGateway } from '../../support/gateway.ts';
import { freshDatabase, openSession, type ServerEngine, servers } from '../../support/servers/engines.ts';
import { startPostgres, startStandby } from '../../support/servers/postgres.ts';
import { thisMachine } from '../../support/servers/programs.ts';
import type { Scope } from '../../support/servers/scope.ts';

export interface ReplicatedServer {
  readonly primary: ServerEngine;
  /** The URL of a database on the standby. */
  standbyOf(url: string): string;
}

/** Starts a primary and a standby. Each commit waits for the standby, so that confirmed commits are visible there. Null if PostgreSQL is not tested. */
export async function startReplicated(scope: Scope): Promise<ReplicatedServer | null> {
  const like = servers().find(({ name }) => name === 'postgres');
  if (like === undefined) return null;
  const settings = {
    ...{ wal_level: 'replica', max_wal_senders: 4 },
    ...{ synchronous_commit: 'remote_apply', synchronous_standby_names: '*' },
  };
  const url = await startPostgres(scope, thisMachine(), settings);
  const { port } = new URL(await startStandby(scope, thisMachine(), url));
  const standbyOf = (of: string) => {
    const found = new URL(of);
    found.port = port;
    return found.href;
  };
  return { primary: { ...like, url }, standbyOf };
}

/**
 * Of three open transactions the middle one commits, so the upper and lower bounds of the snapshot do not change.
 * @returns the number that a gateway on the standby shows, and the committed one
 */
export async function commitMiddle({
  primary,
  standbyOf,
}: ReplicatedServer): Promise<readonly [shown: unknown, is: number]> {
  const database = await freshDatabase(primary);
  const sessions = [await openSession(database), await openSession(database), await openSession(database)];
  try {
    await database.exec(
      'CREATE TABLE r (id integer PRIMARY KEY, n integer); INSERT INTO r VALUES (0, 0), (1, 0), (2, 0)',
    );
    const gateway = await startGateway({
      databases: { db: { client: 'postgres', connection: standbyOf(database.url), maxStaleness: '50ms' } },
      resources: { r: { database: 'db', table: 'r', key: ['id'], access: { read: 'public' } } },
      cache: { ttl: '1h' },
    });
    const read = async () => {
      const response = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=r&sort=id`);
      const { result }: { result: { records: { n: number }[] } } = JSON.parse(await response.text());
      return { n: result.records[1]?.n, by: response.headers.get('x-cache') };
    };
    try {
      for (const [id, session] of sessions.entries()) {
        await session.exec('BEGIN');
        await session.exec(`UPDATE r SET n = 7 WHERE id = ${id}`);
      }
      // Another commit makes sure that the open transactions' writes have reached the standby.
      await database.exec('CREATE TABLE later (id integer)');
      await expect.poll(async () => (await read()).by).toBe('HIT');
      await sessions[1]?.exec('COMMIT');
      await sleep(60);
      return [(await read()).n, 7];
    } finally {
      await gateway.close();
    }
  } finally {
    for (const session of sessions) await session.close();
    await database.drop();
  }
}
