/** A Galera node that has lost its cluster refuses all statements, but keeps its connections open. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, ask } from '../support/admin-port.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { freshDatabase, openSession, type ServerDatabase, servers } from '../support/servers/engines.ts';
import { startMariadb } from '../support/servers/mariadb.ts';
import { thisMachine } from '../support/servers/programs.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import type { Session } from '../support/servers/sessions.ts';

/** Where MariaDB packages install the Galera library. */
const provider = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'].find(existsSync);
const mariadb = servers().find(({ name }) => name === 'mariadb');
const isHere = process.env.TEST_MARIADB_URL === undefined;

describe.runIf(mariadb !== undefined && isHere && provider !== undefined)('a node of Galera', () => {
  let scope: Scope;
  let database: ServerDatabase;
  let node: Session;
  let gateway: TestGateway;
  beforeAll(async () => {
    if (mariadb === undefined) return;
    scope = openScope();
    const url = await startMariadb(scope, thisMachine(), [
      ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--wsrep-on=1', `--wsrep-provider=${provider}`],
      // A cluster with only this node; it listens on no fixed port.
      ...['--wsrep-cluster-address=gcomm://', '--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:0'],
    ]);
    database = await freshDatabase({ ...mariadb, url });
    await database.exec('CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0)');
    node = await openSession({ client: 'mysql', url });
    gateway = await startGateway({
      databases: { db: { client: 'mysql', connection: database.url, maxStaleness: '50ms' } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public', write: 'token' } } },
      cache: { ttl: '1h' },
      admin: { port: 0 },
    });
  }, 60_000);
  afterAll(async () => {
    await gateway?.close();
    await node?.close();
    await database?.drop();
    await scope?.close();
  });

  const read = () => gateway.call('datastore_search', { resource_id: 't' });
  const write = () =>
    gateway.call('datastore_upsert', { resource_id: 't', method: 'update', records: [{ id: 1, n: 1 }] });

  const isReady = async () => (await ask(adminOf(gateway), '/ready')).status === 200;

  test('has no server error while it is cut off, shows nothing that is not proved, and is used again at once', async () => {
    expect((await read()).status).toBe(200);
    await node.exec("SET GLOBAL wsrep_reject_queries = 'ALL'");
    await expect.poll(async () => (await read()).status).toBe(503);
    const refused = await write();
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('the database is busy, try again')]);
    await expect.poll(isReady).toBe(false);
    await node.exec("SET GLOBAL wsrep_reject_queries = 'NONE'");
    await expect.poll(isReady).toBe(true);
    expect((await write()).status).toBe(200);
    expect((await read()).text).toContain('"n":1');
    // The outcome of every write is known, so caching resumes.
    await expect.poll(async () => (await read()).headers.get('x-cache')).toBe('HIT');
  });
});
