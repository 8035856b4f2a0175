import { expect, test } from 'vitest';
import { shown, written } from '../../../src/actions/openapi/values.ts';
import type { Type } from '../../../src/model/table.ts';
import { column } from '../../support/table.ts';

const decimal = (precision: number | null, scale: number, more: Partial<Extract<Type, { kind: 'decimal' }>>) =>
  column('n', { kind: 'decimal', precision, scale, nan: false, ...more }, { nullable: false });

test.each([
  [4, 2, '99.99'],
  [5, 5, '0.99999'],
  [3, 0, '999'],
  // In PostgreSQL the scale can exceed the precision or be negative.
  [2, 5, '0.00099'],
  [2, -3, '99000'],
])('numeric(%i,%i) is written up to %s', (precision, scale, most) => {
  expect(JSON.parse(JSON.stringify(written(decimal(precision, scale, {}))))).toEqual({
    type: 'number',
    minimum: { isLosslessNumber: true, value: `-${most}` },
    maximum: { isLosslessNumber: true, value: most },
  });
});

test('PostgreSQL shows the infinities where its numeric has them, and NaN everywhere', () => {
  const words = (more: Partial<Extract<Type, { kind: 'decimal' }>>) => shown(decimal(null, 0, { nan: true, ...more }));
  expect(words({ infinite: true })).toEqual({
    anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity'] }],
  });
  expect(words({})).toEqual({ anyOf: [{ type: 'number' }, { enum: ['NaN'] }] });
});
