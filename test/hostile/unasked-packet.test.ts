/** The server sends an unexpected packet on an idle connection of the pool: the process must survive. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { entry, startGateway } from '../support/gateway.ts';
import { openRecorder } from '../support/replay.ts';
import { byName, freshDatabase, servers } from '../support/servers/engines.ts';

const packets = {
  postgres: [
    ['an error without an end', Buffer.of(0x45, 0, 0, 0, 5, 0x53)],
    ['a message of no length', Buffer.of(0x44, 0, 0, 0, 0)],
    ['a notice of 32 MB', Buffer.of(0x4e, 2, 0, 0, 0)],
  ],
  mysql: [
    ['an error shorter than its head', Buffer.of(1, 0, 0, 0, 0xff)],
    ['an empty packet', Buffer.of(0, 0, 0, 0)],
    ['a row', Buffer.of(2, 0, 0, 5, 0xfe, 0xff)],
  ],
} as const;

describe.each(byName(servers()))('on %s', (_, engine) => {
  test.each([...packets[engine.client]])('%s', async (_what, bytes) => {
    const database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id int PRIMARY KEY)');
    const stage = await openRecorder(database.url);
    const thrown: unknown[] = [];
    const onThrown = (error: unknown) => thrown.push(error);
    process.on('uncaughtException', onThrown);
    const gateway = await startGateway({
      databases: { db: { ...entry(database), connection: stage.url } },
      resources: { t: { database: 'db', table: 't' } },
    });
    try {
      await gateway.result('datastore_search', { resource_id: 't' });
      stage.say(bytes);
      await sleep(100);
      expect((await gateway.result('datastore_search', { resource_id: 't' })).total).toBe(0);
      expect(thrown).toEqual([]);
    } finally {
      process.off('uncaughtException', onThrown);
      await gateway.close();
      stage.close();
      await database.drop();
    }
  });
});
