/** Another server replaces the primary, or the primary's log starts over: the replica's position is further, but in another log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type Pair, startPair } from '../support/replica-pairs.ts';
import { openSession, servers } from '../support/servers/engines.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';

// A server from a variable may run on another machine, where we cannot start a replica.
const givenUrls = { postgres: process.env.TEST_POSTGRES_URL, mariadb: process.env.TEST_MARIADB_URL };
const engines = (['postgres', 'mariadb'] as const).filter(
  (name) => givenUrls[name] === undefined && servers().some((server) => server.name === name),
);
const filled = ['CREATE TABLE t1 (id int PRIMARY KEY, n int)', 'INSERT INTO t1 VALUES (1, 0)'];

describe.runIf(engines.length > 0).each(engines)('a replaced primary of %s', (engine) => {
  let pair: Pair;
  let other: Scope;
  beforeAll(async () => {
    other = openScope();
    pair = await startPair(engine);
    for (const sql of filled) await pair.primary.exec(sql);
    for (let n = 0; n < 50; n++) await pair.primary.exec(`UPDATE t1 SET n = -${n}`);
  }, 120_000);
  afterAll(async () => {
    await pair?.close();
    await other?.close();
  });

  /** Creates another primary on the same timeline, with less log. The returned function puts it in place of the first. */
  async function restored(): Promise<() => void> {
    const url = await startPostgres(other, thisMachine());
    const session = await openSession({ client: 'postgres', url });
    for (const sql of filled) await session.exec(sql);
    await session.close();
    await pair.primary.exec('SELECT pg_switch_wal()');
    await pair.primary.exec('UPDATE t1 SET n = 0');
    return () => pair.toPrimary.redirect(url);
  }
  const begun = async () => async () => {
    await pair.primary.exec('RESET MASTER');
  };

  test('an answered write is in each later answer, and no older answer is kept', async () => {
    const connection = pair.toPrimary.url;
    const gateway = await startGateway({
      databases: { db: { client: pair.client, connection, replicas: [pair.toReplica.url], maxStaleness: '50ms' } },
      resources: { t1: { database: 'db', table: 't1', access: { read: 'public', write: 'token' } } },
      cache: { ttl: '1h' },
    });
    const write = async (n: number) => {
      const records = [{ id: 1, n }];
      return (await gateway.call('datastore_upsert', { resource_id: 't1', method: 'update', records })).status;
    };
    const read = async (limit: number) => {
      const { records } = await gateway.result('datastore_search', { resource_id: 't1', limit });
      return records;
    };
    let limit = 10;
    const server = async () => {
      await read(limit++);
      return gateway.events.findLast((event) => event.on === 'queried')?.server;
    };
    try {
      const replace = await (engine === 'postgres' ? restored() : begun());
      await expect.poll(server, { timeout: 10_000 }).toBe('replica 1');
      await replace();
      pair.toPrimary.cut();
      await expect.poll(() => write(1), { timeout: 10_000 }).toBe(200);
      for (const wait of [0, 0, 100, 1500]) {
        await sleep(wait);
        expect([await read(limit++), await read(5000)]).toMatchObject([[{ n: 1 }], [{ n: 1 }]]);
      }
      expect(await server()).toBe('primary');
    } finally {
      await gateway.close();
    }
  });
});
