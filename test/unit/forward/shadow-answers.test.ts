/** Differences between two answers, and what is none. */
import { describe, expect, test } from 'vitest';
import { type Comparison, differencesOf } from '../../../src/forward/shadow-answers.ts';
import type { Json, JsonObject } from '../../../src/model/value.ts';
import { isObject, parseJson } from '../../../src/values/json.ts';
import { atOnce } from '../../../src/values/slices.ts';

type Types = Readonly<Record<string, string>>;

/** The result of an answer. @param more members that differ from those of a whole table */
function result(types: Types, records: readonly Json[], more: JsonObject = {}): JsonObject {
  const fields = Object.entries(types).map(([id, type]) => ({ id, type }));
  return { fields, records, limit: 100, total: records.length, ...more };
}
/** The members of a JSON text, with all digits. */
function record(text: string): Json {
  const parsed = parseJson(text, 10);
  if (!isObject(parsed)) throw new Error(text);
  return parsed;
}

const byNo: Comparison = { sort: [], key: ['no'] };
const compared = (ours: JsonObject, theirs: JsonObject, call: Partial<Comparison> = {}) =>
  atOnce(differencesOf(ours, theirs, { ...byNo, ...call }));
/** The differences of one column, in a table of one record. */
function ofValues(ours: string, theirs: string, type = 'numeric', theirType = type) {
  const of = (type: string, value: string) => result({ no: 'int4', a: type }, [record(`{"no": 1, "a": ${value}}`)]);
  return compared(of(type, ours), of(theirType, theirs));
}
const kinds = (differences: readonly { readonly kind: string }[]) => differences.map(({ kind }) => kind);

const types = { no: 'int4', name: 'text' };
const rows = [
  { no: 1, name: 'x' },
  { no: 2, name: 'y' },
  { no: 3, name: 'x' },
];

describe('equal by meaning', () => {
  test('the same answer', () => {
    expect(compared(result(types, rows), result(types, rows))).toEqual([]);
  });

  test('fields in another order, in objects and in lists', () => {
    const turned = { name: 'text', no: 'int4' };
    expect(compared(result(types, rows), result(turned, rows))).toEqual([]);
    const [own, other] = [rows.map(({ no, name }) => [no, name]), rows.map(({ no, name }) => [name, no])];
    expect(compared(result(types, own), result(turned, other))).toEqual([]);
  });

  test('records in another order, where no sort decides it', () => {
    expect(compared(result(types, rows), result(types, rows.toReversed()))).toEqual([]);
  });

  test('records in another order, which are equal in the sort', () => {
    const [one, two, three] = rows;
    const other = [three ?? null, one ?? null, two ?? null];
    const sorted = [one ?? null, three ?? null, two ?? null];
    expect(compared(result(types, sorted), result(types, other), { sort: ['name'] })).toEqual([]);
  });

  test('an `_id` of its own, or none', () => {
    const theirs = rows.map((row) => ({ _id: row.no + 100, ...row }));
    expect(compared(result(types, rows), result({ _id: 'int', ...types }, theirs))).toEqual([]);
  });

  test('ranks of words, but not a column that is called so', () => {
    const ranked = (rank: number, more: JsonObject) => {
      const all = rows.map((row) => ({ ...row, rank }));
      return result({ ...types, rank: 'float' }, all, more);
    };
    expect(compared(ranked(0.1, { q: 'x' }), ranked(0.2, { q: 'x' }))).toEqual([]);
    expect(kinds(compared(ranked(0.1, {}), ranked(0.2, {})))).toEqual(['values']);
  });

  test.each([
    ['1.50', '1.5', 'numeric', 'numeric'],
    ['100', '1E+2', 'numeric', 'int4'],
    ['12345678901234567890.50', '12345678901234567890.5', 'numeric', 'numeric'],
    ['0.1', '0.1000', 'float8', 'numeric'],
    ['1e20', '100000000000000000000', 'float8', 'float8'],
    ['"NaN"', '"NaN"', 'numeric', 'numeric'],
    ['"2020-01-02T03:04:05"', '"2020-01-02T03:04:05.000"', 'timestamp', 'timestamp'],
    ['"2020-01-02T03:04:05.678901"', '"2020-01-02 03:04:05.678"', 'timestamp', 'timestamp'],
    ['"2020-01-02T03:04:05+01:00"', '"2020-01-02T02:04:05+00:00"', 'timestamptz', 'timestamptz'],
    ['"infinity"', '"infinity"', 'date', 'date'],
    ['true', 'true', 'bool', 'bool'],
    ['{"a": 1, "b": [1.0]}', '{"b": [1], "a": 1.0}', 'json', 'jsonb'],
    ['"a"', '"a"', 'text', 'uuid'],
    ['null', 'null', 'text', 'text'],
  ])('%s and %s', (ours, theirs, type, theirType) => {
    expect(ofValues(ours, theirs, type, theirType)).toEqual([]);
  });

  test('totals of which one is an estimate, or was not asked for', () => {
    const estimated = result(types, rows, { total: 5, total_was_estimated: true });
    expect(compared(estimated, result(types, rows))).toEqual([]);
    const { total: _, ...without } = result(types, rows);
    expect(compared(without, result(types, rows, { total: 7 }))).toEqual([]);
  });
});

