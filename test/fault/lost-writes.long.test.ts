/** The connection is lost in the middle of a write. Soon after, the application must be able to write the record. */
import { describe, test } from 'vitest';
import { entry, startGateway } from '../support/gateway.ts';
import { byName, freshDatabase, openSession, servers } from '../support/servers/engines.ts';
import { openTap, type Tap } from '../support/tap.ts';

interface Loss {
  lose(tap: Tap): void;
  /** Milliseconds within which the record must be unlocked. */
  readonly within: number;
}

const losses: Readonly<Record<string, Loss>> = {
  // As if the gateway's host had lost power: only the server can end the session.
  'nothing reaches the server any more': { lose: (tap) => tap.freeze(), within: 40_000 },
  'the gateway can open other connections': { lose: (tap) => tap.forget(), within: 15_000 },
};

/** Longer than a test takes, in milliseconds: the message is never delivered. */
const never = 80_000;

/** Whether the message contains the actual write, not only a statement that locks records. */
const isWriting = (bytes: Buffer): boolean =>
  /\b(insert into|update) [^o]/i.test(bytes.toString('latin1').replace(/for (no key )?update/gi, ''));

describe.concurrent.each(byName(servers()))('on %s', (_, engine) => {
  test.concurrent.for(Object.entries(losses))(
    'the application writes the record of an open transaction: %s',
    { timeout: 80_000 },
    async ([, { lose, within }], { expect, onTestFinished }) => {
      const database = await freshDatabase(engine);
      await database.exec('CREATE TABLE t (k int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0), (2, 0)');
      const application = await openSession({ client: engine.client, url: database.url });
      const tap = await openTap(database.url);
      const gateway = await startGateway({
        databases: { db: { ...entry(database), connection: tap.url, statementTimeout: '2s' } },
        resources: { t: { database: 'db', table: 't', access: { read: 'token', write: 'token' } } },
      });
      onTestFinished(async () => {
        tap.close();
        await gateway.close();
        await application.close();
        await database.drop();
      });
      let at: 'begin' | 'written' | 'lost' = 'begin';
      tap.watch((bytes) => {
        if (at === 'written') {
          at = 'lost';
          lose(tap);
          return { holdFor: never };
        }
        if (at === 'begin' && isWriting(bytes)) at = 'written';
        return 'pass';
      });
      const records = [1, 2].map((k) => ({ k, n: 1 }));
      const call = gateway.call('datastore_upsert', { resource_id: 't', records });
      await expect.poll(() => at).toBe('lost');
      if (engine.client === 'mysql') await application.exec('SET innodb_lock_wait_timeout = 60');
      const since = performance.now();
      await application.exec('UPDATE t SET n = 7 WHERE k = 1');
      const milliseconds = performance.now() - since;
      expect(milliseconds).toBeLessThan(within);
      // If it can, the gateway repeats the write, after the application's own.
      const isWritten = (await call).status === 200;
      expect(await database.query('SELECT n FROM t ORDER BY k')).toEqual(isWritten ? [['1'], ['1']] : [['7'], ['0']]);
    },
  );
});
