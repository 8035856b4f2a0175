import { describe, expect, test } from 'vitest';
import { datastore_search } from '../../../src/actions/index.ts';
import type { Type } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import { column, films, withColumns } from '../../support/table.ts';
import { plan } from './calling.ts';
import { refused } from './refused.ts';

const text = (length: number | null): Type => ({ kind: 'text', length, padded: false, nul: false });
const columns = [
  column('short', text(255)),
  column('lastSecond', text(10_000)),
  column('long', text(null)),
  column('larger', text(10_001)),
  column('doc', { kind: 'json', binary: true, finds: 'numeric' }),
  column('list', { kind: 'array', of: text(10) }),
];
const tableOf = (searched: readonly string[]) => {
  const table = withColumns(films, columns);
  return { ...table, search: { ...table.search, columns: columns.filter(({ name }) => searched.includes(name)) } };
};
const limits = { qBytes: 10_000, qWords: 16 };
const planOfSearch = (params: Record<string, Json>, searched: readonly string[] = []) =>
  plan(datastore_search, params, tableOf(searched), false, limits);
const message = (name: string, bytes: number) =>
  `must have at most 500 bytes to be looked for in texts of any length such as "${name}", got: ${bytes}`;

describe('a pattern of a filter', () => {
  test.each(['long', 'larger', 'doc', 'list'])('for column %s has 500 bytes', (name) => {
    expect(planOfSearch({ filters: { [name]: { like: `%${'é'.repeat(249)}%` } } }).effect).toBe('read');
    expect(refused(() => planOfSearch({ filters: { [name]: { ilike: `%${'é'.repeat(250)}%` } } }))).toEqual({
      filters: [`like and ilike ${message(name, 502)}`],
    });
  });

  test.each(['short', 'lastSecond'])('for column %s has limits.qBytes', (name) => {
    expect(planOfSearch({ filters: { [name]: { like: 'a'.repeat(10_000) } } }).effect).toBe('read');
    expect(refused(() => planOfSearch({ filters: { [name]: { like: 'a'.repeat(10_001) } } }))).toEqual({
      filters: ['like and ilike must have at most 10000 bytes, got: 10001'],
    });
  });

  test('counts with the others of its call', () => {
    const filters = { short: { like: 'a'.repeat(9000) }, long: { like: 'a'.repeat(300), ilike: 'b'.repeat(201) } };
    expect(refused(() => planOfSearch({ filters }))).toEqual({ filters: [`like and ilike ${message('long', 501)}`] });
  });
});

describe('words', () => {
  test('have 500 bytes where a searched column may be long', () => {
    expect(planOfSearch({ q: 'a'.repeat(10_000) }, ['short', 'lastSecond']).effect).toBe('read');
    expect(planOfSearch({ q: `"${'a b '.repeat(125)}"` }, ['short', 'long']).effect).toBe('read');
    expect(refused(() => planOfSearch({ q: `${'a'.repeat(300)} ${'b'.repeat(201)}` }, ['short', 'long']))).toEqual({
      q: [message('long', 501)],
    });
  });

  test('are counted for each field they are asked of', () => {
    const q = { short: 'a'.repeat(5000), doc: 'b'.repeat(300), long: 'c'.repeat(300) };
    expect(refused(() => planOfSearch({ q }))).toEqual({ q: [message('long', 600)] });
    expect(refused(() => planOfSearch({ q, full_text: 'd' }, ['short']))).toEqual({ q: [message('long', 600)] });
  });
});
