/** MariaDB with a binary log: while an XA transaction is prepared, no cached answer is used, and a log line tells the operator why. */
import { expect, test } from 'vitest';
import { check } from '../../../src/commands/check.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { variants } from '../../property/outside/variants.ts';
import { entry, startGateway } from '../../support/gateway.ts';
import { freshDatabase, openSession } from '../../support/servers/engines.ts';
import { openScope } from '../../support/servers/scope.ts';

const logging = variants().filter(({ name }) => name === 'mariadb with a log');

test.runIf(logging.length > 0).each(logging.map((one) => [one.name, one] as const))('on %s', async (_, variant) => {
  const scope = openScope();
  try {
    const database = await freshDatabase(await variant.start(scope));
    await database.exec('CREATE TABLE t (n int PRIMARY KEY) ENGINE=InnoDB');
    await database.exec('INSERT INTO t VALUES (1)');
    const configuration = {
      databases: { db: { ...entry(database), maxStaleness: 0 } },
      resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
      cache: { ttl: '1h' },
    };
    const warned = async () => {
      const loaded = loadSettings('my.yaml', {}, () => JSON.stringify(configuration));
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.complaints));
      const lines: string[] = [];
      await check(loaded.settings, loaded.positions, (line) => lines.push(line));
      return lines.filter((line) => line.includes('XA COMMIT'));
    };
    const gateway = await startGateway(configuration);
    const search = async () => {
      const answer = await fetch(`${gateway.url}/api/3/action/datastore_search?resource_id=t`);
      const { result }: { result: { records: readonly { n: number }[] } } = JSON.parse(await answer.text());
      return { by: answer.headers.get('x-cache'), rows: result.records.map(({ n }) => n) };
    };
    const other = await openSession(database);
    try {
      await search();
      expect(await search()).toEqual({ by: 'HIT', rows: [1] });
      expect(await warned()).toEqual([]);
      for (const sql of ["XA START 'x'", 'INSERT INTO t VALUES (2)', "XA END 'x'", "XA PREPARE 'x'"])
        await other.exec(sql);
      for (const _ of [1, 2]) {
        const { by, rows } = await search();
        expect(by).not.toBe('HIT');
        expect(rows).toEqual([1]);
      }
      expect(gateway.events.filter(({ on }) => on === 'not proved')).toEqual([
        expect.objectContaining({
          database: 'db',
          cause: expect.objectContaining({ message: expect.stringContaining('XA RECOVER') }),
        }),
      ]);
      expect(await warned()).toEqual([
        expect.stringContaining('uses no cached answer now: an XA transaction is prepared'),
      ]);
      await other.exec("XA COMMIT 'x'");
      // After failed samples of the commit marker the gateway pauses for up to two seconds.
      await expect.poll(search, { timeout: 10_000 }).toEqual({ by: 'HIT', rows: [1, 2] });
      expect(await warned()).toEqual([]);
    } finally {
      await other.close();
      await gateway.close();
      await database.drop();
    }
  } finally {
    await scope.close();
  }
});
