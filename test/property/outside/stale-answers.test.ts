import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { open } from '../../support/open-database.ts';
import { freshDatabase, type ServerEngine } from '../../support/servers/engines.ts';
import { openScope, type Scope } from '../../support/servers/scope.ts';
import { check } from './check.ts';
import { variants } from './variants.ts';

const soak = process.env.SOAK_OPERATIONS;
const all = variants();
const reads = Math.ceil(Number(soak ?? 5000) / all.length / 2);

describe.each(all.map((variant) => [variant.name, variant] as const))('on %s', (name, variant) => {
  let scope: Scope;
  let engine: ServerEngine;
  beforeAll(async () => {
    scope = openScope();
    engine = await variant.start(scope);
  });
  afterAll(() => scope?.close());

  test('the best token is chosen; a commit changes it, reading does not', async () => {
    const database = await freshDatabase(engine);
    await database.exec('CREATE TABLE t (id integer PRIMARY KEY, n integer); INSERT INTO t VALUES (1, 0)');
    const opened = await open(database);
    try {
      const source = await opened.token();
      expect(variant.tokens).toContain(source?.name);
      if (source === null) return;
      const before = await opened.sample(source);
      // The other test files write to the same server.
      if (variant.isAlone) {
        await database.query('SELECT * FROM t');
        await opened.sql('SELECT * FROM t');
        expect(await opened.sample(source)).toBe(before);
      }
      await database.exec('UPDATE t SET n = 1');
      const written = await opened.sample(source);
      expect(written).not.toBe(before);
      await database.exec('CREATE VIEW w AS SELECT id FROM t');
      const viewed = await opened.sample(source);
      expect(viewed).not.toBe(written);
      await database.exec('DROP VIEW w');
      const dropped = await opened.sample(source);
      expect(dropped).not.toBe(viewed);
      await database.exec('DROP TABLE t');
      expect(await opened.sample(source)).not.toBe(dropped);
    } finally {
      await opened.close();
      await database.drop();
    }
  });

  test.each([{ maxStaleness: '50ms' }, { maxStaleness: 0 }])(
    'no cached answer is older than $maxStaleness after a commit past the gateway',
    async ({ maxStaleness }) => {
      const { stale, ...found } = await check(engine, { maxStaleness, reads });
      console.log(`${name} ${maxStaleness} ${JSON.stringify(found)}`);
      expect(stale).toEqual([]);
      // A checker that meets nothing finds nothing. With an early token and 0 there are hits only where nobody writes.
      if (maxStaleness !== 0) expect(found.hits).toBeGreaterThan(reads / 10);
      expect(found.misses).toBeGreaterThan(0);
      expect(found.writes).toBeGreaterThan(10);
    },
    60_000 + reads * 20,
  );
});
