import { describe, expect, test } from 'vitest';
import { Params } from '../../../src/actions/params.ts';
import {
  column,
  defaultColumns,
  field,
  quote,
  unquote,
  visibleKey,
  wireType,
} from '../../../src/actions/query/columns.ts';
import { sort } from '../../../src/actions/query/page.ts';
import { choice, type Type } from '../../../src/model/table.ts';
import { films, int4, column as made, parts, text, withColumns } from '../../support/table.ts';

describe('a name in a request', () => {
  const odd = withColumns(films, [
    made(' leading', text),
    made('leading', int4),
    made('"quoted"', text),
    made('__proto__', text),
  ]);

  test('is looked up as sent, then trimmed and unquoted', () => {
    expect(column(odd, ' leading')?.name).toBe(' leading');
    expect(column(odd, '  leading')?.name).toBe('leading');
    expect(column(odd, '"leading"')?.name).toBe('leading');
    expect(column(odd, '"quoted"')?.name).toBe('"quoted"');
    expect(column(odd, '" leading"')?.name).toBe(' leading');
    expect(column(odd, '__proto__')?.name).toBe('__proto__');
    expect(column(odd, 'Leading')).toBeUndefined();
    expect(column(odd, 'toString')).toBeUndefined();
  });

  test.each([
    [' a ', 'a'],
    ['"a"', 'a'],
    [' "a b" ', 'a b'],
    ['""a""', '"a"'],
    ['"', '"'],
    ['""', ''],
    ['"a', '"a'],
    ['"a""b"', 'a"b'],
    ['a""b', 'a""b'],
  ])('%j without its wrapping is %j', (name, expected) => {
    expect(unquote(name)).toBe(expected);
  });
});

test('any name can be told in a list of one text, with an order', () => {
  const names = [
    'a',
    'a, b',
    ' a',
    'a ',
    '5" x 3"',
    '"',
    '"a',
    'b"',
    '"a, b',
    '""',
    'a desc',
    'nulls last',
    'a\n, b',
    ',',
    '"a" desc, b',
  ];
  const table = withColumns(
    films,
    names.map((name) => made(name, text)),
  );
  const read = (given: string) => new Params({ fields: given }).names('fields') ?? [];
  expect(read(names.map(quote).join(',')).map((name) => column(table, name)?.name)).toEqual(names);
  const order = read(names.map((name) => `"${name.replaceAll('"', '""')}" desc nulls last`).join(', '));
  const clauses = sort(order, table, []);
  expect(clauses.map(({ by, direction, nulls }) => [by.label, direction, nulls])).toEqual(
    names.map((name) => [name, 'desc', 'last']),
  );
});

test('a name may have a doubled quote, which its wrapping does not double', () => {
  const table = withColumns(films, [made('a""b', text)]);
  expect(column(table, ' "a""b"')?.name).toBe('a""b');
  expect(column(table, '"a""""b"')?.name).toBe('a""b');
});

describe('fields', () => {
  test('binary columns are left out unless asked for', () => {
    expect(defaultColumns(films).map(({ label }) => label)).toEqual([
      '_id',
      'film_id',
      'title',
      'Rück gabe',
      'seen',
      'code',
      'tags',
      'place',
    ]);
  });

  test('_id is an int, its column keeps its type, and info is shown where there is one', () => {
    expect(films.columns.slice(0, 5).map(field)).toEqual([
      { id: '_id', type: 'int' },
      { id: 'film_id', type: 'int4' },
      { id: 'title', type: 'text' },
      { id: 'Rück gabe', type: 'numeric' },
      { id: 'seen', type: 'timestamp', info: { label: 'Seen' } },
    ]);
    expect(field(made('_id', text))).toEqual({ id: '_id', type: 'text' });
  });

  test.each<readonly [Type, string]>([
    [int4, 'int4'],
    [{ kind: 'int', wire: 'numeric', min: 0n, max: 2n ** 64n - 1n }, 'numeric'],
    [{ kind: 'float', bits: 32, nan: true }, 'float4'],
    [{ kind: 'float', bits: 64, nan: true }, 'float8'],
    [{ kind: 'bool' }, 'bool'],
    [{ kind: 'text', length: 5, padded: true, nul: false }, 'text'],
    [choice([], true), 'text'],
    [{ kind: 'date', infinite: true }, 'date'],
    [{ kind: 'time', digits: 0, span: true }, 'time'],
    [{ kind: 'timestamp', digits: 0, zoned: true, infinite: true }, 'timestamptz'],
    [{ kind: 'json', binary: false, finds: 'numeric' }, 'json'],
    [{ kind: 'json', binary: true, finds: 'numeric' }, 'jsonb'],
    [{ kind: 'binary', length: null }, 'bytea'],
    [{ kind: 'bits', length: 1, varying: false }, 'int2'],
    [{ kind: 'bits', length: 8, varying: false }, 'bit'],
    [{ kind: 'bits', length: 1, varying: true }, 'bit'],
    [{ kind: 'uuid' }, 'uuid'],
    [{ kind: 'array', of: text }, '_text'],
    [{ kind: 'array', of: { kind: 'timestamp', digits: 6, zoned: false, infinite: true } }, '_timestamp'],
    [{ kind: 'opaque', wire: 'inet', comparable: true }, 'inet'],
  ])('the type of %o is %s', (type, expected) => {
    expect(wireType(type)).toBe(expected);
  });

  test('a key is shown only under names that a client can use', () => {
    expect(visibleKey(films).map(({ label }) => label)).toEqual(['film_id']);
    expect(visibleKey(parts).map(({ label }) => label)).toEqual(['a', 'b']);
    const withoutB = withColumns(
      parts,
      parts.columns.filter(({ name }) => name !== 'b'),
    );
    expect(visibleKey(withoutB)).toEqual([]);
    const behindId = withColumns(
      films,
      films.columns.filter(({ label }) => label !== 'film_id'),
    );
    expect(visibleKey(behindId).map(({ label }) => label)).toEqual(['_id']);
  });
});
