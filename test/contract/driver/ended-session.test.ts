import { once } from 'node:events';
import mysql from 'mysql2';
import { describe, inject, test } from 'vitest';
import * as drivers from '../../../src/execute/drivers/index.ts';
import { openSession } from '../../support/servers/engines.ts';

const tested = inject('engines').filter(({ client }) => client === 'mysql');

describe.runIf(tested.length > 0).concurrent.each(tested.map((engine) => [engine.name, engine] as const))(
  'on %s',
  (_, engine) => {
    test('a session is found idle, busy and ended, whatever other sessions do meanwhile', async ({ expect }) => {
      const { hostname, port, username, password } = new URL(engine.url);
      const entry = { host: hostname, port: Number(port), user: username, password: password || null };
      const driver = await drivers.mysql({ ...entry, database: 'information_schema', socketPath: null, tls: null });
      const raw = mysql.createConnection(engine.url);
      await once(raw, 'connect');
      const other = await openSession(engine);
      // While this runs, MySQL 9 cannot list its processes: the statement contains a four-byte character.
      const longStatement = other.query("SELECT SLEEP(2), '😀'");
      await driver.identify(raw);
      expect(await driver.activity(raw)).toBe('idle');
      const busy = raw.promise().query('SELECT SLEEP(0.3)');
      await expect.poll(() => driver.activity(raw), { timeout: 250, interval: 20 }).toBe('busy');
      await busy;
      raw.destroy();
      await expect.poll(() => driver.activity(raw), { timeout: 1500, interval: 20 }).toBe('ended');
      await longStatement;
      await other.close();
    });
  },
);
