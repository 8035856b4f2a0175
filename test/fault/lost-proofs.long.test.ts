import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check, endStreams } from '../property/outside/check.ts';
import { failOver } from '../property/outside/failover.ts';
import { variants } from '../property/outside/variants.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { freshDatabase, openSession, type ServerDatabase, type ServerEngine } from '../support/servers/engines.ts';
import { openScope, type Scope } from '../support/servers/scope.ts';
import { openTap, type Tap } from '../support/tap.ts';

/** One server for each driver, without other clients, whose writes would invalidate the cache. */
const alone = variants().filter(({ hasLog }) => hasLog);
const tried = alone.filter(({ client }, nth) => alone.findIndex((other) => other.client === client) === nth);

const reads = Number(process.env.SOAK_OPERATIONS ?? 6000) / 10;

describe.each(tried.map((variant) => [variant.name, variant] as const))('on %s', (_, variant) => {
  let scope: Scope;
  let engine: ServerEngine;
  beforeAll(async () => {
    scope = openScope();
    engine = await variant.start(scope);
  });
  afterAll(() => scope?.close());

  test(
    'no cached answer is too old while the connections to the database are cut again and again',
    async () => {
      const { stale, hits, failed } = await check(engine, {
        ...{ maxStaleness: '50ms', reads },
        disturb: (tap) => tap.cut(),
      });
      expect(stale).toEqual([]);
      expect(hits).toBeGreaterThan(0);
      // A read is not repeated, so it fails if its connection is cut while it waits. If the next probe is cut as well, the database counts as down
      // for half a second.
      expect(failed).toBeLessThan(reads / 4);
    },
    60_000 + reads * 20,
  );

  test('nor while answers of the database are late, beyond what a proof holds', async () => {
    let delayMs = 0;
    const { stale } = await check(engine, {
      ...{ maxStaleness: '50ms', reads: 150 },
      disturb(tap) {
        delayMs = delayMs === 0 ? 40 : 0;
        tap.delay(delayMs);
      },
    });
    expect(stale).toEqual([]);
  }, 60_000);

  test.runIf(variant.client === 'postgres')(
    'nor while the stream of the log is ended by the server again and again',
    async () => {
      const session = await openSession(engine);
      try {
        const { stale, hits } = await check(engine, {
          ...{ maxStaleness: '50ms', reads, hasLog: true },
          disturb: () => session.exec(endStreams),
        });
        expect(stale).toEqual([]);
        expect(hits).toBeGreaterThan(0);
      } finally {
        await session.close();
      }
    },
    60_000 + reads * 20,
  );

  describe('a server that does not answer', () => {
    let database: ServerDatabase;
    let tap: Tap;
    let gateway: TestGateway;
    let configuration: (staleIfError: string) => Record<string, unknown>;
    beforeAll(async () => {
      database = await freshDatabase(engine);
      await database.exec('CREATE TABLE t (id integer PRIMARY KEY); INSERT INTO t VALUES (1)');
      tap = await openTap(database.url);
      const connection = {
        client: engine.client,
        connection: tap.url,
        statementTimeout: '500ms',
        maxStaleness: '50ms',
      };
      configuration = (staleIfError) => ({
        databases: { db: { ...connection, pool: { acquireTimeout: '300ms' } } },
        resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
        cache: { ttl: '1h', staleIfError },
      });
      gateway = await startGateway(configuration('1h'));
    });
    afterAll(async () => {
      tap?.thaw();
      await gateway?.close();
      tap?.close();
      await database?.drop();
    });

    const verdict = async () => {
      const response = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=t`);
      await response.arrayBuffer();
      return response.headers.get('x-cache');
    };

    test('proves nothing: its entries are used only as staleIfError allows, and again when it is back', async () => {
      await verdict();
      await expect.poll(verdict).toBe('HIT');
      tap.freeze();
      await sleep(60);
      // The first call waits for a proof, then for its own query. After that the server is known to be down.
      expect(await verdict()).toBe('STALE');
      expect(await Promise.all([verdict(), verdict(), verdict()])).toEqual(['STALE', 'STALE', 'STALE']);
      tap.thaw();
      await expect.poll(verdict).toBe('HIT');
    });

    test('nor are young ones used where staleIfError is 0', async () => {
      expect(await gateway.reload(configuration('0s'))).toEqual([]);
      await verdict();
      await expect.poll(verdict).toBe('HIT');
      tap.freeze();
      await sleep(60);
      // A 503 has no X-Cache header.
      for (let i = 0; i < 3; i++) expect(await verdict()).toBeNull();
      tap.thaw();
      await expect.poll(verdict).toBe('HIT');
    });
  });
});

const mariadb = alone.find(({ name }) => name === 'mariadb with a log');
test.skipIf(mariadb === undefined)(
  'another server at the same address, with an equal token',
  async () => {
    const scopes = [openScope(), openScope()] as const;
    try {
      if (mariadb === undefined) return;
      const [shown, is] = await failOver([await mariadb.start(scopes[0]), await mariadb.start(scopes[1])]);
      expect(shown).toBe(is);
    } finally {
      for (const scope of scopes) await scope.close();
    }
  },
  60_000,
);
