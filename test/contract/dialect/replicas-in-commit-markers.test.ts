/**
 * A server that does not log what it applies as a replica: the commit marker must change nevertheless, even if no sample is taken while the replica
 * is running.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { variants } from '../../property/outside/variants.ts';
import { entry, startGateway } from '../../support/gateway.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { freshDatabase, openSession, type ServerDatabase } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import type { Session } from '../../support/servers/sessions.ts';

const table = 'CREATE TABLE t (id int PRIMARY KEY, n int) ENGINE=InnoDB; INSERT INTO t VALUES (1, 0)';
/** The markers that remain usable in this case. */
const remainingMarkers = new Map([
  ['mariadb with a log', 'Innodb_max_trx_id'],
  // The other counter of MySQL 5.6 also changes with reads.
  ['mysql56 with a log', null],
]);
const alone = variants().filter(({ name }) => remainingMarkers.has(name));

describe.each(alone.map((variant) => [variant.name, variant] as const))('on %s', (name, variant) => {
  const scopes: Scope[] = [];
  let database: ServerDatabase;
  let primary: Session;
  let opened: Opened;
  let settings: string;
  let writes = 0;
  const start = () => {
    const scope = openScope();
    scopes.push(scope);
    return variant.start(scope);
  };
  beforeAll(async () => {
    database = await freshDatabase(await start());
    const engine = await start();
    const { pathname } = new URL(database.url);
    const admin = await openSession(engine);
    await admin.exec(`CREATE DATABASE ${pathname.slice(1)}`);
    await admin.close();
    const url = Object.assign(new URL(engine.url), { pathname });
    primary = await openSession({ client: variant.client, url: url.href });
    for (const session of [primary, database]) await session.exec(table);
    await primary.exec('RESET MASTER');
    await database.exec('SET GLOBAL server_id = 2');
    settings = `MASTER_HOST='127.0.0.1', MASTER_PORT=${url.port}, MASTER_USER='root', MASTER_LOG_FILE='log.000001', MASTER_LOG_POS=4`;
    opened = await open(database);
  });
  afterAll(async () => {
    await opened?.close();
    await primary?.close();
    for (const scope of scopes) await scope.close();
  });

  const chosen = async () => {
    const source = await opened.commitMarkers();
    if (source === null) throw new Error('no token');
    return source;
  };
  /** Makes the server a replica until it has applied one commit. */
  const applyOne = async () => {
    writes += 1;
    await primary.exec(`UPDATE t SET n = ${writes}`);
    await database.exec(`CHANGE MASTER TO ${settings}`);
    await database.exec('START SLAVE');
    const applied = async () => (await opened.sql('SELECT n FROM t')).cells.map(([cell]) => String(cell));
    await expect.poll(applied, { timeout: 10_000 }).toEqual([String(writes)]);
    await database.exec('STOP SLAVE');
  };

  test('has no token of its log after it was a replica between two samples', async () => {
    const source = await chosen();
    expect(variant.commitMarkers).toEqual([source.name]);
    await opened.sample(source);
    await applyOne();
    await expect(opened.sample(source)).rejects.toThrow('the server does not show');
    expect((await opened.commitMarkers())?.name ?? null).toBe(remainingMarkers.get(name));
  });

  test.runIf(name.startsWith('mysql'))('has another one where the settings of the replica are gone, too', async () => {
    await database.exec('RESET SLAVE ALL');
    const source = await chosen();
    const before = await opened.sample(source);
    await applyOne();
    await database.exec('RESET SLAVE ALL');
    expect(await opened.sample(source)).not.toBe(before);
  });

  test('leaves no old answer behind, also after the gateway has read the definitions again', async () => {
    const gateway = await startGateway({
      databases: { db: { ...entry(database), maxStaleness: '50ms', refresh: '200ms' } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
      cache: { ttl: '1h' },
    });
    const read = async () => {
      const response = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=t&fields=n`);
      const { result } = JSON.parse(await response.text());
      return { cache: response.headers.get('x-cache'), records: result.records };
    };
    try {
      const records = [{ n: writes }];
      await expect.poll(read).toEqual({ cache: 'HIT', records });
      for (let nth = 0; nth < 3; nth += 1) {
        await applyOne();
        await sleep(500);
        expect(await read()).toMatchObject({ records: [{ n: writes }] });
      }
    } finally {
      await gateway.close();
    }
  });
});
