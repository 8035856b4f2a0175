import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dependenciesOf, indexed } from '../../../src/cache/invalidation.ts';
import type { Effects } from '../../../src/model/catalog.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';

const shared = `
  CREATE TABLE parent (id integer PRIMARY KEY, u integer UNIQUE);
  CREATE TABLE child (id integer PRIMARY KEY, p integer UNIQUE, CONSTRAINT c1 FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE);
  CREATE TABLE grandchild (id integer PRIMARY KEY, p integer, CONSTRAINT c2 FOREIGN KEY (p) REFERENCES child (id) ON DELETE SET NULL);
  CREATE TABLE renamed (id integer PRIMARY KEY, p integer, CONSTRAINT c3 FOREIGN KEY (p) REFERENCES parent (u) ON UPDATE CASCADE);
  CREATE TABLE held (id integer PRIMARY KEY, p integer, CONSTRAINT c4 FOREIGN KEY (p) REFERENCES parent (id));
  CREATE TABLE lone (id integer PRIMARY KEY);
  CREATE TABLE watched (id integer PRIMARY KEY);
  CREATE TABLE above_watched (id integer PRIMARY KEY);
  CREATE TABLE under_watched (id integer PRIMARY KEY, p integer, CONSTRAINT c5 FOREIGN KEY (p) REFERENCES above_watched (id) ON DELETE CASCADE);
  CREATE VIEW one AS SELECT id FROM child;
  CREATE VIEW two AS SELECT a.id, 'x.y(' AS t FROM one a JOIN lone b ON a.id = b.id;
  CREATE VIEW asks AS SELECT id FROM lone WHERE id = called();`;
const postgres = `
  CREATE FUNCTION called() RETURNS integer LANGUAGE sql AS 'SELECT 1';
  ${shared}
  CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER t1 AFTER INSERT ON watched FOR EACH ROW EXECUTE FUNCTION noted();
  CREATE TRIGGER t2 AFTER INSERT ON under_watched FOR EACH ROW EXECUTE FUNCTION noted();
  CREATE TABLE whole (id integer) PARTITION BY RANGE (id);
  CREATE TABLE low PARTITION OF whole FOR VALUES FROM (0) TO (10); CREATE TABLE high PARTITION OF whole FOR VALUES FROM (10) TO (20);
  CREATE TABLE ruled (id integer); CREATE RULE r AS ON INSERT TO ruled DO ALSO DELETE FROM lone;
  CREATE FUNCTION pure(integer) RETURNS integer IMMUTABLE LANGUAGE sql AS 'SELECT $1';
  CREATE FUNCTION writes(integer) RETURNS boolean LANGUAGE sql AS 'DELETE FROM lone; SELECT true';
  CREATE DOMAIN judged AS integer CHECK (writes(VALUE));
  CREATE TABLE by_default (id integer, n boolean DEFAULT writes(1));
  CREATE TABLE by_check (id integer CHECK (writes(id)));
  CREATE TABLE by_domain (id judged);
  CREATE DOMAIN preset AS boolean DEFAULT writes(1); CREATE TABLE by_preset (id integer, n preset);
  CREATE TABLE by_policy (id integer); CREATE POLICY p ON by_policy USING (writes(id));
  CREATE VIEW by_view AS SELECT id FROM held WHERE writes(id);
  CREATE TABLE by_pure (id integer CHECK (pure(id) > 0), n integer DEFAULT pure(1), u uuid DEFAULT gen_random_uuid());`;
const mysql = `
  CREATE FUNCTION called() RETURNS integer DETERMINISTIC RETURN 1;
  ${shared}
  CREATE TRIGGER t1 AFTER INSERT ON watched FOR EACH ROW SET @x = 1;
  CREATE TRIGGER t2 AFTER INSERT ON under_watched FOR EACH ROW SET @x = 1;
  CREATE VIEW zoned AS SELECT CONVERT_TZ('2026-07-01', 'UTC', 'Europe/Berlin') AS t FROM held;`;

