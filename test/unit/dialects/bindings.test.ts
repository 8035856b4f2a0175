import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mysql, postgres } from '../../../src/dialects/index.ts';
import {
  compiled,
  type Expression,
  flat,
  joined,
  list,
  type Placeholders,
  raw,
  Shared,
} from '../../../src/dialects/knex.ts';
import { knex } from '../../../src/dialects/postgres/column.ts';
import { condition } from '../../../src/dialects/sql.ts';
import type { Server } from '../../../src/model/catalog.ts';
import type { Read, Where } from '../../../src/model/plan.ts';
import type { Statement } from '../../../src/model/rows.ts';
import type { Table } from '../../../src/model/table.ts';
import type { Query } from '../../../src/model/words.ts';
import { plans } from '../../support/plans.ts';
import { mysqlTable, postgresTable } from '../../support/tricky-table.ts';

const [column] = postgresTable.columns;
if (column === undefined) throw new Error('the table has columns');

const { where } = fc.letrec<{ where: Where }>((tie) => {
  const conditions = fc.array(tie('where'), { maxLength: 3 });
  return {
    where: fc.oneof(
      { maxDepth: 4 },
      fc.constant<Where>({ op: 'in', column, values: ['x'] }),
      conditions.map((of): Where => ({ op: 'all', of })),
      conditions.map((of): Where => ({ op: 'any', of })),
      tie('where').map((of): Where => ({ op: 'not', of })),
    ),
  };
});

const statement = (expression: Expression, placeholders: Placeholders) =>
  compiled(knex, knex.raw(...flat(knex, expression)), placeholders);

/** A bound value without a placeholder shifts MySQL's values, so that later conditions compare with the wrong ones. */
test('every value that is bound stands in the statement, in its order', () => {
  let bound = 0;
  fc.assert(
    fc.property(fc.array(where, { maxLength: 3 }), (of) => {
      let nth = 0;
      const found = condition({ op: 'all', of }, () => raw('c = ?;', [`x${++nth}`]));
      const { text, values } = statement(found ?? raw(''), 'numbered');
      bound += values.length;
      expect([...text.matchAll(/c = \$(\d+);/g)].map(([, at]) => Number(at))).toEqual(values.map((_, at) => at + 1));
      expect(values).toEqual(values.map((_, at) => `x${at + 1}`));
    }),
    { numRuns: 500, seed: 1 },
  );
  expect(bound).toBeGreaterThan(500);
});

test('a value is bound at its place; a shared one is bound once, where placeholders have numbers', () => {
  const [first, last] = [new Shared('first'), new Shared(null)];
  const query = raw("? ? '$1 \\?' ? ? ?", [last, first, last, 'first', raw('7')]);
  expect(statement(query, 'numbered')).toEqual({ text: "$1 $2 '$1 ?' $1 $3 7", values: [null, 'first', 'first'] });
  expect(statement(query, 'ordered')).toEqual({
    text: "? ? '$1 ?' ? ? 7",
    values: [null, 'first', null, 'first'],
  });
});

test('seventy thousand of them, in a list within a condition', () => {
  const all = Array.from({ length: 70_000 }, (_, nth) => `v${nth}`);
  const condition = joined([raw('x IN (?)', [list('?', all, all.length)]), raw('y = ?', [all.at(-1) ?? ''])], ' OR ');
  const statement = compiled(
    knex,
    knex
      .from('t')
      .whereRaw(...flat(knex, condition))
      .del(),
    'numbered',
  );
  expect(statement.values).toEqual([...all, all.at(-1)]);
  const marks = all.map((_, nth) => `$${nth + 1}`).join(', ');
  expect(statement.text).toBe(`delete from "t" where (x IN (${marks}) OR y = $70001)`);
});

test.each([1, true, 1n, new Date(0), ['x'], { toString: () => 'x' }, Symbol('x')])(
  'nothing but a text, bytes and NULL is bound: not %s',
  (value) => {
    expect(() => statement(raw('?', [value as never]), 'numbered')).toThrow();
    expect(() => statement(raw('?', [new Shared(value as never)]), 'ordered')).toThrow(TypeError);
    expect(() => statement(raw('?', [list('?', [value as never], 1)]), 'ordered')).toThrow(TypeError);
  },
);

