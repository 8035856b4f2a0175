import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mysql, postgres } from '../../../src/dialects/index.ts';
import type { Server } from '../../../src/model/catalog.ts';
import type { Statement } from '../../../src/model/rows.ts';
import { groupPlans } from '../../support/group-plans.ts';
import { type Opened, open } from '../../support/open-database.ts';
import { hitsPlans, plans } from '../../support/plans.ts';
import { questionPlans } from '../../support/question-plans.ts';
import { engines, type FreshDatabase, freshDatabase } from '../../support/servers/engines.ts';
import {
  mysqlDdl,
  mysqlRows,
  mysqlTable,
  postgresDdl,
  postgresRows,
  postgresTable,
} from '../../support/tricky-table.ts';

/** A fake server description. */
const server = (product: Server['product'], ...version: readonly number[]): Server => ({
  product,
  version,
  versionText: version.join('.'),
  maxStatementBytes: null,
  logsStatements: false,
  foldCollation: null,
  startId: null,
});
const servers = {
  'PostgreSQL 12': server('postgres', 12, 1),
  'PostgreSQL 15': server('postgres', 15, 18),
  'MySQL 5.6': server('mysql', 5, 6, 24),
  'MySQL 9': server('mysql', 9, 7, 0),
  'MariaDB 10.11': server('mariadb', 10, 11, 19),
};

describe('written by the dialect', () => {
  test.each(Object.entries(servers))('%s, every statement (-u writes the file)', async (_, facts) => {
    const isPostgres = facts.product === 'postgres';
    const dialect = (isPostgres ? postgres : mysql).dialect(facts);
    const text = plans(isPostgres ? postgresTable : mysqlTable).map(
      ([name, make]) => `-- ${name}\n${shown(make(dialect))}\n`,
    );
    // The version affects only the session setup and the catalogue queries, not these statements.
    await expect(text.join('\n')).toMatchFileSnapshot(`sql/${facts.product}.sql`);
  });

  test.each(Object.entries(servers))('%s, searches by some of the hits', async (name, facts) => {
    const isPostgres = facts.product === 'postgres';
    const dialect = (isPostgres ? postgres : mysql).dialect(facts);
    const text = hitsPlans(isPostgres ? postgresTable : mysqlTable).map(
      ([name, make]) => `-- ${name}\n${shown(make(dialect))}\n`,
    );
    await expect(text.join('\n')).toMatchFileSnapshot(`sql/hits ${name}.sql`);
  });

  test.each(Object.entries(servers))('%s, the counts in groups', async (name, facts) => {
    const isPostgres = facts.product === 'postgres';
    const dialect = (isPostgres ? postgres : mysql).dialect(facts);
    const text = groupPlans(isPostgres ? postgresTable : mysqlTable).map(
      ([plan, make]) => `-- ${plan}\n${shown(make(dialect))}\n`,
    );
    // Only MySQL before 8 lacks window functions.
    const windows = isPostgres ? 'postgres' : name === 'MySQL 5.6' ? name : 'mysql and mariadb';
    await expect(text.join('\n')).toMatchFileSnapshot(`sql/groups ${windows}.sql`);
  });

  test.each(Object.entries(servers))('%s, measures in groups', async (name, facts) => {
    const isPostgres = facts.product === 'postgres';
    const dialect = (isPostgres ? postgres : mysql).dialect(facts);
    const text = questionPlans(isPostgres ? postgresTable : mysqlTable).map(
      ([plan, make]) => `-- ${plan}\n${shown(make(dialect))}\n`,
    );
    const windows = isPostgres ? 'postgres' : name === 'MySQL 5.6' ? name : 'mysql and mariadb';
    await expect(text.join('\n')).toMatchFileSnapshot(`sql/measures ${windows}.sql`);
  });

  test.each(Object.entries(servers))('%s, the statements of a new session', async (name, facts) => {
    const dialect = (facts.product === 'postgres' ? postgres : mysql).dialect(facts);
    // One setting per line, for readable diffs.
    const setup = (writes: boolean) => dialect.sessionSetup({ statementTimeout: 10_000, writes });
    const text = [...setup(true), '-- A session that writes nothing', ...setup(false)].map((line) =>
      line
        .replace(/\s+/g, ' ')
        .replace(/; (?=SET)/g, ';\n')
        .replace(/, (?=\w+ =)/g, ',\n  '),
    );
    await expect(`${text.join(';\n')}\n`).toMatchFileSnapshot(`sql/session ${name}.sql`);
  });

  test('a PostgreSQL that folds the case of ASCII only gets a better collation', () => {
    const dialect = postgres.dialect({ ...servers['PostgreSQL 15'], foldCollation: '"und-x-icu"' });
    const [, make] = plans(postgresTable).find(([name]) => name === 'search: q like') ?? [];
    expect(make?.(dialect).text).toContain(
      `"fold") COLLATE pg_catalog."und-x-icu") LIKE lower($1::text COLLATE pg_catalog."und-x-icu") ESCAPE '|'`,
    );
  });

  test('a MySQL that logs statements gets the isolation InnoDB then demands', () => {
    const dialect = mysql.dialect({ ...servers['MySQL 5.6'], logsStatements: true });
    expect(dialect.sessionSetup({ statementTimeout: 1000, writes: true })).toContain(
      'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
    );
  });
});

