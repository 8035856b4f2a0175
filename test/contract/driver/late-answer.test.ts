/** An answer arrives after its timeout, while the session is being closed: it is still used, but later statements on the session fail with the timeout. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as dialects from '../../../src/dialects/index.ts';
import { Database } from '../../../src/execute/connection/database.ts';
import * as drivers from '../../../src/execute/drivers/index.ts';
import { isTimeout } from '../../../src/execute/read.ts';
import { byName, freshDatabase, onePerDriver, type ServerDatabase } from '../../support/servers/engines.ts';
import { openTap, type Tap } from '../../support/tap.ts';

const plain = (text: string) => ({ text, values: [] });
const slow = {
  postgres: plain('SELECT pg_sleep(1)'),
  mysql: plain('SELECT 1 FROM (SELECT 1 UNION SELECT 2) both_rows WHERE SLEEP(1)'),
};

describe.each(byName(onePerDriver()))('on %s', (_, engine) => {
  let server: ServerDatabase;
  let tap: Tap;
  let database: Database;
  beforeAll(async () => {
    server = await freshDatabase(engine);
    tap = await openTap(server.url);
    const { hostname, port, username, password, pathname } = new URL(tap.url);
    const driver = await drivers[engine.client]({
      ...{ host: hostname, port: Number(port), user: username, password: password || null },
      ...{ database: pathname.slice(1), socketPath: null, tls: null },
    });
    database = new Database({
      ...{ name: 'db', driver, max: 2, acquireTimeout: 5000, statementTimeout: 5000, replicas: [] },
      ...{ dumps: { max: 1, timeout: 5000 }, aggregates: { max: 1, timeout: 5000 } },
      initSession: async () => undefined,
    });
  });
  afterAll(async () => {
    await database?.close();
    tap?.close();
    await server?.drop();
  });

  test.each([
    ['its session is ended before its error comes', 400],
    ['its error comes before its session is ended', 0],
  ])('the next statement of its session times out, too: %s', async (_case, errorIsHeld) => {
    const family = dialects[engine.client];
    const dialect = family.dialect(
      family.server(await database.use((session) => session.run(plain(family.serverQuery)))),
    );
    const failed = await database.use(async (session) => {
      tap.watch(
        () => 'pass',
        (bytes) => (/interrupted|canceling/.test(bytes.toString('latin1')) ? errorIsHeld : 100),
      );
      expect((await session.run(plain('SELECT 7'), { deadline: 50 })).cells).toEqual([[expect.anything()]]);
      return session.run(slow[engine.client]).catch((error: unknown) => error);
    });
    expect(isTimeout(failed, dialect), String(failed)).toBe(true);
  });
});