test('a value too many or too few is an error', () => {
  expect(() => statement(raw('? = ?', ['a']), 'ordered')).toThrow();
  expect(() => statement(raw('?', [list('?', ['a', 'b'], 1)]), 'ordered')).toThrow('2 values for 1 places');
  expect(() => statement(raw('?', [list('?', ['a'], 2)]), 'ordered')).toThrow('no value for place 2');
});

const facts = { versionText: '', maxStatementBytes: null, logsStatements: false, foldCollation: null, startId: null };
const server = (product: Server['product'], ...version: readonly number[]): Server => ({ product, version, ...facts });
const engines = [
  ['PostgreSQL', postgres.dialect(server('postgres', 15, 1)), postgresTable],
  ['MySQL', mysql.dialect(server('mysql', 9, 7, 0)), mysqlTable],
] as const;

/** The placeholders outside of names and literals, which may contain `?` and `$1` as well. */
function placeholders({ text }: Statement): readonly string[] {
  return text.replace(/"(""|[^"])*"|`(``|[^`])*`|'(''|[^'])*'/g, '').match(/\?|\$\d+/g) ?? [];
}
function mustBeBound(made: Statement): void {
  const found = placeholders(made);
  const expected = made.values.map((_, at) => (found[0] === '?' ? '?' : `$${at + 1}`));
  expect(
    found[0] === '?' ? found : [...new Set(found)].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
  ).toEqual(expected);
}

test.each(engines)('in every statement of %s', (_, dialect, table) => {
  for (const [, make] of plans(table)) mustBeBound(make(dialect));
});

/** A condition may turn out to be empty after its value has been bound. */
test.each(engines)('in conditions of %s that say nothing', (_, dialect, table) => {
  const columnsNamed = (name: string) => table.columns.filter((one) => one.name === name);
  const read = (more: Partial<Read>): Read => ({
    ...{
      effect: 'read',
      table,
      columns: columnsNamed('id'),
      format: 'objects',
      distinct: false,
      where: { op: 'all', of: [] },
    },
    ...{ searches: [], sort: [], after: null, withCursor: false, limit: 10, offset: 0, total: false, ...more },
  });
  const withoutSearch: Table = { ...table, search: { ...table.search, columns: [] } };
  const query: Query = { op: 'and', of: [{ op: 'word', text: 'foo', prefix: false }] };
  const found = dialect.search(
    read({ table: withoutSearch, searches: [{ column: null, query, by: 'like', language: 'english' }] }),
  );
  expect(found.text).toMatch(/where FALSE/);
  expect(found.values).toEqual([]);

  // Nothing comes after the last NULL of the second column, so no condition for ties is needed.
  const sort = [...columnsNamed('x?y'), ...columnsNamed('day')].map(
    (by) => ({ by, direction: 'asc', nulls: 'last' }) as const,
  );
  const after = dialect.search(read({ sort, after: ['7', null], where: { op: 'in', column, values: ['1'] } }));
  mustBeBound(after);
  expect(after.text).not.toMatch(/IS NULL AND/);
});

test('on MySQL, text for a numeric column never becomes a part of the statement', () => {
  const server: Server = {
    ...{ product: 'mariadb', version: [10, 11], versionText: '', maxStatementBytes: null, logsStatements: false },
    ...{ foldCollation: null, startId: null },
  };
  const dialect = mysql.dialect(server);
  const [id] = mysqlTable.key;
  if (id === undefined) throw new Error('the table has a key');
  const find = (value: string) =>
    dialect.records(
      mysqlTable,
      [id],
      { op: 'in', column: id, values: [value] },
      { order: [], limit: null, lock: false },
    );
  expect(find('-12').text).toContain('-12');
  for (const value of ['0 OR 1=1', 'SLEEP(1)', '1e3', '', '--1', '1;', '0x10', '١'])
    expect(() => find(value)).toThrow('no number for a numeric column');
});
