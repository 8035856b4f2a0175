/** A few characters must not expand to a hundred thousand digits: bound values stay about as long as the request. */
import { describe, expect, test } from 'vitest';
import { datastore_search, datastore_upsert } from '../../../src/actions/index.ts';
import type { Where } from '../../../src/model/plan.ts';
import type { Table, Type } from '../../../src/model/table.ts';
import type { BoundValue, Json } from '../../../src/model/value.ts';
import { identity } from '../../../src/values/convert.ts';
import { parseJson } from '../../../src/values/json.ts';
import { planOf } from '../../support/drained.ts';
import { bounds, column, films, int4, resource, withColumns } from '../../support/table.ts';

const numeric: Type = { kind: 'decimal', precision: null, scale: null, nan: true, infinite: true };
const wide: Type = { kind: 'decimal', precision: 1000, scale: 500, nan: true };
const mysqlDecimal: Type = { kind: 'decimal', precision: 65, scale: 30, nan: false };
const double: Type = { kind: 'float', bits: 64, nan: true };
const types: Readonly<Record<string, Type>> = {
  ...{ numeric, wide, mysqlDecimal, double, int: int4 },
  arr: { kind: 'array', of: numeric },
};
const key = column('numeric', numeric, { nullable: false });
const columns = Object.entries(types).map(([name, type]) => (name === 'numeric' ? key : column(name, type)));
const table: Table = { ...withColumns(films, columns), key: [key] };
const limits = { ...bounds, inValues: 10_000, recordsPerUpsert: 10_000 };

const plan = (action: typeof datastore_search, params: Readonly<Record<string, Json>>) =>
  planOf(action.start({ resource_id: 'films', ...params }, limits).plan(resource(table), null));

function values(where: Where): readonly BoundValue[] {
  if ('of' in where) return Array.isArray(where.of) ? where.of.flatMap(values) : [];
  if (where.op === 'in') return where.values;
  return 'value' in where ? [where.value] : [];
}
/** The number of characters that the filters of a call bind. */
function bound(filters: string): number {
  const { where } = {
    where: { op: 'all', of: [] } as Where,
    ...plan(datastore_search, { filters: parseJson(filters, 32) }),
  };
  const inside = (one: Where): readonly BoundValue[] => (one.op === 'not' ? inside(one.of) : values(one));
  return inside(where).reduce((sum, value) => sum + value.length, 0);
}

const powers = [
  '1e131000',
  '-9e130999',
  '1e-16000',
  '1e999',
  '-1e400',
  '1e-450',
  '1e999999999',
  '1e-999999999',
  '"1E131000"',
];
const many = (length: number) => Array.from({ length }, (_, nth) => `1e${131_000 - nth}`).join(',');

describe.each(Object.keys(types).filter((name) => name !== 'arr'))('a filter of %s', (name) => {
  test.each(powers)('%s', (power) => {
    for (const op of ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])
      expect([op, bound(`{"${name}":{"${op}":${power}}}`) < 1100]).toEqual([op, true]);
    expect(bound(`{"${name}":[${power},${power}]}`)).toBeLessThan(2200);
  });
});

test('ten thousand values of a body of 90 kB', () => {
  expect(bound(`{"numeric":[${many(10_000)}]}`)).toBeLessThan(100_000);
});

test('arrays, and lists in lists', () => {
  const nested = `[[${many(1000)}],[${many(1000)}]]`;
  expect(bound(`{"arr":{"eq":${nested}}}`)).toBeLessThan(30_000);
  expect(bound(`{"arr":[[${many(1000)}],"{1e131000,{1e131000}}"]}`.replace(',{1e131000}', ',1e130999'))).toBeLessThan(
    15_000,
  );
});

test('the records of a write', () => {
  const records = parseJson(
    `[${Array.from({ length: 3000 }, (_, nth) => `{"numeric":1e${131_000 - nth},"arr":[1e131000]}`)}]`,
    32,
  );
  const written = plan(datastore_upsert, { method: 'insert', records });
  if (written.effect !== 'write') throw new Error('not a write');
  const length = written.records
    .flatMap((record) => record.values)
    .reduce((sum, value) => sum + (value?.length ?? 0), 0);
  expect(length).toBeLessThan(3000 * 25);
});

test('keys that are the same number have one identity, also as the server spells them', () => {
  const plain = `1${'0'.repeat(131_000)}`;
  const spellings = ['1e131000', '10e130999', '0.1e131001', '+1.00E+131000', plain, `${plain}.00`];
  expect(new Set(spellings.map((text) => identity(text, numeric)))).toEqual(new Set(['1e131000']));
  expect(identity('1e131001', numeric)).not.toBe(identity(plain, numeric));
});
