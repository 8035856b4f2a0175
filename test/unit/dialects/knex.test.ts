/** Names and placeholders pass through knex unchanged, whatever they contain. `src/dialects/knex.ts` lists the pitfalls of knex. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mysql, postgres } from '../../../src/dialects/index.ts';
import { escapedMarks, flat, id, of as ofColumn, raw } from '../../../src/dialects/knex.ts';
import * as ofMysql from '../../../src/dialects/mysql/column.ts';
import * as ofPostgres from '../../../src/dialects/postgres/column.ts';
import { select } from '../../../src/dialects/sql.ts';
import { maxCharacters, maxSlots } from '../../../src/dialects/templates.ts';
import type { Server } from '../../../src/model/catalog.ts';
import type { Read } from '../../../src/model/plan.ts';
import type { Column, Table } from '../../../src/model/table.ts';
import { fuzzCases } from '../../support/fuzz-cases.ts';
import { mysqlTable, postgresTable } from '../../support/tricky-table.ts';

const facts = { versionText: '', maxStatementBytes: null, logsStatements: false, foldCollation: null, startId: null };
const server = (product: Server['product'], ...version: readonly number[]): Server => ({ product, version, ...facts });
const engines = [
  {
    engine: 'PostgreSQL',
    dialect: postgres.dialect(server('postgres', 15, 1)),
    table: postgresTable,
    quote: ofPostgres.quote,
    ...{ of: ofPostgres, mark: (nth: number) => `$${nth}` },
  },
  {
    engine: 'MySQL',
    dialect: mysql.dialect(server('mysql', 9, 7, 0)),
    table: mysqlTable,
    quote: ofMysql.quote,
    ...{ of: ofMysql, mark: () => '?' },
  },
];

/** Texts that the parsers of names and placeholders look for, and property names that every object has. */
const pieces = [
  ...[
    '.',
    ' ',
    ' as ',
    ' AS ',
    '\t',
    '\n',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '?',
    '??',
    '\\?',
    '\\',
    '*',
    '%',
    '%3f;',
    '#',
    '#a',
  ],
  ...[
    '"',
    '`',
    "'",
    '""',
    '$1',
    '$&',
    '$$',
    '$`',
    ':a',
    ':a:',
    '{}',
    '[]',
    '(',
    ')',
    '--',
    '/*',
    ';',
    ',',
    '0',
    '10',
    '-1',
  ],
  ...[
    'constructor',
    '__proto__',
    'toString',
    'toSQL',
    'then',
    'd',
    't',
    'gone',
    'v0',
    'é',
    '中文',
    '🦔',
    '\ud800',
    'select',
  ],
];
const name = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 4 })
  .map((parts) => parts.join(''));

