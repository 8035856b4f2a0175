import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, onePerDriver, type ServerDatabase } from '../../support/servers/engines.ts';

/** Fewer operations than in other checks, because each waits for `maxStaleness`. */
const operations = Math.ceil(Number(process.env.SOAK_OPERATIONS ?? 6000) / 50);

/** A view that shows a change which does not affect the commit marker. */
const hidden = {
  postgres: {
    add: 'CREATE SEQUENCE s; CREATE VIEW v AS SELECT id, n, (SELECT last_value FROM s) AS m FROM t',
    remove: 'DROP SEQUENCE s',
  },
  mysql: {
    add: `CREATE TABLE u (n integer) ENGINE = MyISAM; INSERT INTO u VALUES (1);
      CREATE VIEW v AS SELECT id, t.n, (SELECT max(n) FROM u) AS m FROM t`,
    remove: 'DROP TABLE u',
  },
};

describe.each(byName(onePerDriver()))('several gateways over one database, on %s', (_, engine) => {
  let database: ServerDatabase;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id integer PRIMARY KEY, n integer); INSERT INTO t VALUES (1, 0)');
  });
  afterAll(() => database?.drop());

  const configuration = (maxStaleness: string | number, otherGateways: boolean) => ({
    databases: { db: { client: engine.client, connection: database.url, maxStaleness } },
    resources: { t: { database: 'db', table: 't', access: { read: 'public', write: 'token' } } },
    cache: { ttl: '1h', otherGateways },
  });

  const read = async ({ url }: TestGateway) => {
    const response = await fetch(`${url}/api/3/action/datastore_search?resource_id=t`);
    const { result }: { result: { records: { n: number }[] } } = JSON.parse(await response.text());
    return { n: result.records[0]?.n, isHit: response.headers.get('x-cache') === 'HIT' };
  };

  /** Writes through one gateway and immediately reads from the others. Counts old answers and hits. */
  async function old(
    maxStaleness: string | number,
    otherGateways: boolean,
  ): Promise<{ readonly old: number; readonly hits: number }> {
    const gateways = await Promise.all([1, 2, 3].map(() => startGateway(configuration(maxStaleness, otherGateways))));
    const found = { old: 0, hits: 0 };
    try {
      for (let n = 1; n <= operations / 3; n++) {
        const writer = gateways[n % 3];
        if (writer === undefined) break;
        const { status } = await writer.call('datastore_upsert', {
          ...{ resource_id: 't', method: 'update', records: [{ id: 1, n }] },
        });
        expect(status).toBe(200);
        const answers = [...(await Promise.all(gateways.map(read))), ...(await Promise.all(gateways.map(read)))];
        found.old += answers.filter((answer) => answer.n !== n).length;
        found.hits += answers.filter((answer) => answer.isHit).length;
      }
      return found;
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.close()));
    }
  }

  test.each(['50ms', '200ms', 0])(
    'no answer that was asked for after a write lacks it, with maxStaleness %s',
    async (maxStaleness) => {
      const { old: found, hits } = await old(maxStaleness, true);
      expect(found).toBe(0);
      // After each write, a commit marker that moves early proves nothing for a while.
      if (maxStaleness !== 0) expect(hits).toBeGreaterThan(0);
    },
    60_000 + operations * 100,
  );

  test('without cache.otherGateways there are such answers', async () => {
    expect((await old('200ms', false)).old).toBeGreaterThan(0);
  });

  describe('a view that begins to show what changes no token', () => {
    beforeEach(() => database.exec('CREATE VIEW v AS SELECT id, n FROM t'));
    afterEach(() => database.exec(`DROP VIEW v; ${hidden[engine.client].remove}`));
    const start = (otherGateways: boolean) => {
      const { databases, resources, ...rest } = configuration('50ms', otherGateways);
      const v = { ...resources.t, table: 'v', key: ['id'], access: { read: 'public' } };
      return startGateway({ ...rest, databases: { db: { ...databases.db, refresh: '1s' } }, resources: { v } });
    };
    const read = async ({ url }: TestGateway) => {
      const response = await fetch(`${url}/api/3/action/datastore_search?resource_id=v`);
      const { result }: { result: { records: { n: number; m?: unknown }[] } } = JSON.parse(await response.text());
      return { verdict: response.headers.get('x-cache'), ...result.records[0] };
    };
    const change = async (gateway: TestGateway) => {
      await expect.poll(async () => (await read(gateway)).verdict).toBe('HIT');
      await database.exec(`DROP VIEW v; ${hidden[engine.client].add}`);
      await expect.poll(async () => Object.keys(await read(gateway)), { timeout: 5000 }).toContain('m');
    };

    test('is not cached any more, because the other gateways would not notice all writes', async () => {
      const gateway = await start(true);
      try {
        await change(gateway);
        await expect.poll(async () => (await read(gateway)).verdict, { timeout: 5000 }).toBeNull();
      } finally {
        await gateway.close();
      }
    });

    test('still shows all other writes in time, to a gateway alone', async () => {
      const gateway = await start(false);
      try {
        await change(gateway);
        for (let n = 100_001; n < 100_004; n++) {
          await expect.poll(async () => (await read(gateway)).verdict).toBe('HIT');
          await database.exec(`UPDATE t SET n = ${n}`);
          await sleep(51);
          expect((await read(gateway)).n).toBe(n);
        }
      } finally {
        await gateway.close();
      }
    });
  });

  test('a resource whose writes the others would not notice is refused', async () => {
    await expect(startGateway(configuration('none', true))).rejects.toThrow(
      /^resources\.t\.cache\.ttl \(.*\) must be 0 with cache\.otherGateways, because .*: databases\.db\.maxStaleness is none$/,
    );
    const uncached = configuration('none', true);
    const gateway = await startGateway({ ...uncached, cache: { ttl: 0, otherGateways: true } });
    await gateway.close();
  });
});
