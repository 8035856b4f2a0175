import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSettings } from '../../../src/config/load.ts';
import { closePools, openPools } from '../../../src/servers/pools.ts';
import { readDatabases } from '../../../src/tables/snapshot.ts';
import { entry } from '../../support/gateway.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import { watchStatements } from '../../support/watch-statements.ts';

const many = 60;

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    const tables = Array.from(
      { length: many },
      (_, nth) => `CREATE TABLE t${nth} (id integer PRIMARY KEY, name varchar(20) UNIQUE);`,
    );
    await fresh.exec(tables.join('\n'));
  });
  afterAll(() => fresh?.drop());

  /** The number of statements that a start sends with this many resources, each with its own table. */
  async function statements(resources: number): Promise<number> {
    const configuration = {
      databases: { db: entry(fresh) },
      resources: Object.fromEntries(
        Array.from({ length: resources }, (_, nth) => [`r${nth}`, { database: 'db', table: `t${nth}` }]),
      ),
    };
    const loaded = loadSettings('test.yaml', {}, () => JSON.stringify(configuration));
    if (!loaded.ok) throw new Error(loaded.complaints.map(({ text }) => text).join('\n'));
    const pools = await openPools(loaded.settings);
    let count = 0;
    for (const pool of pools.values()) watchStatements(pool, () => count++);
    try {
      const views = await readDatabases(loaded.settings, pools);
      const tables = [...(views.get('db')?.tables.values() ?? [])];
      expect(tables.filter((table) => typeof table === 'string')).toEqual([]);
      expect(tables).toHaveLength(resources);
    } finally {
      await closePools(pools);
    }
    return count;
  }

  test('a handful of statements, however many tables', async () => {
    const forOneResource = await statements(1);
    // Among these are at most eight that look for the commit marker, five that check the server's log, and five that check times of changes.
    expect(forOneResource).toBeLessThanOrEqual(27);
    expect(await statements(many)).toBe(forOneResource);
  });
});