describe.each(engines)('$engine', ({ dialect, table, quote, of, mark }) => {
  const text = table.columns.find((column) => column.name === 'a.b');
  if (text === undefined) throw new Error('the table has this column');

  test('a name comes out as it went in, wherever it stands', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 4, maxLength: 4 }), ([a = '', b = '', c = '', d = '']) => {
        // mysql2 refuses a result column with this name, so such a column is selected as an expression.
        fc.pre(table.schema !== null || (a !== '__proto__' && b !== '__proto__'));
        const called = (name: string): Column => ({ ...text, name, equality: 'exact', charset: null });
        const [first, second] = [called(a), called(b)];
        const odd: Table = {
          ...table,
          schema: table.schema === null ? null : c,
          name: d,
          columns: [first, second],
          key: [first],
        };
        const from = table.schema === null ? quote(d) : `${quote(c)}.${quote(d)}`;
        const [x, y] = [quote(a), quote(b)];
        const read: Read = {
          ...{ effect: 'read', table: odd, columns: [first, second], format: 'objects', distinct: false },
          ...{ where: { op: 'in', column: second, values: ['?'] }, searches: [], after: null, withCursor: false },
          ...{ sort: [], limit: 1, offset: 0, total: false },
        };
        expect(dialect.search(read)).toMatchObject({
          text: `select ${x}, ${y} from ${from} where ${y} = ${mark(1)} limit 1`,
          values: ['?'],
        });
        expect(dialect.insert(odd, [second, first], [['1', '2']], [])).toMatchObject({
          text: `insert into ${from} (${y}, ${x}) VALUES (${mark(1)}, ${mark(2)})`,
          values: ['1', '2'],
        });
        const update = dialect.updateOne(odd, [first], [second], null);
        const isKey =
          table.schema === null
            ? `(${x} = ? AND CAST(CONVERT(${x} USING utf8mb4) AS BINARY) = CAST(? AS BINARY))`
            : `(${x} = $2 AND ${x}::text COLLATE "C" = $3)`;
        // The statement is compiled once and used twice.
        for (const [key, value] of [
          ['1', '2'],
          ['3', '4'],
        ] as const) {
          const returned = table.schema === null ? '' : ' returning txid_current()';
          const text = `update ${from} set ${y} = ${mark(1)} where ${isKey}${returned}`;
          expect(update([key, value])).toMatchObject({ text, values: [value, key, key] });
        }
        expect(
          of.statement(select(of.knex, of.knex.from(of.from(odd)), [ofColumn(first, "f(??, '\\?', ??)")])).text,
        ).toBe(`select f(${x}, '?', ${x}) from ${from}`);
      }),
      fuzzCases(300),
    );
  });

  test('a template is made once for its table, key and columns, and dropped when there are too many', () => {
    const columns = Array.from({ length: 200 }, (_, nth) => ({ ...text, name: `c${nth}` }));
    const wide: Table = { ...table, columns };
    const [key] = columns;
    if (key === undefined) throw new Error('the table has columns');
    const first = dialect.updateOne(wide, [key], columns, null);
    expect(dialect.updateOne(wide, [key], [...columns], null)).toBe(first);
    expect(dialect.updateOne({ ...wide }, [key], columns, null)).not.toBe(first);
    for (let nth = 0; nth < maxSlots / 200; nth++)
      dialect.updateOne(wide, [key], [...columns.slice(nth + 1), ...columns.slice(0, nth)], null);
    expect(dialect.updateOne(wide, [key], columns, null)).not.toBe(first);
  });

  test('the statement of a read is made once for its table, and dropped when it did not come again among many', () => {
    const statementOf = (value: number, of = table) =>
      dialect.search({
        ...{
          effect: 'read',
          table: of,
          columns: [text],
          format: 'objects',
          searches: [],
          sort: [],
          limit: 100,
          offset: 0,
        },
        ...{ where: { op: 'in', column: text, values: [String(value)] } },
        ...{ total: true, after: null, withCursor: false, distinct: false },
      });
    // The limit may be added to a cached statement, so we compare its types.
    const [hot, cold] = [statementOf(0).types, statementOf(1).types];
    expect(statementOf(0).types).toBe(hot);
    expect(statementOf(0, { ...table }).types).not.toBe(hot);
    // Each statement has more than a hundred characters.
    for (let nth = 2; nth < maxCharacters / 100; nth++) {
      statementOf(nth);
      if (nth % 100 === 0) expect(statementOf(0).types).toBe(hot);
    }
    expect(statementOf(1).types).not.toBe(cold);
    expect(statementOf(1).types).toEqual(cold);
  });

  test('nor does it matter that it stands there many times', () => {
    fc.assert(
      fc.property(name, (a) => {
        const column = { ...text, name: a };
        const all = Array.from({ length: 100 }, () => raw("(?? = ? OR ?? = '\\?')", [id(column), a, id(column)]));
        const { text: sql, values } = of.statement(of.knex.raw(...flat(of.knex, raw(all.map(() => '?').join(), all))));
        expect(sql).toBe(all.map((_, nth) => `(${quote(a)} = ${mark(nth + 1)} OR ${quote(a)} = '?')`).join());
        expect(values).toEqual(all.map(() => a));
      }),
      fuzzCases(100),
    );
  });

  test('`\\?` in raw SQL is a question mark', () => {
    fc.assert(
      fc.property(name, (sql) => {
        const at = of.statement(of.knex.raw(...flat(of.knex, raw(`${escapedMarks(sql)} ?`, ['v']))));
        expect(at).toEqual({ text: `${sql} ${mark(1)}`, values: ['v'] });
        expect(of.statement(of.knex.raw(...flat(of.knex, raw('(?)', [raw(escapedMarks(sql))])))).text).toBe(`(${sql})`);
      }),
      fuzzCases(300),
    );
  });
});
