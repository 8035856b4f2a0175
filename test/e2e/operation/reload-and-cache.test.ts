import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, ask, metric } from '../../support/admin-port.ts';
import { entry, startGateway, type TestGateway } from '../../support/gateway.ts';
import { anyServer, byName, freshDatabase, type ServerDatabase } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';

describe.each(byName(anyServer()))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let tap: Tap;
  let gateway: TestGateway;
  let configuration: Record<string, unknown>;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(`CREATE TABLE t (id int PRIMARY KEY, name varchar(20)); INSERT INTO t VALUES (1, 'one')`);
    tap = await openTap(database.url);
    configuration = {
      databases: { db: { ...entry(database), connection: tap.url } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
      cache: { ttl: '1h' },
      admin: { port: 0 },
    };
    gateway = await startGateway(configuration);
  });
  afterAll(async () => {
    await gateway?.close();
    tap?.close();
    await database?.drop();
  });

  const cachedEntries = async () =>
    metric((await ask(adminOf(gateway), '/metrics')).text, 'gateway_cache_entries') ?? Number.NaN;
  const search = async (name: string) =>
    (await gateway.call('datastore_search', { resource_id: 't', filters: { name } })).headers.get('x-cache');
  const reload = async () => expect(await gateway.reload(configuration)).toEqual([]);

  test('entries of the former configuration are not kept, nor is its catalogue', async () => {
    expect([await search('one'), await search('one'), await search('two')]).toEqual(['MISS', 'HIT', 'MISS']);
    expect(await cachedEntries()).toBeGreaterThan(0);
    await reload();
    expect(await cachedEntries()).toBe(0);
    expect([await search('one'), await search('one')]).toEqual(['MISS', 'HIT']);
  });

  test('a call that ends after the reload leaves no entry in the former gateway', async () => {
    await reload();
    await search('three');
    const each = await cachedEntries();
    await reload();
    const isAsked = new Promise<void>((asked) =>
      tap.watch((bytes) => {
        if (!bytes.includes('slowly')) return 'pass';
        asked();
        return { holdFor: 500 };
      }),
    );
    const slow = search('slowly');
    await isAsked;
    await reload();
    expect(await slow).toBe('MISS');
    tap.watch(() => 'pass');
    // The response is cached like any other, but the decision that its caller may see it is not.
    expect(await cachedEntries()).toBe(each - 1);
    expect([await search('slowly'), await search('slowly')]).toEqual(['MISS', 'HIT']);
  });
});
