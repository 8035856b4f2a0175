/** The indexes that we propose for `q` are really used by our SQL, whatever the type and collation of the column. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as actions from '../../../src/actions/index.ts';
import { explain, readServerFacts } from '../../../src/execute/advice.ts';
import type { Table } from '../../../src/model/table.ts';
import { planOf } from '../../support/drained.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { openSession, type ServerDatabase, servers } from '../../support/servers/engines.ts';
import type { Session } from '../../support/servers/sessions.ts';
import { bounds } from '../../support/table.ts';

const texts = {
  plain: 'text',
  short: 'varchar(40)',
  padded: 'char(40)',
  cit: 'citext',
  ascii: 'text COLLATE "C"',
  loose: 'text COLLATE loose',
  "the owner's": 'text COLLATE "POSIX"',
};
const names = Object.keys(texts);
/** Enough rows for the planner to prefer an index. Indexing more would take seconds. */
const rows = 8000;
const postgres = servers().filter(({ client }) => client === 'postgres');

// In the locale C only ASCII case is folded, so we search in another collation there.
describe.each(
  postgres.flatMap((engine) => ['C', 'of the server'].map((locale) => [engine.name, locale, engine] as const)),
)('on %s with the locale %s', (_, locale, engine) => {
  const name = `gw_${randomBytes(6).toString('hex')}`;
  const q = (word: string) => `"${word.replaceAll('"', '""')}"`;
  let admin: Session;
  let session: Session;
  let opened: Opened;
  let table: Table;
  beforeAll(async () => {
    admin = await openSession(engine);
    await admin.exec(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' ${locale === 'C' ? "LC_COLLATE 'C' LC_CTYPE 'C'" : ''}`,
    );
    const url = new URL(engine.url);
    url.pathname = `/${name}`;
    session = await openSession({ client: engine.client, url: url.href });
    await session.exec('CREATE EXTENSION citext');
    await session.exec(`CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`);
    await session.exec(
      `CREATE TABLE t (id int PRIMARY KEY, ${Object.entries(texts)
        .map(([column, type]) => `${q(column)} ${type}`)
        .join(', ')});
       INSERT INTO t SELECT n, ${names.map(() => `md5(n::text) || ' näme'`).join(', ')} FROM generate_series(1, ${rows}) n; ANALYZE t`,
    );
    const fresh: ServerDatabase = {
      client: 'postgres',
      url: url.href,
      exec: session.exec,
      query: session.query,
      drop: session.close,
    };
    opened = await open(fresh);
    table = await opened.table({ table: 't', search: { columns: names } });
  });
  afterAll(async () => {
    await opened?.close();
    await session?.close();
    await admin?.exec(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin?.close();
  });

  async function plan(words: string | Record<string, string>) {
    const started = actions.datastore_search.start({ resource_id: 't', q: words }, bounds);
    const read = planOf(
      started.plan(
        { id: 't', access: { read: 'public', write: 'none', deleteAll: false, aggregate: true, sql: false }, table },
        null,
      ),
    );
    if (read.effect !== 'read') throw new Error('no search');
    const found = Number((await opened.run(opened.dialect.count(read))).cells[0]?.[0]);
    return { found, plan: await explain(opened.run, opened.dialect, opened.dialect.count(read)) };
  }
  test('before and after', async () => {
    const word = 'C4CA4238';
    expect(await plan(word)).toEqual({ found: 1, plan: { readsAll: true, sorts: false } });
    const { remedies } = await readServerFacts(opened.run, opened.dialect, [{ schema: 'public', name: 't' }], []);
    const [found] = (await opened.catalog({ schema: 'public', name: 't' })).tables;
    const remedy = found === undefined ? null : remedies.search(table, found, new Set(names));
    expect(remedy).toMatchObject({ mode: 'like', columns: names });
    for (const sql of remedy?.sql ?? []) await session.exec(sql);
    table = await opened.table({ table: 't', search: { columns: names } });
    expect(await plan(word)).toEqual({ found: 1, plan: { readsAll: false, sorts: false } });
    for (const column of names)
      expect([column, await plan({ [column]: word })]).toEqual([
        column,
        { found: 1, plan: { readsAll: false, sorts: false } },
      ]);
    // Case folding still works, also beyond ASCII.
    expect((await plan('NÄME')).found).toBe(rows);
  });
});
