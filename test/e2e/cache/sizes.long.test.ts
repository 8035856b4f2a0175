import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { entry, startGateway } from '../../support/gateway.ts';
import { anyServer, byName, freshDatabase } from '../../support/servers/engines.ts';

test.each(byName(anyServer()))(
  'sizes are kept for ten seconds, however long the other answers are, on %s',
  async (_, engine) => {
    const database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)');
    const gateway = await startGateway({
      databases: { db: { ...entry(database), maxStaleness: 'none' } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
      cache: { ttl: '1h' },
    });
    const isHit = async (action: string) =>
      (await fetch(`${gateway.url}/api/3/action/${action}`)).headers.get('x-cache') === 'HIT';
    const [sizes, others] = ['datastore_info?resource_id=t', 'datastore_info?resource_id=t&include_meta=false'];
    const both = async () => [await isHit(sizes), await isHit(others)];
    try {
      await both();
      expect(await both()).toEqual([true, true]);
      await sleep(10_100);
      expect(await both()).toEqual([false, true]);
    } finally {
      await gateway.close();
      await database.drop();
    }
  },
);
