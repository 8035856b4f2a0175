/** `check` reports what is exposed and what is not: unlisted tables, and new columns whose names suggest secrets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report, runCheck } from '../../support/advised.ts';
import { entry } from '../../support/gateway.ts';
import {
  byName,
  engines,
  type FreshDatabase,
  fewEngines,
  fewServers,
  freshDatabase,
} from '../../support/servers/engines.ts';

/** PGlite is tested too, because it has no users. Advice about tables is the same on all engines; `npm run fuzz` tests them all. */
const some = engines().filter((one) => one.client === 'pglite' || fewServers().includes(one));

describe.each(byName(some))('on %s', (_, engine) => {
  const q = (name: string) => (engine.client === 'mysql' ? `\`${name}\`` : `"${name}"`);
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec(
      `CREATE TABLE customer (id int PRIMARY KEY, name varchar(20), api_token varchar(40), pw_hash varchar(40));
       CREATE TABLE orders (id int PRIMARY KEY); CREATE TABLE ${q('odd, table')} (id int PRIMARY KEY);
       CREATE TABLE schema_migrations (id int); CREATE TABLE customer_bak (id int);
       CREATE VIEW names AS SELECT id, name FROM customer`,
    );
  });
  afterAll(() => fresh?.drop());

  const written = (columns: object = {}, more: object = {}) => ({
    databases: { db: entry(fresh) },
    resources: { people: { database: 'db', table: 'customer', columns, ...more } },
  });
  const decided = { pw_hash: { hidden: true }, api_token: { hidden: false } };
  const ofTables = test.runIf(fewEngines().includes(engine));

  ofTables('a column whose name says a secret, until somebody has decided about it', async () => {
    const warnings = async (columns: object, more: object = {}) =>
      (await runCheck(written(columns, more))).filter((line) => /^warning: resources/.test(line));
    const says = (column: string) =>
      `warning: resources.people (my.yaml:9:3) shows the column ${column}, whose name says a secret: hide it, or write \`hidden: false\``;
    expect(await warnings({})).toEqual([says('api_token'), says('pw_hash')]);
    expect(await warnings({ pw_hash: { hidden: true } })).toEqual([says('api_token')]);
    expect(await warnings(decided)).toEqual([]);
    expect(await warnings({ id: {}, name: {} }, { expose: 'listed' })).toEqual([]);
  });

  test.runIf(engine.client === 'mysql')('a BOOLEAN that is shown as a number, until somebody has decided', async () => {
    await fresh.exec(
      'CREATE TABLE flags (id int PRIMARY KEY, active boolean, `a b` tinyint(1), small tinyint, b bit(1))',
    );
    const warnings = async (columns: object) =>
      (
        await runCheck({
          databases: { db: entry(fresh) },
          resources: { f: { database: 'db', table: 'flags', columns } },
        })
      )
        .filter((line) => /^warning: resources/.test(line))
        .map((line) => line.replace(/^.* shows /, ''));
    const says = (column: string, key: string) =>
      `${column}, a BOOLEAN (tinyint(1)), as a number: write \`${key}: { boolean: true }\` for true and false, or \`boolean: false\``;
    try {
      expect(await warnings({})).toEqual([says('active', 'active'), says('"a b"', '"a b"')]);
      expect(await warnings({ active: { boolean: true }, 'a b': { boolean: false } })).toEqual([]);
      expect(await warnings({ active: { hidden: true } })).toEqual([says('"a b"', '"a b"')]);
    } finally {
      await fresh.exec('DROP TABLE flags');
    }
  });

  ofTables('tables that are not in the file, without those that nobody would list', async () => {
    const lines = await runCheck(written(decided));
    expect(lines.slice(1)).toEqual([
      'warning: databases.db (my.yaml:3:3) has 3 tables that are not in the file: names, "odd, table", orders',
      '1 resource can be served',
    ]);
    const all = ['orders', 'odd, table', 'names'].map((table) => [table, { database: 'db', table, key: ['id'] }]);
    const { databases, resources } = written(decided);
    const complete = await runCheck({ databases, resources: { ...resources, ...Object.fromEntries(all) } });
    expect(complete.slice(1)).toEqual(['4 resources can be served']);
  });

  ofTables('no more than ten of them are named', async () => {
    const tables = Array.from({ length: 12 }, (__, nth) => `more_${String(nth).padStart(2, '0')}`);
    await fresh.exec(tables.map((name) => `CREATE TABLE ${name} (id int);`).join('\n'));
    try {
      const [line = ''] = (await runCheck(written(decided))).filter((one) => one.startsWith('warning'));
      expect(line).toMatch(/has 15 tables that are not in the file: more_00, .*more_09, … and 5 more$/);
    } finally {
      await fresh.exec(tables.map((name) => `DROP TABLE ${name};`).join('\n'));
    }
  });

  ofTables('--list: what is exposed, and what is not', async () => {
    const all = await runCheck(written({ ...decided, name: { as: 'called' } }), { list: true });
    const start = all.findIndex((line) => line.startsWith('resource '));
    // Whether the server's log can be read depends on its setup.
    for (const line of all.slice(2, start))
      expect(line).toMatch(
        /^ {2}(.* names? the tables that others write|a write of others invalidates all answers| {2}\S)/,
      );
    const lines = [...all.slice(0, 2), ...all.slice(start)];
    const schema = engine.client === 'mysql' ? '' : 'public.';
    expect(lines[1]).toMatch(
      /^ {2}(cached answers are at most 50 ms behind what others write, by|what others write is seen)/,
    );
    expect(lines[2]).toBe(`resource people: table db.${schema}customer, read token, write none, key id`);
    expect(
      lines.slice(3, 7).map((line) => line.replace(/(?:character varying|varchar|integer|int)(?:\(\d+\))?/, 'T')),
    ).toEqual(['  id         T', '  name       T  as called', '  api_token  T', '  pw_hash    T  hidden']);
    expect(lines.slice(7, 13)).toEqual([
      'not in the file, of database db:',
      '  names',
      '  odd, table',
      '  orders',
      '  customer_bak  (looks like a copy)',
      '  schema_migrations  (of a migration tool)',
    ]);
  });

  test('--json: one document with the same', async () => {
    const all = await report(written({ pw_hash: { hidden: true } }));
    expect(all).toMatchObject({
      servable: true,
      errors: [],
      warnings: [{ path: 'resources.people', where: 'my.yaml:9:3' }, { path: 'databases.db' }],
      notInFile: [{ tables: ['names', 'odd, table', 'orders'] }],
    });
    // An embedded database has only one user, so advice to create another one would be useless.
    const rules = engine.client === 'pglite' ? [] : ['rights'];
    // MySQL 5.6 has no statement timeout, so it always gets that advice.
    expect(all.advice.map(({ rule }) => rule).filter((rule) => rule !== 'time-limits')).toEqual(rules);
    expect(all.resources[0]?.columns?.map(({ name, as }) => [name, as])).toEqual([
      ['id', 'id'],
      ['name', 'name'],
      ['api_token', 'api_token'],
      ['pw_hash', null],
    ]);
  });
});
