/** The database user lacks rights: `check` prints the GRANT that adds them, and reports nothing after it was run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../../src/commands/check.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { startGateway } from '../../support/gateway.ts';
import { byName, freshDatabase, openSession, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import type { Session } from '../../support/servers/sessions.ts';

const password = 'Hunter.2';
let users = 0;

describe.each(byName(servers()))('on %s', (name, engine) => {
  const isMysql = engine.client === 'mysql';
  const q = (word: string) => (isMysql ? `\`${word}\`` : `"${word}"`);
  const id = isMysql ? 'int NOT NULL AUTO_INCREMENT PRIMARY KEY' : 'serial PRIMARY KEY';
  let fresh: ServerDatabase;
  let base: string;
  let admin: Session;
  const dropped: string[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    base = new URL(fresh.url).pathname.slice(1);
    admin = await openSession(engine);
    await fresh.exec(
      ['film', 'actor', 'Odd One']
        .map((table) => `CREATE TABLE ${q(table)} (id ${id}, title varchar(20), ${q('the note')} varchar(20));`)
        .join('\n'),
    );
  });
  afterAll(async () => {
    await fresh?.drop();
    for (const drop of dropped) await admin.exec(drop);
    await admin?.close();
  });

  /** A new user: its name as in a GRANT, and the URL to log in with. */
  async function stranger(): Promise<{ user: string; url: string }> {
    const login = `gw_${process.pid}_${users++}`;
    const user = isMysql ? `'${login}'@'%'` : login;
    await admin.exec(isMysql ? `CREATE USER ${user} IDENTIFIED BY '${password}'` : `CREATE ROLE ${login} LOGIN`);
    if (!isMysql) await fresh.exec(`REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO ${login}`);
    dropped.push(`DROP ${isMysql ? 'USER' : 'ROLE'} ${user}`);
    const url = new URL(fresh.url);
    Object.assign(url, { username: login, password });
    return { user, url: url.href };
  }
  /** `invalidates` is set, because otherwise there would also be complaints about dependencies. */
  const resource = (table: string, more: object = {}) => ({ database: 'db', table, invalidates: [], ...more });
  async function checkLines(url: string, resources: Readonly<Record<string, object>>): Promise<readonly string[]> {
    const loaded = loadSettings('my.yaml', {}, () =>
      JSON.stringify(
        { databases: { db: { client: engine.client, connection: url, maxStaleness: 'none' } }, resources },
        null,
        1,
      ),
    );
    if (!loaded.ok) throw new Error(loaded.complaints.map(({ text }) => text).join('\n'));
    const lines: string[] = [];
    await check(loaded.settings, loaded.positions, (line) => lines.push(line));
    return lines.slice(1).map((line) => line.replace(/ \(my\.yaml:\d+:\d+\)/, ''));
  }
  /** The name of a table as in a GRANT. */
  const tableName = (table: string) =>
    isMysql ? `\`${base}\`.\`${table}\`` : /^[a-z]+$/.test(table) ? `public.${table}` : `public."${table}"`;
  const grantsIn = (lines: readonly string[]) =>
    lines.flatMap((line) => /GRANT [^;)]*(?:\([^)]*\)[^;)]*)*/.exec(line)?.[0] ?? []);

  test('a table that may not be read, and one that may not be written, is an error with the GRANT that mends it', async () => {
    const { user, url } = await stranger();
    await fresh.exec(`GRANT SELECT ON ${q('film')} TO ${user}; GRANT SELECT, DELETE ON ${q('Odd One')} TO ${user}`);
    const resources = {
      film: resource('film', { access: { write: 'token' } }),
      odd: resource('Odd One', { access: { write: 'token' } }),
      read: resource('film'),
      actor: resource('actor'),
    };
    const before = await checkLines(url, resources);
    const unread = isMysql
      ? `error: resources.actor.table must name a table or view of database "db" (if it is there, ${user} has no right to it: GRANT SELECT ON ${tableName('actor')} TO ${user}), got: "actor"`
      : `error: resources.actor.table may not be read by ${user}: GRANT SELECT ON ${tableName('actor')} TO ${user}`;
    const sequence = (of: string, sequence: string) =>
      isMysql
        ? []
        : [
            `error: resources.${of}.access.write is token, but ${user} may not use the sequence of new records: GRANT USAGE ON SEQUENCE public.${sequence} TO ${user}`,
          ];
    const expectedGrants = [
      `error: resources.film.access.write is token, but ${user} may not INSERT, UPDATE, DELETE: GRANT INSERT, UPDATE, DELETE ON ${tableName('film')} TO ${user}`,
      ...sequence('film', 'film_id_seq'),
      `error: resources.odd.access.write is token, but ${user} may not INSERT, UPDATE: GRANT INSERT, UPDATE ON ${tableName('Odd One')} TO ${user}`,
      ...sequence('odd', '"Odd One_id_seq"'),
      unread,
    ];
    expect([...before].sort()).toEqual([...expectedGrants, `${expectedGrants.length} errors`].sort());
    for (const grant of grantsIn(before)) await fresh.exec(grant);
    expect(await checkLines(url, resources)).toEqual(['4 resources can be served']);
  });

  test('an upsert locks what it finds, also in a table of nothing but a key', async () => {
    const { user, url } = await stranger();
    await fresh.exec(
      `CREATE TABLE pair (a int, b int, PRIMARY KEY (a, b)); GRANT SELECT, INSERT, DELETE ON pair TO ${user}`,
    );
    const resources = { pair: resource('pair', { access: { write: 'token' } }) };
    const before = await checkLines(url, resources);
    const grant = 'GRANT UPDATE ON public.pair TO';
    expect(before).toEqual(
      isMysql
        ? ['1 resource can be served']
        : [`error: resources.pair.access.write is token, but ${user} may not UPDATE: ${grant} ${user}`, '1 error'],
    );
    for (const sql of grantsIn(before)) await fresh.exec(sql);
    const gateway = await startGateway({ databases: { db: { client: engine.client, connection: url } }, resources });
    try {
      for (const method of ['upsert', 'upsert'])
        await gateway.result('datastore_upsert', {
          resource_id: 'pair',
          method,
          records: [{ a: 1, b: method.length }],
        });
    } finally {
      await gateway.close();
    }
  });

  test.skipIf(isMysql)('the default of a domain needs its sequence, where the column has none of its own', async () => {
    const { user, url } = await stranger();
    await fresh.exec(`CREATE SEQUENCE "Num bers"; CREATE DOMAIN counted AS integer DEFAULT nextval('"Num bers"');
      CREATE TABLE given (id integer PRIMARY KEY, n counted DEFAULT 0); CREATE TABLE taken (id integer PRIMARY KEY, n counted);
      GRANT SELECT, INSERT, UPDATE, DELETE ON given, taken TO ${user}`);
    const access = { write: 'token' };
    const resources = { given: resource('given', { access }), taken: resource('taken', { access }) };
    const lines = await checkLines(url, resources);
    expect(lines).toEqual([
      `error: resources.taken.access.write is token, but ${user} may not use the sequence of new records: GRANT USAGE ON SEQUENCE public."Num bers" TO ${user}`,
      '1 error',
    ]);
    for (const grant of grantsIn(lines)) await fresh.exec(grant);
    expect(await checkLines(url, resources)).toEqual(['2 resources can be served']);
  });

  test('rights to columns count: those that are needed, and no others', async () => {
    const { user, url } = await stranger();
    const note = q('the note');
    await fresh.exec(
      `GRANT SELECT (id, title), INSERT (id, title, ${note}), UPDATE (title) ON ${q('actor')} TO ${user}`,
    );
    await fresh.exec(`GRANT DELETE ON ${q('actor')} TO ${user}`);
    if (!isMysql) await fresh.exec(`GRANT USAGE ON SEQUENCE actor_id_seq TO ${user}`);
    const access = { write: 'token' };
    const hidden = { 'the note': { hidden: true } };
    expect(await checkLines(url, { actor: resource('actor', { access, columns: hidden }) })).toEqual([
      '1 resource can be served',
    ]);
    expect(await checkLines(url, { actor: resource('actor', { access }) })).toEqual([
      `error: resources.actor.table has columns that ${user} may not read: GRANT SELECT (${isMysql ? note : '"the note"'}) ON ${tableName('actor')} TO ${user}; or hide them`,
      `error: resources.actor.access.write is token, but ${user} may not UPDATE: GRANT UPDATE (${isMysql ? note : '"the note"'}) ON ${tableName('actor')} TO ${user}`,
      '2 errors',
    ]);
    expect(await checkLines(url, { actor: resource('actor', { columns: hidden }) })).toEqual([
      '1 resource can be served',
    ]);
  });

  test.runIf(isMysql)('a hidden column may be one to which the user has no right at all', async () => {
    const { user, url } = await stranger();
    await fresh.exec(`GRANT SELECT (id, title) ON ${q('actor')} TO ${user}`);
    const hidden = { 'the note': { hidden: true } };
    expect(await checkLines(url, { actor: resource('actor', { columns: hidden }) })).toEqual([
      `warning: resources.actor.columns."the note" is not shown to ${user}, so it is hidden if it is there`,
      '1 resource can be served',
    ]);
    // Columns that are not hidden need the right to be read. Once the user may read all columns, an unknown column in the configuration is an error.
    const shown = { 'the note': { readOnly: true } };
    expect((await checkLines(url, { actor: resource('actor', { columns: shown }) }))[0]).toMatch(
      /must name a column of "actor"/,
    );
    await fresh.exec(`GRANT SELECT ON ${q('actor')} TO ${user}`);
    const misspelt = { 'the notes': { hidden: true } };
    expect((await checkLines(url, { actor: resource('actor', { columns: misspelt }) }))[0]).toMatch(
      /must name a column of "actor"/,
    );
  });

  test.skipIf(name === 'mysql56')('a role with enough rights causes no complaint', async () => {
    const { user, url } = await stranger();
    const role = `gw_${process.pid}_role`;
    await admin.exec(`CREATE ROLE ${role}`);
    dropped.push(`DROP ROLE ${role}`);
    await fresh.exec(
      isMysql ? `GRANT ALL ON ${q(base)}.* TO ${role}` : `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
    if (!isMysql)
      await fresh.exec(
        `GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}; GRANT USAGE ON SCHEMA public TO ${role}`,
      );
    await admin.exec(`GRANT ${role} TO ${user}`);
    if (isMysql) await admin.exec(`SET DEFAULT ROLE ${role} ${name === 'mariadb' ? 'FOR' : 'TO'} ${user}`);
    expect(await checkLines(url, { film: resource('film', { access: { write: 'token' } }) })).toEqual([
      '1 resource can be served',
    ]);
  });

  test.runIf(isMysql)('rights to databases by a pattern, or to all, count', async () => {
    for (const where of [`${q(base.replaceAll('_', '\\_').replace(/.$/, '_'))}.*`, '*.*']) {
      const { user, url } = await stranger();
      await admin.exec(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${where} TO ${user}`);
      expect(await checkLines(url, { film: resource('film', { access: { write: 'token' } }) })).toEqual([
        '1 resource can be served',
      ]);
      // This user can see all tables, so a missing table really does not exist.
      expect((await checkLines(url, { film: resource('nowhere') }))[0]).toBe(
        'error: resources.film.table must name a table or view of database "db", got: "nowhere"',
      );
    }
  });

  test.runIf(!isMysql)('a schema that may not be used has a message of its own', async () => {
    const { user, url } = await stranger();
    await fresh.exec(
      `CREATE SCHEMA "Shut"; CREATE TABLE "Shut".t (id int PRIMARY KEY); GRANT SELECT ON "Shut".t TO ${user}`,
    );
    const resources = { t: resource('t', { schema: 'Shut' }) };
    const grant = `GRANT USAGE ON SCHEMA "Shut" TO ${user}`;
    expect(await checkLines(url, resources)).toEqual([
      `error: resources.t.table is in a schema that ${user} may not use: ${grant}`,
      '1 error',
    ]);
    await fresh.exec(grant);
    expect(await checkLines(url, resources)).toEqual(['1 resource can be served']);
  });

  test.runIf(isMysql)('a complaint about many resources is one line, with the remedy', async () => {
    const { user, url } = await stranger();
    await admin.exec(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${q(base)}.* TO ${user}`);
    const resources = Object.fromEntries(
      Array.from({ length: 11 }, (_, nth) => [
        `r.${nth}`,
        { database: 'db', table: 'film', access: { write: 'token' } },
      ]),
    );
    const grant = `GRANT TRIGGER ON ${q(base)}.* TO ${user}`;
    expect(await checkLines(url, resources)).toEqual([
      `warning: resources.*.invalidates of "r.0", "r.1", "r.2", "r.3", "r.4" and 6 more should list what a write changes beside the table itself; now each makes all kept answers of the server old, because ${user} may not see its triggers: ${grant}`,
      '11 resources can be served',
    ]);
    await admin.exec(grant);
    expect(await checkLines(url, resources)).toEqual(['11 resources can be served']);
  });

  test('serve warns of it and goes on: the right may be given later', async () => {
    const { user, url } = await stranger();
    await fresh.exec(`GRANT SELECT ON ${q('film')} TO ${user}`);
    const gateway = await startGateway({
      databases: { db: { client: engine.client, connection: url, refresh: '100ms' } },
      resources: { film: resource('film', { access: { read: 'public', write: 'token' } }) },
    });
    try {
      const warned = () => gateway.events.flatMap((event) => (event.on === 'warned' ? [event.text] : []));
      const grants = grantsIn(warned());
      expect(grants).toHaveLength(isMysql ? 1 : 2);
      const insert = { resource_id: 'film', method: 'insert', records: [{ title: 'A' }] };
      expect((await gateway.call('datastore_upsert', insert)).status).toBe(403);
      for (const grant of grants) await fresh.exec(grant);
      expect((await gateway.call('datastore_upsert', insert)).status).toBe(200);
      // No further warning after the next catalogue reading. (A reading in between may have seen half of the grants.)
      const last = (on: string) => gateway.events.findLastIndex((event) => event.on === on);
      await expect.poll(() => last('database reached') > last('warned'), { timeout: 10_000 }).toBe(true);
    } finally {
      await gateway.close();
    }
  });

  const served = (url: string, resources: Readonly<Record<string, object>>) => ({
    databases: { db: { client: engine.client, connection: url, maxStaleness: 'none', refresh: 0 } },
    resources,
  });
  const error = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    return [status, JSON.parse(text).error?.message];
  };

  test.runIf(isMysql)('a broken view is named as such, and the others are served', async () => {
    const { user } = await stranger();
    await fresh.exec('CREATE TABLE base (id int PRIMARY KEY, a int); CREATE TABLE gone (id int)');
    await fresh.exec('CREATE FUNCTION fixed_number() RETURNS int DETERMINISTIC RETURN 1');
    const views = { column: 'a FROM base', table: 'id FROM gone', called: 'fixed_number() AS id FROM base' };
    for (const [name, reads] of Object.entries(views)) await fresh.exec(`CREATE VIEW of_${name} AS SELECT ${reads}`);
    await fresh.exec('CREATE VIEW of_view AS SELECT a FROM of_column');
    await fresh.exec(`CREATE DEFINER = ${user} VIEW of_definer AS SELECT id FROM base`);
    await fresh.exec(`GRANT SELECT ON ${q(base)}.base TO ${user}`);
    const all = ['column', 'table', 'called', 'view', 'definer'];
    const resources = Object.fromEntries(all.map((one) => [one, resource(`of_${one}`)]));
    const gateway = await startGateway(served(fresh.url, resources));
    const broken = [
      503,
      'broken in the database: a table, column, function or definer that the view or a trigger needs is gone',
    ];
    try {
      const search = (resource_id: string) => error(gateway.call('datastore_search', { resource_id }));
      expect((await search('column'))[0]).toBe(200);
      await fresh.exec('ALTER TABLE base DROP COLUMN a; DROP TABLE gone; DROP FUNCTION fixed_number');
      await admin.exec(dropped.pop() ?? '');
      for (const one of all) expect([one, ...(await search(one))]).toEqual([one, ...broken]);
      expect(await gateway.reload(served(fresh.url, { ...resources, film: resource('film') }))).toEqual([]);
      expect((await search('film'))[0]).toBe(200);
      for (const one of all) expect([one, ...(await search(one))]).toEqual([one, ...broken]);
      const lines = await checkLines(fresh.url, resources);
      expect(lines.flatMap((line) => /^error: resources\.(\w+)\.table .* broken/.exec(line)?.[1] ?? [])).toEqual(all);
      await fresh.exec('CREATE OR REPLACE VIEW of_table AS SELECT id FROM base');
      expect((await search('table'))[0]).toBe(200);
    } finally {
      await gateway.close();
    }
  });

  test.runIf(!isMysql)('a materialized view without data says what fills it', async () => {
    await fresh.exec(
      'CREATE MATERIALIZED VIEW empty AS SELECT 1 AS id WITH NO DATA; CREATE VIEW above AS SELECT id FROM empty',
    );
    const resources = { empty: resource('empty'), above: resource('above'), film: resource('film') };
    const gateway = await startGateway(served(fresh.url, resources));
    try {
      for (const resource_id of ['empty', 'above']) {
        expect(await error(gateway.call('datastore_search', { resource_id }))).toEqual([
          503,
          'a materialized view is not populated: its owner has to REFRESH MATERIALIZED VIEW',
        ]);
      }
      const errors = (await checkLines(fresh.url, resources)).filter((line) => /^error/.test(line));
      expect(errors).toEqual([
        'error: resources.*.table of empty, above is not populated, or reads what is not: its owner has to REFRESH MATERIALIZED VIEW',
      ]);
      await fresh.exec('REFRESH MATERIALIZED VIEW empty');
      expect(await gateway.result('datastore_search', { resource_id: 'above' })).toMatchObject({ total: 1 });
      expect((await checkLines(fresh.url, resources)).at(-1)).toBe('3 resources can be served');
    } finally {
      await gateway.close();
    }
  });
});