describe.each(engines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const isMysql = engine.client === 'mysql';
  let fresh: FreshDatabase;
  let opened: Opened;
  let effects: Effects;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec(isMysql ? mysql : postgres);
    opened = await open(fresh);
    ({ effects } = await opened.catalog());
  });
  afterAll(async () => {
    await opened?.close();
    await fresh?.drop();
  });

  const countersOf = (name: string, narrowed: readonly string[] | null = null) =>
    dependenciesOf(relation(name), [indexed(effects)], narrowed?.map(relation) ?? null);
  const relation = (name: string) => ({ database: effects.database, schema: isMysql ? null : 'public', name });
  const all = ['parent', 'child', 'grandchild', 'renamed', 'held', 'lone', 'one', 'two', 'asks', 'watched'];
  /** The tables whose answers a write to this table invalidates. */
  const touched = (name: string, narrowed: readonly string[] | null = null) =>
    all.filter((other) =>
      countersOf(other).dependsOn.some((counter) => countersOf(name, narrowed).invalidates.includes(counter)),
    );

  test.each([
    // `asks` calls a function, which may read any table.
    ['lone', ['lone', 'two', 'asks']],
    ['grandchild', ['grandchild', 'asks']],
    ['child', ['child', 'grandchild', 'one', 'two', 'asks']],
    ['parent', ['parent', 'child', 'grandchild', 'renamed', 'one', 'two', 'asks']],
    ['held', ['held', 'asks']],
    // A write through a view changes the tables below it, and from there whatever depends on them.
    ['one', ['child', 'grandchild', 'one', 'two', 'asks']],
    ['two', ['child', 'grandchild', 'lone', 'one', 'two', 'asks']],
    ['watched', all],
    ['above_watched', all],
  ])('a write to %s invalidates the tables that it may change, and no more', (name, expected) => {
    expect(touched(name)).toEqual(expected);
  });

  test('dependencies that cannot be proved have a reason, and the operator may narrow them', () => {
    expect(countersOf('watched').unproved).toBe('it has triggers');
    expect(countersOf('above_watched').unproved).toBe(
      'it is written together with "under_watched", and there: it has triggers',
    );
    expect(countersOf('parent').unproved).toBeNull();
    expect(touched('watched', [])).toEqual(['asks', 'watched']);
    expect(touched('watched', ['child'])).toEqual(['child', 'one', 'two', 'asks', 'watched']);
  });

  test.runIf(isMysql)('a view of times in named zones may show anything: the zones are tables, too', () => {
    expect(countersOf('zoned').dependsOn).toEqual(countersOf('asks').dependsOn);
    expect(countersOf('zoned').dependsOn).not.toEqual(countersOf('held').dependsOn);
  });

  test.skipIf(isMysql)('partitions show in the whole, and the whole is written to its partitions', () => {
    const shows = (name: string) =>
      ['whole', 'low', 'high'].filter((other) =>
        countersOf(other).dependsOn.some((one) => countersOf(name).invalidates.includes(one)),
      );
    expect(shows('low')).toEqual(['whole', 'low']);
    expect(shows('whole')).toEqual(['whole', 'low', 'high']);
    expect(countersOf('ruled').unproved).toBe('it has rules');
  });

  test.skipIf(isMysql)('a function that runs with a write may change any table, unless it cannot write', () => {
    const callers = ['by_default', 'by_check', 'by_domain', 'by_preset', 'by_policy', 'by_view'];
    expect(callers.map((name) => [name, countersOf(name).unproved])).toEqual(
      callers.map((name) => [name, 'its writes call functions']),
    );
    expect(countersOf('by_pure').unproved).toBeNull();
    // Below the view, but the view cannot write to it.
    expect(countersOf('held').unproved).toBeNull();
  });

  test('one server is one, by whatever address', async () => {
    const again = await opened.catalog();
    expect(again.effects.server).toBe(effects.server);
    expect(effects.server.length).toBeGreaterThan(12);
    expect(effects.database).not.toBe('');
  });
});

describe.each(
  engines()
    .filter(({ client }) => client === 'mysql')
    .map((engine) => [engine.name, engine] as const),
)('a user with few rights on %s', (_, engine) => {
  test('sees no triggers, so nothing is proved of his writes', async () => {
    if (engine.client !== 'mysql') return;
    const fresh = await freshDatabase(engine);
    const user = `u${fresh.url.slice(-8)}`;
    await fresh.exec(`CREATE TABLE t (id integer PRIMARY KEY); CREATE VIEW v AS SELECT id FROM t;
        CREATE USER '${user}'@'%' IDENTIFIED BY 'pass'; GRANT SELECT, INSERT, UPDATE, DELETE ON \`${new URL(fresh.url).pathname.slice(1)}\`.* TO '${user}'@'%'`);
    const url = new URL(fresh.url);
    [url.username, url.password] = [user, 'pass'];
    const opened = await open({ ...fresh, url: url.href });
    try {
      const { effects } = await opened.catalog();
      const countersOf = (name: string) =>
        dependenciesOf({ database: effects.database, schema: null, name }, [indexed(effects)], null);
      expect(countersOf('t').unproved).toMatch(
        /^'\w+'@'%' may not see its triggers: GRANT TRIGGER ON `\w+`\.\* TO '\w+'@'%'$/,
      );
      // Nor can it know the tables below a view, so any write may affect the view.
      expect(countersOf('v').dependsOn.some((counter) => countersOf('t').invalidates.includes(counter))).toBe(true);
    } finally {
      await opened.close();
      await fresh.exec(`DROP USER '${user}'@'%'`);
      await fresh.drop();
    }
  });
});
