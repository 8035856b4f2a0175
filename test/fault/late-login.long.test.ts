/** The server does not answer one login, but answers others: the call that waits for this session must be repeated. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { byName, freshDatabase, onePerDriver } from '../support/servers/engines.ts';
import { openTap } from '../support/tap.ts';

describe.each(byName(onePerDriver()))('%s', (_, engine) => {
  test('a login that takes longer than a driver waits is a 503, also for a call that came later', async () => {
    const database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id integer PRIMARY KEY)');
    const tap = await openTap(database.url);
    const gateway = await startGateway({
      databases: { db: { client: engine.client, connection: tap.url } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
    });
    try {
      const read = async () => (await gateway.call('datastore_search', { resource_id: 't' })).status;
      expect(await read()).toBe(200);
      // Only the first answer on the next connection is delayed beyond the timeout.
      let answers = 0;
      tap.watch(
        () => 'pass',
        () => (answers++ === 0 ? 6500 : 0),
      );
      tap.cut();
      const first = read();
      // By now the first call has given up, but its login is still in progress, and this call waits for it.
      const second = sleep(3500).then(read);
      expect(await first).toBe(503);
      expect([200, 503]).toContain(await second);
      await expect.poll(read).toBe(200);
    } finally {
      await gateway.close();
      tap.close();
      await database.drop();
    }
  });
});
