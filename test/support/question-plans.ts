/** All kinds of groups and measures as statements of a dialect, over the tricky table. */
import { datastore_aggregate } from '../../src/actions/index.ts';
import type { Dialect } from '../../src/model/dialect.ts';
import type { Sample } from '../../src/model/plan.ts';
import type { Statement } from '../../src/model/rows.ts';
import type { Table } from '../../src/model/table.ts';
import type { Json } from '../../src/model/value.ts';
import { planOf } from './drained.ts';
import { bounds, resource } from './table.ts';

/** Pairs of a name and a function that makes the statement in a given dialect. */
export function questionPlans(table: Table): readonly (readonly [string, (dialect: Dialect) => Statement])[] {
  const asked = (params: Record<string, Json>, sample: Sample | null = null) => {
    const started = datastore_aggregate.start(
      { resource_id: table.resource, measures: { n: 'count' }, ...params },
      bounds,
    );
    const plan = planOf(started.plan(resource(table), null));
    if (plan.effect !== 'ask') throw new Error('no question');

    return (dialect: Dialect) => dialect.ask(plan.question, sample);
  };
  const numbers = ['x?y', '50% as $1', 'f4', 'f8'];
  const measured = (fn: string, fields: readonly string[]): Record<string, Json> => ({
    measures: Object.fromEntries(fields.map((field) => [`of ${field}`, { [fn]: field }])),
  });
  const grouped = (...groups: readonly Json[]): Record<string, Json> => ({ groups });
  const filtered = { filters: { 'x?y': -7 }, q: "O'Brien" };
  return [
    ['sums', asked(measured('sum', numbers))],
    ['averages', asked(measured('avg', numbers))],
    ['least values', asked(measured('min', [...numbers, 'a.b', 'cit', 'day', 'seen', 'span']))],
    ['greatest values', asked(measured('max', ['f4', 'seen']))],
    ['distinct values', asked(measured('distinct', [...numbers, 'a.b', 'cit', 'flag', 'day']))],
    ['numbers of values', asked(measured('count', ['x?y', 'day']))],
    [
      'a measure with filters',
      asked({
        measures: {
          n: { count: null, filters: { 'x?y': 1 } },
          sum: { sum: 'x?y', filters: { 'a.b': { like: '?%' } } },
        },
      }),
    ],
    ['groups of texts', asked(grouped('a.b', 'cit', 'fold'))],
    ['groups of other values', asked(grouped('f4', 'flag', 'day'))],
    ...(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const).map(
      (every) => [`groups of every ${every}`, asked(grouped({ field: 'seen', every }))] as const,
    ),
    ['groups of every month of dates', asked(grouped({ field: 'day', every: 'month' }))],
    ['groups of a whole width', asked(grouped({ field: 'x?y', width: 100 }))],
    [
      'groups of a decimal width',
      asked(grouped({ field: '50% as $1', width: 2.5, as: 'w' }, { field: 'x?y', width: 0.5 })),
    ],
    [
      'a condition, an order and a page',
      asked({
        ...grouped('cit', 'x?y'),
        measures: { n: 'count', sum: { sum: '50% as $1' } },
        ...{ having: { $or: [{ n: { gte: 2 } }, { sum: null }], 'x?y': [1, 2] }, sort: 'sum desc nulls last, cit' },
        ...{ limit: 5, offset: 10, ...filtered },
      }),
    ],
    ['the first that match', asked({ ...grouped('cit'), ...filtered }, { of: 'matching', records: 1000 })],
    [
      'the first of the table',
      asked({ ...grouped('day'), ...measured('sum', ['f8']), ...filtered }, { of: 'table', records: 1000 }),
    ],
  ];
}
