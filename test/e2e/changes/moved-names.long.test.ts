/** A reload gives a name to another resource just while the loop that serves the streams is sampling a commit marker. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { subscribe } from '../../support/event-stream.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { anyServer, freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';

const [engine] = anyServer();

describe.runIf(engine !== undefined)('events after a reload', () => {
  let database: ServerDatabase;
  let tap: Tap;
  let gateway: TestGateway;
  const configuration = (named: 'one' | 'other') => ({
    databases: { db: { client: database.client, connection: tap.url, maxStaleness: '50ms' } },
    resources: Object.fromEntries(
      ['one', 'other', 'third'].map((table) => [
        table,
        { database: 'db', table, ...(table === named ? { aliases: ['moving'] } : {}), access: { read: 'public' } },
      ]),
    ),
    cache: { ttl: '1h' },
  });

  beforeAll(async () => {
    if (engine === undefined) return;
    database = await freshDatabase(engine);
    const tables = ['one', 'other', 'third'].map((table) => `CREATE TABLE ${table} (id integer PRIMARY KEY)`);
    await database.exec(tables.join('; '));
    tap = await openTap(database.url);
    gateway = await startGateway(configuration('one'));
  });
  afterAll(async () => {
    await gateway?.close();
    tap?.close();
    await database?.drop();
  });

  test('a name that stands for another resource has one, whenever the reload comes', async () => {
    const stream = await subscribe(gateway.url, 'resource_id=moving&resource_id=third');
    await stream.until(2);
    // With this delay the loop spends most of its time waiting for the commit marker, so reloads hit that moment.
    tap.delay(20);
    for (let nth = 0; nth < 12; nth++) {
      const before = stream.changes.length;
      await sleep(nth * 13);
      expect(await gateway.reload(configuration(nth % 2 === 0 ? 'other' : 'one'))).toEqual([]);
      await expect
        .poll(() => stream.changes.slice(before).map(({ resource }) => resource), { timeout: 3000 })
        .toContain('moving');
      // Let other events of the reload arrive first.
      await sleep(200);
    }
    stream.close();
  });
});