describe.each(
  engines()
    .filter((engine) => engine.client !== 'pglite')
    .map((engine) => [engine.name, engine] as const),
)('%s takes', (name, engine) => {
  const table = engine.client === 'mysql' ? mysqlTable : postgresTable;
  let fresh: FreshDatabase;
  let opened: Opened;
  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    await fresh.exec(engine.client === 'mysql' ? mysqlDdl(name === 'mysql56' ? 'longtext' : 'json') : postgresDdl);
    opened = await open(fresh);
  });
  afterAll(async () => {
    await opened?.close();
    await fresh?.drop();
  });

  test.each([...plans(table), ...hitsPlans(table), ...groupPlans(table), ...questionPlans(table)])(
    '%s',
    async (_, make) => {
      const statement = make(opened.dialect);
      const answer = await opened.run(explained(statement));
      expect(answer.cells.length).toBeGreaterThan(0);
    },
  );

  test('the table as the snapshots have it', async () => {
    const { columns } = await opened.table({
      table: table.name,
      ...(table.schema === null ? {} : { schema: table.schema }),
      columns: { flag: { boolean: engine.client === 'mysql' }, 'say "hi"': { as: 'say hi' } },
    });
    const facts = ({ name, equality, charset, collation, nullable }: (typeof columns)[number]) => ({
      name,
      equality,
      charset,
      nullable,
      collation: engine.client === 'mysql' ? collation : null,
    });
    const isJson = (column: (typeof columns)[number]) => column.name === 'js';
    expect(
      columns
        .slice(1)
        .filter((column) => !isJson(column))
        .map(facts),
    ).toEqual(table.columns.filter((column) => !isJson(column)).map(facts));
    if (engine.client === 'postgres')
      expect(columns.slice(1).map((column) => column.native)).toEqual(table.columns.map((column) => column.native));
  });

  test('nothing that names a key or compares a text scans the table', async () => {
    await fresh.exec(engine.client === 'mysql' ? mysqlRows : postgresRows);
    const { dialect } = opened;
    const columnsNamed = (...names: readonly string[]) => table.columns.filter((column) => names.includes(column.name));
    const [id, composite] = [columnsNamed('id'), columnsNamed('a.b', 'x?y')];
    const equal = (name: string, ...values: readonly string[]) =>
      columnsNamed(name).map((column) =>
        dialect.delete(
          { effect: 'delete', table, where: { op: 'in', column, values }, returned: null, dryRun: false },
          true,
        ),
      );
    const texts = engine.client === 'mysql' ? ['cit', 'fold', 'latin'] : ['cit', 'fold'];
    const statements = [
      ...texts.flatMap((name) => [...equal(name, `${name[0]}500`), ...equal(name, `${name[0]}500`, `${name[0]}501`)]),
      ...equal('id', '500'),
      dialect.lock(table, id, [['500'], ['501']], { op: 'all', of: [] }),
      dialect.lock(
        table,
        composite,
        [
          ['a500', '500'],
          ['a501', '501'],
        ],
        { op: 'all', of: [] },
      ),
      dialect.update(table, id, columnsNamed('cit'), [
        ['500', 'x'],
        ['501', 'y'],
      ]),
      dialect.update(table, composite, columnsNamed('cit'), [
        ['a500', '500', 'x'],
        ['a501', '501', 'y'],
      ]),
    ];
    for (const statement of statements) {
      const { names, cells } = await opened.run(explained(statement));
      const scans = cells.filter((row) =>
        engine.client === 'mysql'
          ? /^(ALL|index)$/.test(String(row[names.indexOf('type')]))
          : /Seq Scan/.test(String(row[0])),
      );
      expect(scans, statement.text).toEqual([]);
    }
  });
});

function explained({ text, values }: Statement): Statement {
  return { text: text.startsWith('EXPLAIN') ? text : `EXPLAIN ${text}`, values };
}

/** A statement for the snapshot: its text, then the bindings in order. */
function shown({ text, values }: Statement): string {
  const bindings = values.map((value) =>
    value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : JSON.stringify(value),
  );
  return `${text};${bindings.length === 0 ? '' : `\n-- ${bindings.join(', ')}`}`;
}
