/** `init`, `add` and `serve URL` as separate processes, on one server per driver. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openProgram, type Program } from '../../support/program.ts';
import {
  anyServer,
  byName,
  freshDatabase,
  onePerDriver,
  openSession,
  type ServerDatabase,
  servers,
} from '../../support/servers/engines.ts';
import { openTap } from '../../support/tap.ts';
import { typed } from '../../support/typed.ts';

let program: Program;
let folder: string;
let file: string;
beforeAll(() => {
  program = openProgram();
});
afterAll(() => program?.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-init-'));
  file = join(folder, 'gateway.yaml');
  return () => rmSync(folder, { recursive: true, force: true });
});

const text = () => readFileSync(file, 'utf8');
const resources = (): Record<string, unknown> => parse(text()).resources;

describe.each(byName(onePerDriver()))('on %s', (_, engine) => {
  let database: ServerDatabase;
  let databaseName: string;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    databaseName = new URL(database.url).pathname.slice(1);
    await database.exec('CREATE TABLE film (id int PRIMARY KEY, title varchar(80), email varchar(80))');
    await database.exec("INSERT INTO film VALUES (1, 'Alien', 'a@example.org')");
    await database.exec('CREATE TABLE actor (id int PRIMARY KEY, name varchar(80), password varchar(80))');
    await database.exec('CREATE VIEW films AS SELECT title FROM film');
  });
  afterAll(() => database?.drop());
  /** For tests that do not depend on the server. */
  const once = test.runIf(anyServer().includes(engine));
  const init = (...args: readonly string[]) => typed(['init', database.url, '-o', file, ...args]);

  once('a file that is there is not touched without --merge', async () => {
    writeFileSync(file, 'mine');
    const { code, stderr } = await init();
    expect([code, stderr]).toEqual([
      2,
      `${file} exists: --merge adds to it, -o FILE writes another, --dry-run only shows\n`,
    ]);
    expect(text()).toBe('mine');
  });

  once('--dry-run prints a whole configuration and writes nothing', async () => {
    const { code, stdout } = await init('--dry-run', '--read', 'public');
    expect(code).toBe(0);
    expect(Object.keys(parse(stdout).resources)).toEqual(['actor', 'film', 'films']);
    expect(readdirSync(folder)).toEqual([]);
  });

  once('patterns choose tables, and one that finds none is refused', async () => {
    expect((await init('--tables', 'film*', '--except', 'films', '--read', 'public')).code).toBe(0);
    expect(Object.keys(resources())).toEqual(['film']);
    // All tables are public, so no token is created.
    expect(parse(text()).tokens).toBeUndefined();
    const { code, stderr } = await init('--merge', '--tables', 'flim');
    expect([code, stderr]).toEqual([
      2,
      `no table or schema of database ${databaseName} matches "flim" (did you mean "film"?)\n`,
    ]);
  });

  once('--ids uuid gives ids that stay, and the names as aliases', async () => {
    expect((await init('--ids', 'uuid', '--tables', 'film')).code).toBe(0);
    const [first = ''] = Object.keys(resources());
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(resources()[first]).toMatchObject({ aliases: ['film'] });
    rmSync(file);
    await init('--ids', 'uuid', '--tables', 'film');
    expect(Object.keys(resources())).toEqual([first]);
  });

  test('a password is neither in the file nor in what is printed', async () => {
    const url = new URL(database.url);
    url.username ||= 'nobody';
    url.password = 'hunter2';
    const wrong = await typed(['init', url.href, '-o', file]);
    expect(`${wrong.stdout}${wrong.stderr}${readdirSync(folder)}`).not.toContain('hunter2');
  });

  test('a password in the URL becomes a variable, which the file asks for from then on', async () => {
    const url = new URL(database.url);
    url.password = 'p%40ss';
    // PostgreSQL trusts local connections here. The other servers need a user with this password.
    if (engine.client === 'mysql') {
      url.username = databaseName;
      await database.exec(`CREATE USER '${databaseName}'@'%' IDENTIFIED BY 'p@ss'`);
      await database.exec(`GRANT SELECT, SHOW VIEW ON \`${databaseName}\`.* TO '${databaseName}'@'%'`);
    }
    const right = url.href;
    const ended = await typed(['init', right, '-o', file, '--tables', 'film']);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/set the variable \w+_PASSWORD before/) });
    expect(text()).toMatch(/connection: ".*:\$\{\w+_PASSWORD\}@/);
    const [, variable = ''] = /set the variable (\w+)/.exec(ended.stderr) ?? [];
    const merge = ['init', right, '-o', file, '--merge', '--tables', 'actor'];
    const without = await typed(merge);
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining(`environment variable ${variable}, which is not set`),
    ]);
    expect(await typed(merge, { [variable]: 'p@ss' })).toMatchObject({ code: 0 });
    expect(Object.keys(resources())).toEqual(['film', 'actor']);

    // A password in a variable is not written to the file, and no other variable is suggested.
    rmSync(file);
    const inVariable = right.replace('p%40ss', `\${OWN}`);
    const third = await typed(['init', inVariable, '-o', file, '--tables', 'film'], { OWN: 'p@ss' });
    expect(third).toMatchObject({ code: 0, stderr: expect.not.stringContaining('set the variable') });
    expect(text()).toContain(JSON.stringify(inVariable));
    if (engine.client === 'mysql') await database.exec(`DROP USER '${databaseName}'@'%'`);
  });

  once('add inserts a table with the id of a portal, into a file with a style of its own', async () => {
    await init('--tables', 'film');
    // Somebody edits the file, moves it elsewhere, and links to it.
    const edited = text().replace('resources:\n', 'resources:   # ours\n').replaceAll('\n', '\r\n');
    const elsewhere = join(folder, 'elsewhere.yaml');
    writeFileSync(elsewhere, edited);
    rmSync(file);
    symlinkSync(elsewhere, file);
    const added = await typed(['add', file, `${databaseName}.actor`, '--id', '5c8f-id', '--read', 'public']);
    expect(added).toMatchObject({ code: 0, stdout: '' });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(resources()).toMatchObject({ '5c8f-id': { table: 'actor', access: { read: 'public' } } });
    const [before = '', behind = ''] = text().split(/^ {2}(?:# about .*\r\n {2})?"5c8f-id":\r\n(?: {4}.*\r\n)+/m);
    expect(before + behind).toBe(edited);
    const again = await typed(['add', file, `${databaseName}.films`, '--id', '5c8f-id']);
    expect([again.code, again.stderr]).toEqual([2, `--id must be an id that ${file} does not have, got: 5c8f-id\n`]);
  });

  once('add names what it does not know', async () => {
    await init('--tables', 'film');
    const none = await typed(['add', file, 'nix.film']);
    expect([none.code, none.stderr]).toEqual([
      2,
      `"nix.film" must be DATABASE.TABLE, with a database of ${file}: ${databaseName}\n`,
    ]);
    const there = await typed(['add', file, `${databaseName}.film`]);
    expect([there.code, there.stderr]).toEqual([2, `${file} has film already: its resource is film\n`]);
    const noTable = await typed(['add', file, `${databaseName}.flim`]);
    expect([noTable.code, noTable.stderr]).toEqual([
      2,
      `no table or schema of database ${databaseName} matches "flim" (did you mean "film"?)\n`,
    ]);
  });

  test('--merge tells of new columns and of tables that are gone, and writes neither', async () => {
    await database.exec(
      'CREATE TABLE club (id int PRIMARY KEY, called varchar(80)); CREATE TABLE old_club (id int PRIMARY KEY)',
    );
    try {
      await init('--tables', 'club', '--tables', 'old_club');
      const listed = '  club_listed: { database: DB, table: club, expose: listed, columns: { id: {} } }\n'.replace(
        'DB',
        databaseName,
      );
      writeFileSync(file, text().replace('resources:\n', `resources:\n${listed}`));
      const before = text();
      const merged = ['--merge', '--tables', '*club'];
      expect(await init(...merged)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('personal') });
      await database.exec('ALTER TABLE club ADD COLUMN email varchar(80), ADD COLUMN api_token varchar(80)');
      const changed = await init(...merged);
      expect(changed.code).toBe(0);
      expect(changed.stderr).toContain('not listed, so nobody sees them: club_listed: called, email, api_token\n');
      expect(changed.stderr).toContain(
        'look personal, and are shown: club: email: hide them, or write `hidden: false`\n',
      );
      expect(changed.stderr).toMatch(
        /^warning: resources\.club \S+ shows the column api_token, whose name says a secret/m,
      );
      expect(changed.stderr).toMatch(/^warning: databases\.\S+ \S+ has \d tables that are not in the file: /m);
      await database.exec('DROP TABLE old_club');
      const ended = await init('--merge', '--tables', '*club');
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(/^error: resources\.old_club\.table /m)]);
      expect(text()).toBe(before);
      // `add` for a single table does not comment on other tables.
      const added = await typed(['add', file, `${databaseName}.film`]);
      expect(added.stderr).not.toMatch(/not listed|look personal|not in the file/);
    } finally {
      await database.exec('DROP TABLE club; DROP TABLE IF EXISTS old_club');
    }
  });

  once('where nothing can be inserted, the lines to paste are printed', async () => {
    await init('--tables', 'film');
    const inBraces = JSON.stringify(parse(text()));
    writeFileSync(file, inBraces);
    const { code, stdout } = await init('--merge', '--tables', 'actor');
    expect(code).toBe(2);
    expect(Object.keys(parse(stdout).resources)).toEqual(['actor']);
    expect(text()).toBe(inBraces);
  });

  test('for everybody only columns are listed that neither their names, comments nor values make private', async () => {
    const isMysql = engine.client === 'mysql';
    const comment = (text: string) => (isMysql ? ` COMMENT '${text}'` : '');
    await database.exec(
      `CREATE TABLE guest (guestno int PRIMARY KEY, lastname varchar(40), creditcardapprovalcode varchar(20), born date, note1 varchar(200)${comment('Mobile phone of the guest')},
        contact varchar(80), extra text, phone_number_type varchar(20), passwd_min_length int, room_count bigint, ibanlike varchar(40))`,
    );
    await database.exec('CREATE TABLE knob (knob varchar(40) PRIMARY KEY, thevalue text)');
    if (!isMysql) await database.exec("COMMENT ON COLUMN guest.note1 IS 'Mobile phone of the guest'");
    const births = ['1951-02-03', '1960-12-31', '1978-05-05', '1984-01-01', '1999-09-09', '2001-11-30'];
    for (const [nth, day] of births.entries())
      await database.exec(
        `INSERT INTO guest VALUES (${nth}, 'A', 'x', '${day}', NULL, 'guest${nth}@example.org', 'password=hunter2', 'home', 8, ${nth}, 'GB29NWBK60161331926819')`,
      );
    await database.exec("INSERT INTO knob VALUES ('EMAIL_SMTPAUTH_PASSWORD', 'hunter2'), ('PER_PAGE', '20')");
    try {
      const only = ['--tables', 'guest', '--tables', 'knob', '--read', 'public', '--yes'];
      const shown = () => {
        const { guest, knob } = parse(text()).resources;
        const names = ({ columns }: { columns: object }) =>
          Object.entries(columns).flatMap(([name, { hidden = false }]) => (hidden ? [] : [name]));
        return { expose: guest.expose, guest: names(guest), knob: names(knob) };
      };
      const ended = await init(...only);
      expect(ended).toMatchObject({ code: 0 });
      expect(`${ended.stdout}${ended.stderr}${text()}`).not.toMatch(/hunter2|NWBK|example\.org/);
      const listed = ['guestno', 'phone_number_type', 'passwd_min_length', 'room_count'];
      expect(shown()).toEqual({ expose: 'listed', guest: listed, knob: ['knob'] });
      // A column added later stays hidden, and a personal column that was listed by hand is reported.
      await database.exec('ALTER TABLE guest ADD COLUMN shoe_size int');
      writeFileSync(file, text().replace(/lastname: .*/, 'lastname: {}'));
      const { stdout } = await program.run(['check', file, '--list', '--advise', '--only', 'privacy']);
      expect(stdout).toMatch(/shoe_size .*hidden/);
      expect(stdout).toMatch(
        /resources\.guest \S+ shows lastname to everyone, and its name or comment says personal data/,
      );
      rmSync(file);
      await init(...only, '--no-samples');
      const unsampled = {
        guest: [...listed, 'born', 'contact', 'extra', 'ibanlike', 'shoe_size'].toSorted(),
        knob: ['knob', 'thevalue'],
      };
      expect({ guest: shown().guest.toSorted(), knob: shown().knob }).toEqual(unsampled);
    } finally {
      await database.exec('DROP TABLE guest');
      await database.exec('DROP TABLE knob');
    }
  });

  test('its sessions can only read, and its statements are as many for many tables as for few', async () => {
    const sent: string[] = [];
    const tap = await openTap(database.url);
    try {
      tap.watch((bytes) => {
        sent.push(bytes.toString('latin1'));
        return 'pass';
      });
      const ended = await typed(['init', tap.url, '-o', file, '--dry-run', '--no-samples']);
      expect(ended).toMatchObject({ code: 0 });
      const all = sent.join('');
      expect(all.match(/TRANSACTION READ ONLY/g)).toHaveLength(1);
      const afterwards = all.slice(all.indexOf('TRANSACTION READ ONLY'));
      // Matches writes, but not the same words in quotes or in lists of privileges.
      const writes = /(?<![\w' ,(])(?:INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|GRANT|TRUNCATE|LOCK|CALL|DO) /;
      expect(afterwards).not.toMatch(writes);
      const count = afterwards.match(/SELECT [\s\S]*? FROM /g)?.length ?? 0;
      expect(count).toBeGreaterThan(5);
      sent.length = 0;
      await typed(['init', tap.url, '-o', file, '--dry-run', '--no-samples', '--tables', 'film']);
      const fewer = sent.join('');
      expect(fewer.slice(fewer.indexOf('TRANSACTION READ ONLY')).match(/SELECT [\s\S]*? FROM /g)).toHaveLength(count);
    } finally {
      tap.close();
    }
  });

  once('an id that cannot be one is refused before anything is written', async () => {
    await init('--tables', 'film');
    const before = text();
    for (const id of ['', ' x', 'a\nb', '__proto__']) {
      const { code, stderr } = await typed(['add', file, `${databaseName}.actor`, '--id', id]);
      expect([code, stderr.length > 0, text()]).toEqual([2, true, before]);
    }
  });

  once('one database twice is refused, and so is a file that nobody can write', async () => {
    const twice = await typed(['init', database.url, database.url, '-o', file]);
    expect([twice.code, twice.stderr]).toEqual([2, `two URLs mean one database: ${databaseName}\n`]);
    const nowhere = join(folder, 'none/gateway.yaml');
    const lost = await typed(['init', database.url, '-o', nowhere]);
    expect([lost.code, lost.stderr]).toEqual([2, `${nowhere} cannot be written (ENOENT)\n`]);
    const directory = await typed(['init', database.url, '-o', folder]);
    expect([directory.code, directory.stderr]).toEqual([2, `${folder} must be a file\n`]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('names with hyphens, digits and line breaks', async () => {
    const id = (name: string) => (engine.client === 'postgres' ? `"${name}"` : `\`${name}\``);
    for (const name of ['my-table', '2024', 'x\nNext: evil_bak'])
      await database.exec(`CREATE TABLE ${id(name)} (id int PRIMARY KEY)`);
    try {
      await init('--tables', 'film');
      for (const name of ['my-table', '2024'])
        expect(await typed(['add', file, `${databaseName}.${name}`])).toMatchObject({ code: 0 });
      expect(Object.values(resources())).toMatchObject(
        [{ table: 'film' }, { table: 'my-table' }, { table: '2024' }].toSorted(
          (a, b) => Number(b.table === '2024') - Number(a.table === '2024'),
        ),
      );
      const { stderr } = await init('--merge');
      expect(stderr).toContain(`left out: ${databaseName}.x\\u{a}Next: evil_bak: looks like a copy\n`);
    } finally {
      for (const name of ['my-table', '2024', 'x\nNext: evil_bak']) await database.exec(`DROP TABLE ${id(name)}`);
    }
  });

  test('a view that shows a secret under another name is left out, however far it is from the table', async () => {
    await database.exec('CREATE VIEW v_alias AS SELECT id, password AS h FROM actor');
    await database.exec('CREATE VIEW v_over AS SELECT h AS x FROM v_alias');
    await database.exec('CREATE VIEW v_harmless AS SELECT id, name FROM actor');
    try {
      const { code, stderr } = await init('--tables', 'v_*');
      expect(code).toBe(0);
      expect(Object.keys(resources())).toEqual(['v_harmless']);
      expect(stderr).toContain(`left out: ${databaseName}.v_alias: reads actor.password, whose name says a secret\n`);
      expect(stderr).toContain(`left out: ${databaseName}.v_over: reads v_alias, which may show a secret\n`);
      expect(text()).toContain('# reads actor, which has hidden columns');
      // `add` with the exact name overrides the check: it is the operator's decision.
      expect(await typed(['add', file, `${databaseName}.v_alias`])).toMatchObject({ code: 0 });
      const running = await program.serve(['serve', database.url, '--port', '0']);
      if ('code' in running) throw new Error(running.stderr);
      await running.printed(/^Left out: \S+v_over/m);
      await running.stop();
    } finally {
      for (const view of ['v_over', 'v_alias', 'v_harmless']) await database.exec(`DROP VIEW ${view}`);
    }
  });

  test('serve URL: everything for a look, to holders of the token only, and nothing can be written', async () => {
    const running = await program.serve(['serve', database.url, '--port', '0']);
    if ('code' in running) throw new Error(running.stderr);
    const call = (action: string, body: object, token?: string) =>
      fetch(`${running.url}/api/action/${action}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: token }) },
      });
    try {
      const [, token] = await running.printed(/^Token {6}(dsg_\S{43})$/m);
      await running.printed(new RegExp(`^Open {7}${running.url}/datastore/explore#token=${token}$`, 'm'));
      expect(new URL(running.url).hostname).toBe('127.0.0.1');
      expect((await call('datastore_search', { resource_id: 'film' })).status).toBe(403);
      const found = await call('datastore_search', { resource_id: 'film' }, token);
      expect(await found.json()).toMatchObject({ result: { records: [{ _id: 1, id: 1, title: 'Alien' }] } });
      const record = { id: 2, title: 'Aliens' };
      const written = await call(
        'datastore_upsert',
        { resource_id: 'film', method: 'insert', records: [record] },
        token,
      );
      expect(written.status).toBe(403);
    } finally {
      const { stdout } = await running.stop();
      expect(stdout).toContain('3 tables and views, read only, from this machine only');
      expect(stdout).toContain('Hidden: actor.password: the name says a secret');
      expect(stdout).toContain('Hidden: film.email: personal data? show it only if you may');
      expect(stdout).toContain('not for production');
    }
  });
});

describe.each(byName(onePerDriver().filter(({ client }) => client === 'postgres')))('on %s', (_, engine) => {
  test('serve URL changes nothing, not even by a view that calls a function', async () => {
    const database = await freshDatabase(engine);
    await database.exec('CREATE SEQUENCE counter');
    await database.exec("CREATE VIEW counting AS SELECT nextval('counter') AS n");
    const running = await program.serve(['serve', database.url, '--port', '0']);
    if ('code' in running) throw new Error(running.stderr);
    try {
      const [, token = ''] = await running.printed(/^Token {6}(\S+)$/m);
      const url = `${running.url}/api/action/datastore_search?resource_id=counting`;
      expect((await fetch(url, { headers: { Authorization: token } })).status).toBeGreaterThanOrEqual(400);
      expect(await database.query('SELECT last_value, is_called FROM counter')).toEqual([['1', 'f']]);
    } finally {
      await running.stop();
      await database.drop();
    }
  });

  test('check says that a table may be locked, where the catalogue waits for one', async () => {
    const database = await freshDatabase(engine);
    const other = await openSession(database);
    try {
      await database.exec('CREATE TABLE film (id int PRIMARY KEY, title text)');
      await database.exec("CREATE INDEX by_title ON film USING gin (to_tsvector('english', title))");
      writeFileSync(
        file,
        JSON.stringify({
          databases: { db: { client: engine.client, connection: database.url, statementTimeout: '500ms' } },
          resources: { film: { database: 'db', table: 'film' } },
        }),
      );
      await other.exec('BEGIN; LOCK TABLE film IN ACCESS EXCLUSIVE MODE');
      const { code, stdout } = await program.run(['check', file]);
      expect([code, stdout]).toEqual([2, expect.stringContaining('within its time limit; a table may be locked')]);
    } finally {
      await other.close();
      await database.drop();
    }
  });

  test('a table whose key the user may not read is left out', async () => {
    const database = await freshDatabase(engine);
    const user = new URL(database.url).pathname.slice(1);
    await database.exec('CREATE TABLE keyed (id int PRIMARY KEY, v int)');
    await database.exec('CREATE TABLE open (id int PRIMARY KEY)');
    await database.exec(`CREATE ROLE ${user} LOGIN`);
    await database.exec(`GRANT SELECT (v) ON keyed TO ${user}`);
    await database.exec(`GRANT SELECT ON open TO ${user}`);
    try {
      const url = new URL(database.url);
      url.username = user;
      const ended = await typed(['init', url.href, '-o', file, '--write', 'token']);
      expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining(`keyed: ${user} may not read its key`) });
      // The user has no right to write, so `init` does not configure writes either.
      expect(resources()).toEqual({
        open: { database: user, table: 'open', access: { read: 'token', write: 'none' } },
      });
      expect(text()).toContain(`# ${user} may not write it`);
    } finally {
      await database.exec(`DROP OWNED BY ${user}`);
      await database.exec(`DROP ROLE ${user}`);
      await database.drop();
    }
  });
});

describe.each(byName(onePerDriver().filter(({ client }) => client === 'postgres')))('on %s', (_, engine) => {
  test.each([
    ['an alias of its columns', 'SELECT u.id, u.c AS info FROM users u(id, b, c)'],
    ['an alias of a join', 'SELECT j.a, j.c AS info FROM (users CROSS JOIN (SELECT 1) t) AS j(a, b, c, d)'],
    ['a whole row', 'SELECT u.id, to_json(u) AS info FROM users u'],
    ['a function', 'SELECT id, password_of(id) AS info FROM users'],
    ['accounts of the server', 'SELECT usename, query FROM pg_stat_activity'],
  ])('a view that shows a secret by %s is left out', async (_, query) => {
    const database = await freshDatabase(engine);
    try {
      await database.exec('CREATE TABLE users (id int PRIMARY KEY, name text, password text)');
      await database.exec(
        'CREATE FUNCTION password_of(int) RETURNS text LANGUAGE sql AS $$ SELECT password FROM users WHERE id = $1 $$',
      );
      await database.exec(`CREATE VIEW shown AS ${query}`);
      expect(await typed(['init', database.url, '-o', file])).toMatchObject({ code: 0 });
      expect(Object.keys(resources())).toEqual(['users']);
    } finally {
      await database.drop();
    }
  });
});

describe.each(byName(onePerDriver().filter(({ client }) => client === 'mysql')))('on %s', (_, engine) => {
  test('a view that shows a secret of another database is left out', async () => {
    const [database, other] = [await freshDatabase(engine), await freshDatabase(engine)];
    const there = new URL(other.url).pathname.slice(1);
    try {
      await other.exec('CREATE TABLE users (id int PRIMARY KEY, password varchar(80))');
      await database.exec('CREATE TABLE film (id int PRIMARY KEY)');
      await database.exec(`CREATE VIEW shown AS SELECT id, password AS info FROM ${there}.users`);
      await database.exec(`CREATE VIEW harmless AS SELECT id FROM ${there}.users`);
      expect(await typed(['init', database.url, '-o', file])).toMatchObject({ code: 0 });
      expect(Object.keys(resources()).toSorted()).toEqual(['film', 'harmless']);
    } finally {
      await database.drop();
      await other.drop();
    }
  });

  test('a table that is locked costs a second, and its numbers stay numbers', async () => {
    const database = await freshDatabase(engine);
    const other = await openSession(database);
    try {
      await database.exec('CREATE TABLE busy (id int PRIMARY KEY, flag tinyint(1))');
      await database.exec('CREATE TABLE idle (id int PRIMARY KEY, flag tinyint(1))');
      await database.exec('INSERT INTO idle VALUES (1, 1)');
      await other.exec('LOCK TABLES busy WRITE');
      const { code } = await typed(['init', database.url, '-o', file]);
      await other.exec('UNLOCK TABLES');
      expect(code).toBe(0);
      expect(text()).toContain(
        'flag: { boolean: false } # tinyint(1), but its rows could not be read in time: stays a number',
      );
      expect(text()).toContain('flag: { boolean: false } # tinyint(1), only 0 and 1, but in no more than');
    } finally {
      await other.close();
      await database.drop();
    }
  });
});

test.each(byName(servers().filter(({ client }) => client === 'mysql')))(
  'on %s true and false are proposed where there is evidence',
  async (name, engine) => {
    const database = await freshDatabase(engine);
    try {
      await database.exec(
        `CREATE TABLE few (id int PRIMARY KEY, is_on tinyint(1), plain tinyint(1), checked tinyint(1) CHECK (checked IN (0, 1)),
          between_them tinyint(1) CHECK (between_them BETWEEN 0 AND 1), up_to_two tinyint(1) CHECK (up_to_two IN (0, 1, 2)), has_more tinyint(1))`,
      );
      await database.exec('CREATE TABLE many (id int AUTO_INCREMENT PRIMARY KEY, plain tinyint(1), void tinyint(1))');
      const rows = (count: number, row: (nth: number) => string) =>
        Array.from({ length: count }, (_, nth) => row(nth)).join();
      const values = rows(100, (nth) => `(${nth}, 1, 0, 1, 1, 1, ${nth === 50 ? 2 : 1})`);
      await database.exec(`INSERT INTO few VALUES ${values}`);
      await database.exec(`INSERT INTO many (plain) VALUES ${rows(1000, (nth) => `(${nth % 2})`)}`);
      expect(await typed(['init', database.url, '-o', file])).toMatchObject({ code: 0 });
      const { few, many } = parse(text()).resources;
      // MySQL 5.6 parses CHECK constraints but ignores them.
      const checked = name === 'mysql56' ? [] : ['checked', 'between_them'];
      const proposed = ({ columns }: { columns: object }) =>
        Object.keys(columns).filter((column) => Reflect.get(columns, column).boolean);
      expect([few, many].map(proposed)).toEqual([['is_on', ...checked], ['plain']]);
      expect(text()).toContain(
        'plain: { boolean: false } # tinyint(1), only 0 and 1, but in no more than 100 values: stays a number',
      );
      expect(text()).toContain(
        'has_more: { boolean: false } # tinyint(1), but 1 of 100 values are others than 0 and 1: stays a number',
      );
    } finally {
      await database.drop();
    }
  },
);
