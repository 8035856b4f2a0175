/** Keys of totals and of statements. If two searches shared a key, one would get the other's total or records. */
import { expect, test } from 'vitest';
import { postgres } from '../../../src/dialects/index.ts';
import type { Read, Search, Where } from '../../../src/model/plan.ts';
import { readKeyOf, totalKeyOf } from '../../../src/model/read-key.ts';
import { postgresTable as table } from '../../support/tricky-table.ts';

const dialect = postgres.dialect({
  ...{ product: 'postgres', version: [15, 1], versionText: '', maxStatementBytes: null, logsStatements: false },
  ...{ foldCollation: null, startId: null },
});
const columnsNamed = (...names: readonly string[]) =>
  names.flatMap((name) => table.columns.filter((one) => one.name === name));
const [cit, fold, blob] = columnsNamed('cit', 'fold', 'blob');
if (cit === undefined || fold === undefined || blob === undefined) throw new Error('the table has these columns');

const all: Where = { op: 'all', of: [] };
const base: Read = {
  ...{ effect: 'read', table, columns: table.columns, format: 'objects', where: all, searches: [], sort: [] },
  ...{ limit: 100, offset: 0, total: true, after: null, withCursor: false, distinct: false },
};
const is = (column: typeof cit, ...values: readonly (string | Uint8Array)[]): Where => ({ op: 'in', column, values });
const word = (text: string, prefix = false): Search['query'] => ({ op: 'word', text, prefix });
const search = (query: Search['query'], more: Partial<Search> = {}): Search => ({
  ...{ column: null, query, by: 'native', language: 'english', ...more },
});

/** Reads that all have different totals. */
const different: readonly Partial<Read>[] = [
  {},
  ...[is(cit), is(cit, 'a'), is(cit, 'b'), is(fold, 'a'), is(cit, 'a', 'b'), is(cit, 'a,b'), is(cit, '["a","b"]')].map(
    (where) => ({ where }),
  ),
  ...[is(blob, Uint8Array.of(1)), is(blob, Uint8Array.of(2)), is(blob, Uint8Array.of(1, 2))].map((where) => ({
    where,
  })),
  ...(['gt', 'gte', 'lt', 'lte'] as const).map((op): Partial<Read> => ({ where: { op, column: cit, value: 'a' } })),
  { where: { op: 'null', column: cit } },
  { where: { op: 'null', column: fold } },
  { where: { op: 'not', of: { op: 'null', column: cit } } },
  { where: { op: 'like', column: cit, pattern: 'a', folds: true } },
  { where: { op: 'like', column: cit, pattern: 'a', folds: false } },
  { where: { op: 'like', column: cit, pattern: 'b', folds: false } },
  { where: { op: 'any', of: [is(cit, 'a'), is(fold, 'b')] } },
  { where: { op: 'all', of: [is(cit, 'a'), is(fold, 'b')] } },
  ...[word('a'), word('a', true), word('b'), { op: 'not', of: word('a') } as const].map((query) => ({
    searches: [search(query)],
  })),
  { searches: [search(word('a'), { column: cit })] },
  { searches: [search(word('a'), { by: 'like' })] },
  { searches: [search(word('a'), { language: 'german' })] },
  { searches: [search(word('a')), search(word('b'))] },
  { searches: [search({ op: 'or', of: [word('a'), word('b')] })] },
  { searches: [search({ op: 'phrase', of: [{ text: 'a', prefix: false }] }, { language: 'simple' })] },
  { distinct: true },
  { distinct: true, columns: columnsNamed('cit') },
  { distinct: true, columns: columnsNamed('cit', 'fold') },
  { table: { ...table, resource: 'other' } },
];

test('what counts something else has another name', () => {
  const keys = different.map((part) => totalKeyOf({ ...base, ...part }));
  expect(new Set(keys).size).toBe(different.length);
  const counted = different.map((part) => JSON.stringify([part.table?.resource, dialect.count({ ...base, ...part })]));
  expect(new Set(counted).size).toBe(different.length);
});

const rank = { label: 'rank', search: search(word('a')) };
/** Reads that show the same records in different ways. Their pages are not part of the key. */
const pages: readonly Partial<Read>[] = [
  ...(['asc', 'desc'] as const).flatMap((direction) =>
    (['first', 'last'] as const).map((nulls) => ({ sort: [{ by: cit, direction, nulls }] })),
  ),
  { sort: [{ by: fold, direction: 'asc', nulls: 'last' }] },
  { columns: [cit] },
  { columns: [cit, fold] },
  { columns: [fold, cit] },
  { columns: [cit, cit] },
  { columns: [rank], searches: [rank.search] },
  { columns: [{ ...cit, name: 'rank' }], searches: [rank.search] },
  { withCursor: true, sort: [{ by: cit, direction: 'asc', nulls: 'last' }] },
  ...[['a'], ['b'], [null], ['null']].map((after) => ({
    ...{ after, sort: [{ by: cit, direction: 'asc', nulls: 'last' }] as const },
  })),
];

test('what shows something else has another name', () => {
  const all = [...different, ...pages].map((part) => ({ ...base, ...part }));
  expect(new Set(all.map(readKeyOf)).size).toBe(all.length);
});

test('a read of many values has none: to write it would take a millisecond of each search', () => {
  const values = Array.from({ length: 51 }, (_, nth) => String(nth));
  const half = is(cit, ...values);
  const other: Where = { op: 'not', of: { op: 'any', of: [is(fold, ...values)] } };
  expect(readKeyOf({ ...base, where: half })).not.toBeNull();
  expect(readKeyOf({ ...base, where: { op: 'all', of: [half, other] } })).toBeNull();
});

test('and the same question has the same, whatever comes beside the records', () => {
  expect(readKeyOf({ ...base, format: 'lists', total: false, limit: 1, offset: 1 })).toBe(readKeyOf(base));
  expect(dialect.search({ ...base, format: 'lists', total: false })).toEqual(dialect.search(base));
});

test.each([
  { sort: [{ by: cit, direction: 'desc', nulls: 'first' }] },
  { limit: 1 },
  { offset: 5 },
  { format: 'lists' },
  { columns: [cit] },
  { withCursor: true },
  { after: ['a'], sort: [{ by: cit, direction: 'asc', nulls: 'last' }] },
] satisfies readonly Partial<Read>[])('and a page of the same has the same: %o', (part) => {
  expect(totalKeyOf({ ...base, ...part })).toBe(totalKeyOf(base));
  expect(dialect.count({ ...base, ...part })).toEqual(dialect.count(base));
});
