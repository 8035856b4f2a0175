import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mysql, postgres } from '../../src/dialects/index.ts';
import { condition, type Placeholders, statement } from '../../src/dialects/sql.ts';
import type { Server } from '../../src/model/catalog.ts';
import type { Comparison, Query, Read, Where } from '../../src/model/plan.ts';
import type { Statement } from '../../src/model/rows.ts';
import type { Table } from '../../src/model/table.ts';
import { plans } from './plans.ts';
import { mysqlTable, postgresTable } from './tricky.ts';

const [column] = postgresTable.columns;
if (column === undefined) throw new Error('the table has columns');

const { where } = fc.letrec<{ where: Where }>((tie) => {
  const of = fc.array(tie('where'), { maxLength: 3 });
  return {
    where: fc.oneof(
      { maxDepth: 4 },
      fc.constant<Where>({ op: 'in', column, values: ['x'] }),
      of.map((of): Where => ({ op: 'all', of })),
      of.map((of): Where => ({ op: 'any', of })),
      tie('where').map((of): Where => ({ op: 'not', of })),
    ),
  };
});

/** A placeholder that stands nowhere shifts the values of MySQL: the next condition compares with the wrong one. */
test('every value that is bound stands in the statement, in its order', () => {
  let bound = 0;
  fc.assert(
    fc.property(fc.array(where, { maxLength: 3 }), (of) => {
      let nth = 0;
      const { text, values } = statement(
        'numbered',
        (bind) => condition({ op: 'all', of }, (_: Comparison) => `c = ${bind(`x${++nth}`)};`) ?? '',
      );
      bound += values.length;
      expect([...text.matchAll(/c = \$(\d+);/g)].map(([, at]) => Number(at))).toEqual(values.map((_, at) => at + 1));
      expect(values).toEqual(values.map((_, at) => `x${at + 1}`));
    }),
    { numRuns: 500, seed: 1 },
  );
  expect(bound).toBeGreaterThan(500);
});

test('a value is bound where it stands, as often as it stands there', () => {
  const write = (placeholders: Placeholders) =>
    statement(placeholders, (bind) => {
      const [first, left, last] = [bind('first'), bind('left out'), bind(null)];
      return left === '' ? '' : `${last} ${first} '$1 ?' ${last}`;
    });
  expect(write('numbered')).toEqual({ text: "$1 $2 '$1 ?' $1", values: [null, 'first'] });
  expect(write('ordered')).toEqual({ text: "? ? '$1 ?' ?", values: [null, 'first', null] });
});

test('seventy thousand of them', () => {
  const all = Array.from({ length: 70_000 }, (_, nth) => `v${nth}`);
  const made = statement('numbered', (bind) => all.map(bind).join(','));
  expect(made.values).toEqual(all);
  expect(made.text).toBe(all.map((_, nth) => `$${nth + 1}`).join(','));
});

const facts = { versionText: '', maxStatementBytes: null, logsStatements: false, foldCollation: null, life: null };
const server = (product: Server['product'], ...version: readonly number[]): Server => ({ product, version, ...facts });
const engines = [
  ['PostgreSQL', postgres.dialect(server('postgres', 15, 1)), postgresTable],
  ['MySQL', mysql.dialect(server('mysql', 9, 7, 0)), mysqlTable],
] as const;

/** The placeholders outside of names and literals, which hold `?` and `$1` as well. */
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

/** A condition that turns out to be none has bound its value before. */
test.each(engines)('in conditions of %s that say nothing', (_, dialect, table) => {
  const named = (name: string) => table.columns.filter((one) => one.name === name);
  const read = (more: Partial<Read>): Read => ({
    ...{
      effect: 'read',
      table,
      columns: named('id'),
      format: 'objects',
      distinct: false,
      where: { op: 'all', of: [] },
    },
    ...{ searches: [], sort: [], after: null, place: false, limit: 10, offset: 0, total: false, ...more },
  });
  const nothing: Table = { ...table, search: { ...table.search, columns: [] } };
  const query: Query = { op: 'and', of: [{ op: 'word', text: 'foo', prefix: false }] };
  const found = dialect.search(
    read({ table: nothing, searches: [{ column: null, query, by: 'like', language: 'english' }] }),
  );
  expect(found.text).toMatch(/WHERE FALSE/);
  expect(found.values).toEqual([]);

  // After the last NULL of the second column nothing comes, so there is no tie.
  const sort = [...named('x?y'), ...named('day')].map((by) => ({ by, direction: 'asc', nulls: 'last' }) as const);
  const after = dialect.search(read({ sort, after: ['7', null], where: { op: 'in', column, values: ['1'] } }));
  mustBeBound(after);
  expect(after.text).not.toMatch(/IS NULL AND/);
});
