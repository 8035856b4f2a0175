import fc from 'fast-check';
import { expect, test } from 'vitest';
import { condition, statement } from '../../src/dialects/sql.ts';
import type { Comparison, Where } from '../../src/plan.ts';
import { postgresTable } from './tricky.ts';

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
      const { text, values } = statement(
        (nth) => `$${nth};`,
        (bind) => condition({ op: 'all', of }, (_: Comparison) => `c = ${bind('x')}`) ?? '',
      );
      bound += values.length;
      expect([...text.matchAll(/\$(\d+);/g)].map(([, nth]) => Number(nth))).toEqual(values.map((_, at) => at + 1));
    }),
    { numRuns: 500, seed: 1 },
  );
  expect(bound).toBeGreaterThan(500);
});
