import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/model/rows.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { byName, freshDatabase, type ServerDatabase, servers } from '../../support/servers/engines.ts';

/** Each change runs in a transaction with a change of a row in another table. The log names only that table. */
const changes = [
  'CREATE OR REPLACE VIEW v AS SELECT id, n + 1 AS n FROM a',
  'ALTER TABLE a ADD COLUMN m integer',
  'ALTER TABLE a DROP COLUMN m',
  'ALTER TABLE a RENAME COLUMN n TO k',
  'ALTER TABLE a RENAME TO a2',
  'ALTER TABLE p DETACH PARTITION p1',
  'ALTER TABLE p ATTACH PARTITION p1 FOR VALUES FROM (0) TO (100)',
  'ALTER TABLE child NO INHERIT parent',
  'REFRESH MATERIALIZED VIEW mv',
  'CREATE POLICY pol ON secret USING (id > 1)',
  'DROP POLICY pol ON secret',
  'ALTER TABLE secret DISABLE ROW LEVEL SECURITY',
  'CREATE OR REPLACE FUNCTION f() RETURNS integer LANGUAGE sql AS $$SELECT 2$$',
  `ALTER TYPE mood RENAME VALUE 'sad' TO 'glad'`,
  'CREATE TRIGGER t AFTER UPDATE ON a2 FOR EACH ROW EXECUTE FUNCTION tf()',
  'ALTER TABLE a2 DISABLE TRIGGER t',
  'REVOKE SELECT ON a2 FROM PUBLIC',
  'ALTER TEXT SEARCH CONFIGURATION cfg ALTER MAPPING FOR word WITH english_stem',
  'ALTER TEXT SEARCH CONFIGURATION cfg DROP MAPPING FOR word',
  'ALTER TEXT SEARCH DICTIONARY dict (STOPWORDS = english)',
  'DROP VIEW v',
  'TRUNCATE a2',
];
const schema = `CREATE TABLE other (id integer PRIMARY KEY, n integer); INSERT INTO other VALUES (1, 0); CREATE TABLE a (id integer PRIMARY KEY, n integer);
  CREATE VIEW v AS SELECT id, n FROM a; CREATE MATERIALIZED VIEW mv AS SELECT id FROM a; GRANT SELECT ON a TO PUBLIC;
  CREATE TABLE p (id integer) PARTITION BY RANGE (id); CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (100);
  CREATE TABLE parent (id integer); CREATE TABLE child () INHERITS (parent);
  CREATE TABLE secret (id integer); ALTER TABLE secret ENABLE ROW LEVEL SECURITY; CREATE TYPE mood AS ENUM ('sad');
  CREATE TEXT SEARCH CONFIGURATION cfg (COPY = simple); CREATE TEXT SEARCH DICTIONARY dict (TEMPLATE = simple);
  CREATE FUNCTION f() RETURNS integer LANGUAGE sql AS $$SELECT 1$$;
  CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$;`;

describe.each(byName(servers().filter(({ client }) => client === 'postgres')))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let opened: Opened;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    await database.exec(schema);
    opened = await open(database);
  });
  afterAll(async () => {
    await opened?.close();
    await database?.drop();
  });

  test('a change of definitions is noticed beside rows, and rows alone are none', async () => {
    const source = await opened.commitMarkers();
    const log = source?.log;
    if (source === null || log === null || log === undefined) throw new Error('no log');
    const names = ['a', 'a2', 'v', 'p', 'p1', 'parent', 'child', 'mv', 'secret'].map((name) => ({
      ...{ database: '', schema: 'public', name },
    }));
    let marks = new Set<string>();
    /** Whether the log alone can tell what these statements have changed. */
    const isNamed = async (statements: string) => {
      const before = await opened.sample(source);
      await database.exec(statements);
      const after = await opened.sample(source);
      const ids = source.ended(before, after) ?? [];
      const inspected: Answer[] = [];
      const sent = performance.now();
      for (const statement of log.inspect?.(before, ids, names) ?? []) inspected.push(await opened.run(statement));
      const question = log.question({ before, after }, ids, inspected);
      expect(question?.workMs).toBeGreaterThan(0);
      expect(question?.workMs).toBeLessThan(performance.now() - sent + 1);
      const isKept = question?.ddlMarks.every((mark) => marks.has(mark)) ?? false;
      marks = new Set(question?.ddlMarks);
      return isKept;
    };
    const rows = 'BEGIN; UPDATE other SET n = n + 1; COMMIT';
    await isNamed(rows);
    const unnoticed: string[] = [];
    for (const change of changes) {
      if (await isNamed(`BEGIN; UPDATE other SET n = n + 1; ${change}; COMMIT`)) unnoticed.push(change);
      // The drop itself is noticed once.
      await isNamed(rows);
      expect([change, await isNamed(rows)]).toEqual([change, true]);
    }
    expect(unnoticed).toEqual([]);
    const elsewhere =
      'CREATE TABLE another (id integer PRIMARY KEY REFERENCES other); CREATE TEMP TABLE scratch (n integer)';
    expect(await isNamed(`BEGIN; UPDATE other SET n = n + 1; ${elsewhere}; COMMIT`)).toBe(true);
  });
});
