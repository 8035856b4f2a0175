/** All statements that a dialect generates for counting in groups, over the tricky table. */
import type { Dialect } from '../../src/model/dialect.ts';
import type { Aggregate, Read, Where } from '../../src/model/plan.ts';
import type { Statement } from '../../src/model/rows.ts';
import type { Table } from '../../src/model/table.ts';

/** Pairs of a name and a function that makes the statement in a given dialect. */
export function groupPlans(table: Table): readonly (readonly [string, (dialect: Dialect) => Statement])[] {
  const column = (name: string) => {
    const found = table.columns.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no column ${name}`);
    return found;
  };
  const records: Read = {
    ...{ effect: 'read', table, columns: [], format: 'objects', distinct: false, sort: [], after: null },
    ...{ withCursor: false, limit: 0, offset: 0, total: true },
    where: { op: 'in', column: column('x?y'), values: ['-7'] },
    searches: [
      {
        column: column('cit'),
        query: { op: 'and', of: [{ op: 'word', text: "O'Brien", prefix: false }] },
        by: 'like',
        language: 'english',
      },
    ],
  };
  const plan = (name: string) => ({ effect: 'aggregate', table, column: column(name), records }) as const;
  const byValue = (name: string) => ({ ...plan(name), by: { is: 'value', limit: 30, sort: 'count' } }) as const;
  const finite = (name: string): Where => ({ op: 'not', of: { op: 'null', column: column(name) } });
  const byRange = (name: string, ...edges: readonly string[]) => {
    const bounds = edges.map((at) => ({ at, below: { op: 'lt', column: column(name), value: at } as const }));
    return { ...plan(name), by: { is: 'range', finite: finite(name), edges: () => bounds } } as const;
  };
  const edgesOf = ({ by }: Aggregate) => (by.is === 'range' ? by.edges('', '') : []);
  const [numbers, days] = [byRange('50% as $1', '0', '5', '10', '15'), byRange('day', '2024-01-01', '2024-02-01')];
  const values = ['a.b', 'cit', 'fold', 'f4', 'f8', 'flag', 'bit5', 'day', 'seen', 'span', '50% as $1'];
  return [
    ...values.map(
      (name) => [`values of ${name}`, (dialect: Dialect) => dialect.countValues(byValue(name), null)] as const,
    ),
    [
      'values of cit, in order, of the first that match',
      (dialect) =>
        dialect.countValues(
          { ...byValue('cit'), by: { is: 'value', limit: 3, sort: 'value' } },
          { of: 'matching', records: 1000 },
        ),
    ],
    [
      'values of day, of the first of the table',
      (dialect) => dialect.countValues(byValue('day'), { of: 'table', records: 1000 }),
    ],
    ['how many values', (dialect) => dialect.estimateValues(table, column('cit')).statement],
    ['extent of f4', (dialect) => dialect.extent(byRange('f4'), null)],
    ['extent of day, of the first that match', (dialect) => dialect.extent(days, { of: 'matching', records: 1000 })],
    ['ranges of numbers', (dialect) => dialect.countRanges(numbers, edgesOf(numbers), null)],
    [
      'ranges of days, of the first of the table',
      (dialect) => dialect.countRanges(days, edgesOf(days), { of: 'table', records: 1000 }),
    ],
    ['ranges without an edge', (dialect) => dialect.countRanges(days, [], null)],
  ];
}
