import { expect, test } from 'vitest';
import { Database } from '../../../src/execute/connection/database.ts';
import * as drivers from '../../../src/execute/drivers/index.ts';
import { openUnresponsivePort } from '../../support/deaf.ts';
import { backTo, handles } from '../../support/leaks.ts';

const address = { host: '127.0.0.1', user: null, password: null, database: 'x', socketPath: null, tls: null };

test('a server that does not even refuse is given up in time, and nothing waits for it after that', async () => {
  const before = handles();
  const deaf = await openUnresponsivePort();
  const one = async (client: 'postgres' | 'mysql') => {
    const database = new Database({
      ...{ name: client, driver: await drivers[client]({ ...address, port: deaf.port }) },
      ...{
        max: 2,
        acquireTimeout: 300,
        statementTimeout: 1000,
        dumps: { max: 1, timeout: 1000 },
        aggregates: { max: 1, timeout: 1 },
        replicas: [],
      },
      initSession: async () => undefined,
    });
    const timedQuery = async () => {
      const since = performance.now();
      const error = await database.use(async () => null).catch(String);
      return { error, milliseconds: performance.now() - since };
    };
    expect((await timedQuery()).error).toMatch('no connection');
    // A query is given up after two seconds.
    await expect.poll(() => database.isAway, { timeout: 4000, interval: 50 }).toBe(true);
    const away = await timedQuery();
    expect(away.error).toMatch('does not answer');
    expect(away.milliseconds).toBeLessThan(100);
    const since = performance.now();
    await database.close();
    // Closing waits for connections that are still being opened, but not longer than their timeout.
    expect(performance.now() - since).toBeLessThan(2500);
  };
  await Promise.all([one('postgres'), one('mysql')]);
  await deaf.close();
  await backTo(before, handles);
});
