/** Advice on keys, foreign keys, personal data, connections and rights. We run its SQL as printed. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adviceOf, report, runCheck } from '../../support/advised.ts';
import { startGateway, token } from '../../support/gateway.ts';
import { open } from '../../support/open-database.ts';
import { byName, fewServers, freshDatabase, openSession, type ServerDatabase } from '../../support/servers/engines.ts';
import type { Session } from '../../support/servers/sessions.ts';

describe.each(byName(fewServers()))('on %s', (name, engine) => {
  const isMysql = engine.client === 'mysql';
  const q = (word: string) => (isMysql ? `\`${word}\`` : `"${word}"`);
  let fresh: ServerDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
  });
  afterAll(() => fresh?.drop());

  const config = (resources: Readonly<Record<string, object>>, database: object = {}, more: object = {}) => ({
    databases: { db: { client: engine.client, connection: fresh.url, ...database } },
    resources: Object.fromEntries(
      Object.entries(resources).map(([id, one]) => [id, { database: 'db', table: id, ...one }]),
    ),
    ...more,
  });
  const carryOut = async (advice: readonly { readonly sql: readonly string[] }[]) => {
    for (const { sql } of advice) for (const statement of sql) await fresh.exec(statement);
  };

  test('key: a table gets one, a unique index is written down, a claimed key of a view is tried', async () => {
    await fresh.exec(
      `CREATE TABLE bare (word varchar(20), id varchar(5)); INSERT INTO bare (word) VALUES ('a'), ('a');
       CREATE TABLE numbered (nr int NOT NULL UNIQUE, word varchar(20));
       CREATE VIEW shown AS SELECT word, id FROM bare`,
    );
    const all = config({ bare: {}, numbered: {}, shown: { key: ['word'] } });
    const advice = await adviceOf(all, 'key');
    expect(advice.map(({ path, setting }) => [path, setting])).toEqual([
      ['resources.bare.table', null],
      ['resources.numbered.table', 'key: [nr]'],
      ['resources.shown.key', null],
    ]);
    const [bare, , shown] = advice;
    // The first statement finds a value that occurs twice, so the column cannot be the key.
    expect(await fresh.query(shown?.sql[0] ?? '')).toEqual([['a']]);
    await carryOut(bare === undefined ? [] : [bare]);
    expect(await fresh.query('SELECT record_id FROM bare ORDER BY 1')).toEqual([['1'], ['2']]);
    const mended = config({ bare: {}, numbered: { key: ['nr'] } });
    expect(await adviceOf(mended, 'key')).toEqual([]);
  });

  test('what is printed about a name with a line break can be copied, or says where the SQL is', async () => {
    const odd = 'two\nlines \\ \u202e"\'`🙂';
    const inName = isMysql ? odd.replaceAll('`', '``').replace('🙂', '') : odd.replaceAll('"', '""');
    await fresh.exec(`CREATE TABLE ${q(inName)} (word varchar(20)); INSERT INTO ${q(inName)} VALUES ('a')`);
    const about = config({ odd: { table: isMysql ? odd.replace('🙂', '') : odd } });
    const [line = ''] = (await runCheck(about, { advise: true, only: 'key' })).filter((one) =>
      one.startsWith('advice: '),
    );
    const advice = await adviceOf(about, 'key');
    const [, printed] = /afterwards\): (.*);$/.exec(line) ?? [];
    if (isMysql) expect(line).toMatch(/: a name has characters that cannot be printed: --json has the SQL$/);
    else expect(printed).toBe(advice[0]?.sql[0]);
    await carryOut(advice);
    expect(await fresh.query(`SELECT id FROM ${q(inName)}`)).toEqual([['1']]);
  });

  test('foreign keys: the index that a delete needs', async () => {
    const numbers = isMysql
      ? `(SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d n FROM ${[...'abcef'].map((alias) => `(SELECT 0 d ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((d) => `UNION ALL SELECT ${d}`).join(' ')}) ${alias}`).join(', ')}) numbers WHERE n < 20000`
      : 'generate_series(0, 19999) n';
    await fresh.exec(
      `CREATE TABLE film (a int, b int, PRIMARY KEY (a, b)); INSERT INTO film VALUES (1, 1), (2, 2);
       CREATE TABLE ${q('The Rentals')} (id int PRIMARY KEY, ${q('film b')} int, ${q('film a')} int, FOREIGN KEY (${q('film a')}, ${q('film b')}) REFERENCES film (a, b));
       INSERT INTO ${q('The Rentals')} SELECT n, 1, 1 FROM ${numbers}; ${isMysql ? 'ANALYZE TABLE' : 'ANALYZE'} ${q('The Rentals')}`,
    );
    expect(await adviceOf(config({ film: {} }), 'foreign-keys')).toEqual([]);
    const written = config({ film: { access: { write: 'token' }, invalidates: [] } });
    const advice = await adviceOf(written, 'foreign-keys');
    // MySQL creates this index itself.
    expect(advice.map(({ path }) => path)).toEqual(isMysql ? [] : ['resources.film.access.write']);
    await carryOut(advice);
    expect(await adviceOf(written, 'foreign-keys')).toEqual([]);
    // The lookup that the server runs for each deleted record.
    const lookup = `EXPLAIN ${isMysql ? 'FORMAT=TRADITIONAL ' : ''}SELECT 1 FROM ${q('The Rentals')} WHERE ${q('film a')} = 2 AND ${q('film b')} = 2`;
    const plan = (await fresh.query(lookup)).map((row) => row.join(' ')).join('\n');
    expect(plan).toMatch(isMysql ? /\bref\b/ : /Index/);
  });

  test('personal data for everyone, and views of tables with hidden columns', async () => {
    await fresh.exec(
      `CREATE TABLE person (id int PRIMARY KEY, called varchar(20), email varchar(40));
       CREATE VIEW mails AS SELECT id, email FROM person; CREATE VIEW over_mails AS SELECT id, email AS contact FROM mails`,
    );
    const person = { columns: { email: { hidden: true } }, access: { read: 'public' } };
    const view = { key: ['id'] };
    const says = async (resources: Readonly<Record<string, object>>) =>
      (await adviceOf(config(resources), 'privacy')).map(({ path, text }) => `${path} ${text}`);
    expect(await says({ person: { access: { read: 'public' } } })).toEqual([
      'resources.person shows email to everyone, and its name or comment says personal data: hide it, or write `hidden: false`',
    ]);
    expect(await says({ person, mails: view, over_mails: view })).toEqual([
      'resources.mails shows email, which is hidden in person: hide it, or write `hidden: false`',
      'resources.over_mails reads person, of which email is hidden: look whether it shows it by another name',
    ]);
    const mails = { key: ['id'], columns: { email: { hidden: true } } };
    const listed = { key: ['id'], expose: 'listed', columns: { id: {}, contact: { hidden: true } } };
    expect(await says({ person, mails, over_mails: listed })).toEqual([]);
  });

  test('sizes: records of which a page does not fit into a response', async () => {
    const large = isMysql ? 'REPEAT(CHAR(200 + RAND() * 50), 50000)' : 'repeat(md5(n::text), 1500)::bytea';
    const numbers = isMysql
      ? '(SELECT 1 n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) n, (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) m'
      : 'generate_series(1, 16) n';
    await fresh.exec(
      `CREATE TABLE posters (id ${isMysql ? 'int NOT NULL AUTO_INCREMENT PRIMARY KEY' : 'serial PRIMARY KEY'}, image ${isMysql ? 'longblob' : 'bytea'});
       ${isMysql ? '' : 'ALTER TABLE posters ALTER COLUMN image SET STORAGE EXTERNAL;'}
       INSERT INTO posters (image) SELECT ${large} FROM ${numbers}; ${isMysql ? 'ANALYZE TABLE' : 'ANALYZE'} posters`,
    );
    const limits = { limits: { responseBytes: '1MB' } };
    const [advice, ...others] = await adviceOf(config({ posters: {} }, {}, limits), 'sizes');
    expect(others).toEqual([]);
    expect(advice).toMatchObject({ path: 'resources.posters.table' });
    expect(advice?.text).toMatch(/^has records of about \d\d kB: .* \(image\)/);
    expect(await adviceOf(config({ posters: {} }), 'sizes')).toEqual([]);
    const hidden = { columns: { image: { hidden: true } } };
    expect(await adviceOf(config({ posters: hidden }, {}, limits), 'sizes')).toEqual([]);
  });

  test.runIf(isMysql)(
    'charset: a column that can hold every character afterwards, and compares as before',
    async () => {
      await fresh.exec(
        `CREATE TABLE cities (id int PRIMARY KEY, name varchar(40) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL DEFAULT 'x' COMMENT 'it''s', note text CHARACTER SET utf8) DEFAULT CHARSET=utf8mb4;
       INSERT INTO cities VALUES (1, 'Zürich', 'ü')`,
      );
      const written = config({ cities: { access: { write: 'token' }, invalidates: [] } });
      const advice = await adviceOf(written, 'charset');
      expect(advice).toMatchObject([{ path: 'resources.cities.access.write' }]);
      await expect(
        fresh.exec(`SET SESSION sql_mode = 'STRICT_ALL_TABLES'; SET NAMES utf8mb4; UPDATE cities SET name = '漢字🙂'`),
      ).rejects.toThrow();
      await carryOut(advice);
      expect(await adviceOf(written, 'charset')).toEqual([]);
      await fresh.exec(`UPDATE cities SET note = '漢字🙂'; UPDATE cities SET name = '漢字🙂' WHERE name = 'Zürich'`);
      const [row] = await fresh.query('SHOW CREATE TABLE cities');
      expect(row?.[1]).toMatch(
        /`name` varchar\(40\) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'x' COMMENT 'it''s'/,
      );
    },
  );

  // MySQL 5.6 does not record when a table was last changed.
  test.skipIf(name === 'mysql56')('writers: another program that writes to a cached table', async () => {
    await fresh.exec(
      'CREATE TABLE quiet (id int PRIMARY KEY); CREATE TABLE busy (id int PRIMARY KEY, n int); INSERT INTO busy VALUES (1, 1)',
    );
    const session = await openSession({ client: engine.client, url: fresh.url });
    let isWriting = true;
    const writing = (async () => {
      for (; isWriting; await sleep(200)) await session.exec('UPDATE busy SET n = n + 1');
    })();
    try {
      expect(await adviceOf(config({ quiet: {}, busy: {} }), 'writers')).toMatchObject([
        { path: 'resources.busy.cache' },
      ]);
      expect(await adviceOf(config({ busy: { cache: { ttl: 0 } } }), 'writers')).toEqual([]);
    } finally {
      isWriting = false;
      await writing;
      await session.close();
    }
  });

  test.runIf(!isMysql)('writers: a foreign table', async () => {
    await fresh.exec(
      'CREATE FOREIGN DATA WRAPPER far; CREATE SERVER away FOREIGN DATA WRAPPER far; CREATE FOREIGN TABLE elsewhere_at (id int) SERVER away',
    );
    const key = { table: 'elsewhere_at', key: ['id'] };
    expect(await adviceOf(config({ far: key }), 'writers')).toMatchObject([{ path: 'resources.far.cache' }]);
  });

  test.runIf(!isMysql)('read-only: a role whose transactions are', async () => {
    await fresh.exec('CREATE TABLE written (id int PRIMARY KEY)');
    const written = config({ written: { access: { write: 'token' }, invalidates: [] } });
    expect(await adviceOf(written, 'read-only')).toEqual([]);
    const database = new URL(fresh.url).pathname.slice(1);
    await fresh.exec(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    try {
      expect(await adviceOf(written, 'read-only')).toMatchObject([{ path: 'resources.written.access.write' }]);
    } finally {
      await fresh.exec(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
    }
  });

  test('connections: more than the server gives', async () => {
    await fresh.exec('CREATE TABLE plain (id int PRIMARY KEY)');
    const tooMany = await adviceOf(config({ plain: {} }, { pool: { max: 1000 } }), 'connections');
    const real = isMysql
      ? (await fresh.query('SELECT @@global.max_connections'))[0]?.[0]
      : (await fresh.query('SHOW max_connections'))[0]?.[0];
    expect(tooMany).toMatchObject([{ path: 'databases.db.pool' }]);
    expect(tooMany[0]?.text).toMatch(new RegExp(`but the server has ${real} for this user`));
    expect(await adviceOf(config({ plain: {} }), 'connections')).toEqual([]);
  });

  describe('rights', () => {
    const suffix = randomBytes(3).toString('hex');
    const password = 'Hunter.2';
    let admin: Session;
    const dropped: string[] = [];
    beforeAll(async () => {
      admin = await openSession(engine);
      await fresh.exec(
        `CREATE TABLE actor (id ${isMysql ? 'int NOT NULL AUTO_INCREMENT PRIMARY KEY' : 'serial PRIMARY KEY'}, called varchar(20), ${q('pw hash')} varchar(20));
         CREATE TABLE pair (a int, b int, PRIMARY KEY (a, b)); CREATE TABLE award (id int PRIMARY KEY); CREATE TABLE elsewhere (id int PRIMARY KEY);
         CREATE TABLE below (id int PRIMARY KEY); CREATE VIEW between_them AS SELECT id FROM below;
         ${isMysql ? 'CREATE SQL SECURITY INVOKER VIEW above AS SELECT b.id FROM between_them b' : `CREATE VIEW above AS SELECT id FROM between_them; ${Number(/\d+/.exec(engine.version)?.[0]) < 15 ? '' : 'ALTER VIEW above SET (security_invoker = on)'}`}`,
      );
    });
    afterAll(async () => {
      // PostgreSQL cannot drop a role that still has rights on tables.
      for (const sql of dropped) await fresh.exec(sql);
      await admin?.close();
    });
    const resources = {
      actor: { columns: { 'pw hash': { hidden: true } }, access: { write: 'token' }, invalidates: [] },
      award: {},
      above: { key: ['id'] },
      pair: { access: { write: 'token' }, invalidates: [] },
    };
    /** A URL for another user, after setting a password for it. */
    async function loginAs(user: string, login: string): Promise<{ connection: string }> {
      if (isMysql) {
        await admin.exec(
          name === 'mysql56'
            ? `SET PASSWORD FOR ${user} = PASSWORD('${password}')`
            : `ALTER USER ${user} IDENTIFIED BY '${password}' ACCOUNT UNLOCK`,
        );
      } else await admin.exec(`ALTER ROLE ${user} PASSWORD '${password}'`);
      const url = new URL(fresh.url);
      Object.assign(url, { username: login, password });
      return { connection: url.href };
    }

    /** Uses everything that the configuration allows, through a gateway. */
    async function useEverything(written: Record<string, unknown>): Promise<void> {
      const gateway = await startGateway(written);
      try {
        const write = (id: string, method: string, record: object) =>
          gateway.result('datastore_upsert', { resource_id: id, method, records: [record] });
        await write('actor', 'insert', { called: 'A' });
        await write('actor', 'update', { _id: 1, called: 'B' });
        await write('actor', 'upsert', { _id: 1, called: 'C' });
        await write('actor', 'upsert', { _id: 7, called: 'D' });
        for (const method of ['insert', 'upsert']) await write('pair', method, { a: 1, b: method.length });
        for (const filters of [{ a: 1, b: 6 }, { a: 1 }])
          await gateway.result('datastore_records_delete', { resource_id: 'pair', filters, include_records: true });
        for (const id of ['actor', 'pair', 'award', 'above'])
          await gateway.result('datastore_search', { resource_id: id, q: 'C', sort: [id === 'pair' ? 'a' : 'id'] });
        await gateway.result('datastore_info', { id: 'actor' });
        const dump = await fetch(`${gateway.url}/datastore/dump/actor`, { headers: { Authorization: token } });
        expect([dump.status, await dump.text()]).toEqual([200, expect.stringContaining('7,7,D')]);
        await gateway.result('datastore_records_delete', { resource_id: 'actor', filters: { id: 7 } });
      } finally {
        await gateway.close();
      }
    }

    test('a mighty user is replaced by one with the rights that the file needs', async () => {
      const login = `m${suffix}`;
      const user = isMysql ? `'${login}'@'%'` : login;
      await admin.exec(
        isMysql
          ? `CREATE USER ${user} IDENTIFIED BY '${password}'; GRANT ALL PRIVILEGES ON *.* TO ${user}`
          : `CREATE ROLE ${login} LOGIN SUPERUSER PASSWORD '${password}'`,
      );
      dropped.push(isMysql ? `DROP USER ${user}` : `DROP ROLE ${user}`);
      const url = new URL(fresh.url);
      Object.assign(url, { username: login, password });
      const advice = await adviceOf(config(resources, { connection: url.href }), 'rights');
      expect(advice).toMatchObject([{ path: 'databases.db' }]);
      expect(advice[0]?.text).toMatch(
        isMysql ? /who may do everything on this server|who has SUPER/ : /who is a superuser of this server/,
      );
      expect(JSON.stringify(advice)).not.toMatch(/\*(?!0{40})[0-9A-F]{40}|Hunter/);

      await carryOut(advice);
      const mended = isMysql ? `'gw_${login}'@'%'` : `gw_${login}`;
      dropped.push(...(isMysql ? [`DROP USER ${mended}`] : [`DROP OWNED BY ${mended}; DROP ROLE ${mended}`]));
      const now = await report(config(resources, await loginAs(mended, `gw_${login}`), { cache: { ttl: 0 } }));
      // The user has the rights that the other advice needs.
      expect(now.warnings.map(({ text }) => text).filter((text) => text.startsWith('has no advice'))).toEqual([]);
      expect(now.errors.map(({ text }) => text).join()).toBe('');
      expect(now.advice.filter(({ rule }) => rule === 'rights').map(({ text }) => text)).toEqual([]);
      await useEverything(config(resources, await loginAs(mended, `gw_${login}`)));
      // But no more: not the hidden column, not another table, no write to a read-only table.
      const session = await openSession({
        client: engine.client,
        url: (await loginAs(mended, `gw_${login}`)).connection,
      });
      try {
        // Before PostgreSQL 15 a view always reads with the rights of its owner.
        await expect(session.query('SELECT id FROM below')).rejects.toThrow();
        // Before PostgreSQL 15 everybody may create tables in the schema `public`.
        for (const refused of [
          `SELECT ${q('pw hash')} FROM actor`,
          'SELECT id FROM elsewhere',
          'INSERT INTO award VALUES (1)',
          'CREATE TABLE mine (id int)',
        ])
          if (!refused.startsWith('CREATE') || isMysql) await expect(session.exec(refused), refused).rejects.toThrow();
      } finally {
        await session.close();
      }
    });

    test.runIf(isMysql)('all rights to one table, and roles that are active or not', async () => {
      const login = `t${suffix}`;
      const user = `'${login}'@'%'`;
      const database = new URL(fresh.url).pathname.slice(1);
      const hasRoles = name !== 'mysql56';
      await fresh.exec(
        `CREATE TABLE reshaped (id int PRIMARY KEY); CREATE USER ${user} IDENTIFIED BY '${password}'; GRANT ALL PRIVILEGES ON reshaped TO ${user};
         ${hasRoles ? `CREATE ROLE r${suffix}; GRANT DROP ON \`${database}\`.* TO r${suffix}; GRANT r${suffix} TO ${user}` : ''}`,
      );
      dropped.push(`DROP USER ${user}`, ...(hasRoles ? [`DROP ROLE r${suffix}`] : []));
      const url = new URL(fresh.url);
      Object.assign(url, { username: login, password });
      const says = async () => (await adviceOf(config({ reshaped: {} }, { connection: url.href }), 'rights'))[0]?.text;
      expect(await says()).toContain('may change more than rows of reshaped');
      if (!hasRoles) return;
      expect(await says()).toContain(`may take on roles that the gateway never uses (r${suffix})`);
      await admin.exec(`SET DEFAULT ROLE r${suffix} ${name === 'mariadb' ? 'FOR' : 'TO'} ${user}`);
      expect(await says()).toMatch(
        /may change more than rows of its database \(DROP\), may change more than rows of reshaped;/,
      );
    });

    test.runIf(isMysql)('a full-text index answers the new user as it did the old one', async () => {
      await fresh.exec(
        `CREATE TABLE words (id int PRIMARY KEY, word varchar(40), FULLTEXT (word)) ENGINE=InnoDB;
         INSERT INTO words VALUES (1, 'gateway'), (2, 'other'); OPTIMIZE TABLE words`,
      );
      const all = { words: { search: { mode: 'auto', columns: ['word'] } } };
      const advice = await adviceOf(config(all), 'rights');
      const [{ sql = [] } = {}] = advice;
      const mended = /CREATE USER (?:IF NOT EXISTS )?('.*'@'.*?') /.exec(sql.join('\n'))?.[1] ?? '';
      const other = mended.replace("'gw_", `'w${suffix}_`);
      dropped.push(`DROP USER ${other}`);
      for (const statement of sql) await admin.exec(statement.replaceAll(mended, other));
      const uses = async (connection: string) => {
        const opened = await open({ ...fresh, url: connection });
        try {
          return (await opened.table({ table: 'words', ...all.words })).search.index?.answers('gateway');
        } finally {
          await opened.close();
        }
      };
      const { connection } = await loginAs(other, /'(.*?)'/.exec(other)?.[1] ?? '');
      expect([await uses(fresh.url), await uses(connection)]).toEqual([true, true]);
    });

    test.runIf(!isMysql)('what triggers do with the rights of whoever writes is named, and nothing else', async () => {
      await fresh.exec(
        `CREATE TABLE audit (word text); CREATE TABLE audited (id int PRIMARY KEY); CREATE TABLE logged (id int PRIMARY KEY);
         CREATE FUNCTION "note It"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO audit VALUES (TG_OP); RETURN NEW; END';
         CREATE FUNCTION log_it() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN INSERT INTO audit VALUES (TG_OP); RETURN NEW; END';
         CREATE TRIGGER t BEFORE INSERT ON audited FOR EACH ROW EXECUTE FUNCTION "note It"();
         CREATE TRIGGER t BEFORE INSERT ON logged FOR EACH ROW EXECUTE FUNCTION log_it()`,
      );
      const write = { access: { write: 'token' }, invalidates: [] };
      const adviceLines = async (resources: Readonly<Record<string, object>>) =>
        (await adviceOf(config(resources), 'rights'))[0];
      expect((await adviceLines({ audited: {}, logged: write }))?.text).not.toContain('triggers');
      const advice = await adviceLines({ audited: write, logged: write });
      expect(advice?.text).toContain('; triggers run public."note It" with its rights: grant what these need by hand');
      const [mended = ''] = /(?<=CREATE ROLE ).*(?= LOGIN)/.exec(advice?.sql.join('\n') ?? '') ?? [];
      const other = `w${suffix}`;
      for (const statement of advice?.sql ?? []) await fresh.exec(statement.replaceAll(mended, other));
      dropped.push(`DROP OWNED BY ${other}; DROP ROLE ${other}`);
      const session = await openSession({ client: engine.client, url: (await loginAs(other, other)).connection });
      try {
        await session.exec('INSERT INTO logged VALUES (1)');
        await expect(session.exec('INSERT INTO audited VALUES (1)')).rejects.toThrow('audit');
        await fresh.exec(`GRANT INSERT ON audit TO ${other}`);
        await session.exec('INSERT INTO audited VALUES (1)');
      } finally {
        await session.close();
      }
    });

    test.runIf(!isMysql)('an owner of tables may drop them; a role for reading is set to read only', async () => {
      const login = `o${suffix}`;
      await fresh.exec(
        `CREATE ROLE ${login} LOGIN PASSWORD '${password}'; GRANT CREATE, USAGE ON SCHEMA public TO ${login};
         SET ROLE ${login}; CREATE TABLE owned (id int PRIMARY KEY); RESET ROLE`,
      );
      dropped.push(`DROP OWNED BY ${login}; DROP ROLE ${login}`);
      const url = new URL(fresh.url);
      Object.assign(url, { username: login, password });
      const advice = await adviceOf(config({ owned: {} }, { connection: url.href }), 'rights');
      expect(advice[0]?.text).toContain(`uses ${login}, who owns owned;`);
      await carryOut(advice);
      dropped.unshift(`DROP OWNED BY gw_${login}; DROP ROLE gw_${login}`);
      const now = await report(config({ owned: {} }, await loginAs(`gw_${login}`, `gw_${login}`)), 'rights');
      expect([now.errors, now.advice.filter(({ rule }) => rule === 'rights')]).toEqual([[], []]);
      const [setting] = await fresh.query(`SELECT rolconfig::text FROM pg_roles WHERE rolname = 'gw_${login}'`);
      expect(setting).toEqual(['{default_transaction_read_only=on}']);
    });
  });
});