describe('a difference', () => {
  test.each([
    ['1.5', '1.51', 'numeric'],
    ['12345678901234567890.5', '12345678901234567890.6', 'numeric'],
    ['"2020-01-02T03:04:05"', '"2020-01-02T03:04:06"', 'timestamp'],
    ['"2020-01-02T03:04:05+01:00"', '"2020-01-02T03:04:05+00:00"', 'timestamptz'],
    ['true', 'false', 'bool'],
    ['"a"', '"a "', 'text'],
    ['"01"', '"1"', 'text'],
    ['{"a": 1}', '{"a": 2}', 'json'],
    ['{"a": 1}', '[["a", 1]]', 'json'],
  ])('%s is another value than %s', (ours, theirs, type) => {
    expect(ofValues(ours, theirs, type)).toEqual([{ kind: 'values', columns: ['a'] }]);
  });

  test('NULL and the empty text', () => {
    expect(ofValues('null', '""', 'text')).toEqual([{ kind: 'nulls', columns: ['a'] }]);
  });

  test.each([
    ['1.50', '"1.5"', 'numeric', 'text'],
    ['true', '"t"', 'bool', 'text'],
    ['"2020-01-02"', '"2020-01-02T00:00:00"', 'date', 'timestamp'],
    ['"2020-01-02T00:00:00+00:00"', '"2020-01-02T00:00:00"', 'timestamptz', 'timestamp'],
  ])('%s has another type than %s, with the same value', (ours, theirs, type, theirType) => {
    expect(ofValues(ours, theirs, type, theirType)).toEqual([{ kind: 'types', columns: ['a'] }]);
  });

  test('columns that one of the two lacks', () => {
    const theirs = rows.map(({ no }) => ({ no, more: 1 }));
    expect(compared(result(types, rows), result({ no: 'int4', more: 'int4' }, theirs))).toEqual([
      { kind: 'fields', columns: ['name', 'more'] },
    ]);
  });

  test('the total', () => {
    expect(compared(result(types, rows), result(types, rows, { total: 4 }))).toEqual([{ kind: 'total', columns: [] }]);
  });

  test('a record that one of the two lacks', () => {
    const fewer = result(types, rows.slice(1));
    expect(kinds(compared(result(types, rows), fewer))).toEqual(['total', 'records']);
    expect(kinds(compared(fewer, result(types, rows)))).toEqual(['total', 'records']);
    // Without the columns of the key, records cannot be told apart.
    const names = (texts: readonly string[]) =>
      result(
        { name: 'text' },
        texts.map((name) => ({ name })),
      );
    expect(kinds(compared(names(['a', 'b']), names(['a', 'c'])))).toEqual(['records']);
    expect(kinds(compared(names(['a', 'a', 'b']), names(['a', 'b', 'b'])))).toEqual(['records']);
  });

  test('the order, where the sort decides it', () => {
    const [own, other] = [result(types, rows), result(types, rows.toReversed())];
    expect(compared(own, other, { sort: ['no'] })).toEqual([{ kind: 'order', columns: ['no'] }]);
    // Nothing shows the order of a column that is not there.
    expect(compared(own, other, { sort: ['hidden', 'no'] })).toEqual([]);
  });

  test('the records of a page that the call leaves open', () => {
    const page = (from: number, more: JsonObject = {}) =>
      result(
        types,
        [
          { no: from, name: 'x' },
          { no: from + 1, name: 'x' },
        ],
        { limit: 2, total: 9, ...more },
      );
    expect(kinds(compared(page(1), page(5)))).toEqual(['page']);
    expect(kinds(compared(page(1), page(5), { sort: ['name'] }))).toEqual(['page']);
    expect(kinds(compared(page(1), page(5), { sort: ['no'] }))).toEqual(['records']);
    expect(kinds(compared(page(1, { limit: 3, offset: 4 }), page(5, { limit: 3, offset: 4 })))).toEqual(['page']);
    expect(kinds(compared(page(1, { limit: 3 }), page(5, { limit: 3 })))).toEqual(['records']);
  });

  test('several at once, each named once', () => {
    const theirs = [
      { no: 1, name: null },
      { no: 2, name: 'z' },
      { no: 4, name: 'x' },
    ];
    expect(compared(result(types, rows), result({ no: 'text', name: 'text' }, theirs, { total: 8 }))).toEqual([
      { kind: 'types', columns: ['no'] },
      { kind: 'total', columns: [] },
      { kind: 'records', columns: [] },
      { kind: 'values', columns: ['name'] },
      { kind: 'nulls', columns: ['name'] },
    ]);
  });
});
