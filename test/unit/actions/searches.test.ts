/** datastore_search: parameters → plan, and rows → result. */
import { describe, expect, test } from 'vitest';
import { datastore_search } from '../../../src/actions/index.ts';
import { field } from '../../../src/actions/query/columns.ts';
import type { Table } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import { bounds, films } from '../../support/table.ts';
import { members, plan, start } from './calling.ts';
import { refused } from './refused.ts';

describe('datastore_search', () => {
  const read = (params: Record<string, Json>, table: Table = films) => {
    const planned = plan(datastore_search, params, table);
    if (planned.effect !== 'read') throw new Error(planned.effect);
    return {
      ...planned,
      columns: planned.columns.map(({ label }) => label),
      sort: planned.sort.map(({ by, direction }) => `${by.label} ${direction}`),
    };
  };

  test('without parameters reads the first page by key, and counts', () => {
    expect(read({})).toMatchObject({
      ...{
        columns: ['_id', 'film_id', 'title', 'Rück gabe', 'seen', 'code', 'tags', 'place'],
        where: { op: 'all', of: [] },
      },
      ...{
        searches: [],
        sort: ['film_id asc'],
        after: null,
        withCursor: false,
        distinct: false,
        limit: 100,
        offset: 0,
        total: true,
      },
    });
  });

  test('fields are those asked for, in their order, twice if asked twice', () => {
    expect(read({ fields: 'title, _id,title' }).columns).toEqual(['title', '_id', 'title']);
    expect(read({ fields: ['poster'] }).columns).toEqual(['poster']);
    expect(read({ fields: [] }).columns).toHaveLength(8);
    expect(refused(() => read({ fields: 'title,nope , no' }))).toEqual({ fields: ['invalid value "nope"'] });
  });

  test('limits are kept without complaint, as in CKAN', () => {
    expect(read({ limit: 99_999 }).limit).toBe(32_000);
    expect(read({ limit: 0 }).limit).toBe(0);
    expect(read({ limit: '', offset: '' })).toMatchObject({ limit: 100, offset: 0 });
    expect(read({ include_total: 'no' }).total).toBe(false);
  });

  test('filters may be JSON in a text; q may be any scalar', () => {
    expect(read({ filters: '{"film_id": 9007199254740993}' }).where).toMatchObject({ op: 'in', values: [] });
    expect(read({ filters: '{}', q: 5 }).searches).toMatchObject([{ query: { of: [{ text: '5' }] }, by: 'like' }]);
    expect(read({ filters: 'null', q: ' ' })).toMatchObject({ where: { of: [] }, searches: [] });
  });

  test.each<readonly [Record<string, Json>, Record<string, Json>]>([
    [{ filters: 'x' }, { filters: ['Cannot parse JSON: must be an object such as {"name": "value"}, got: x'] }],
    [{ filters: 5 }, { filters: ['Cannot parse JSON: must be an object such as {"name": "value"}, got: 5'] }],
    [{ filters: '5' }, { filters: ['Filters must be defined as a dict or a list of dicts'] }],
    [{ filters: [1] }, { filters: ['Filters must be defined as a dict or a list of dicts'] }],
    [
      { filters: `{"a":${'['.repeat(40)}${']'.repeat(40)}}` },
      { filters: [expect.stringMatching(/^Cannot parse JSON: .*, got: \{"a":\[+\]+\}$/)] },
    ],
    [{ q: [1] }, { q: ['must be a text or an object, got: [1]'] }],
    [{ offset: -1 }, { offset: ['invalid value "-1"'] }],
    [{ offset: ' -5 ' }, { offset: ['invalid value "-5"'] }],
    [{ offset: 'bad' }, { offset: ['Invalid integer'] }],
    [{ limit: -1 }, { limit: ['Must be a natural number'] }],
    [{ records_format: 'xml' }, { records_format: ["Value must be one of ['objects', 'lists', 'csv', 'tsv']"] }],
    [{ nope: 1 }, { __extras: ['invalid value "nope"'] }],
    [{ resource_id: '' }, { resource_id: ['Missing value'] }],
    [
      { limit: 'x', offset: 'y' },
      { limit: ['Invalid integer', 'Please enter an integer value'], offset: ['Invalid integer'] },
    ],
  ])('%j is refused before the table is looked at', (params, says) => {
    expect(refused(() => start(datastore_search, { resource_id: 'films', ...params }))).toEqual(says);
  });

  test('an offset beyond the bound says what to do instead', () => {
    const bounded = { ...bounds, maxOffset: 1000 };
    expect(refused(() => datastore_search.start({ id: 'films', offset: 1001 }, bounded))).toEqual({
      offset: ['must be at most 1000, got: 1001; narrow the search with filters instead'],
    });
    expect(() => datastore_search.start({ id: 'films', offset: 1000 }, bounded)).not.toThrow();
  });

  const rows = {
    ...{ fields: films.columns.slice(1, 3).map(field), cells: [[1, 'Alien']] },
    encoders: [1, 2].map(() => ({ json: String, plain: String, copy: String })),
  };

  test('echoes what was given in alphabetical order, then records, fields and total', () => {
    const params = { sort: 'title', offset: 5, filters: '{"film_id":1}', q: 'a', limit: 2 };
    expect(members(datastore_search, params, { rows, total: { count: 7, is: 'exact' } })).toEqual([
      ...[
        ['filters', { film_id: 1 }],
        ['include_next_page', false],
        ['include_total', true],
        ['limit', 2],
        ['offset', 5],
        ['q', 'a'],
      ],
      ...[
        ['records_format', 'objects'],
        ['resource_id', 'films'],
        ['sort', 'title'],
        ['records', rows, 'objects'],
        ['fields', rows.fields],
        ['total', 7],
      ],
    ]);
  });

  test('fields stand where they were given, and are none where none were asked for', () => {
    const names = (params: Record<string, Json>) => members(datastore_search, params, { rows, total: null });
    expect(names({ fields: 'film_id,title' }).map(([name]) => name)).toEqual([
      ...['fields', 'include_next_page', 'include_total', 'limit', 'records_format', 'resource_id', 'records'],
    ]);
    expect(names({ fields: [] }).find(([name]) => name === 'fields')).toEqual(['fields', []]);
  });

  test('an estimate says that it is one; an alias is answered with the real id', () => {
    const resultWith = (is: 'estimated' | 'at least') =>
      members(datastore_search, { resource_id: 'alias' }, { rows, total: { count: 7, is } });
    const estimated = resultWith('estimated');
    expect(estimated.slice(-2)).toEqual([
      ['total', 7],
      ['total_was_estimated', true],
    ]);
    expect(resultWith('at least').slice(-2)).toEqual([
      ['total_was_estimated', true],
      ['total_at_least', true],
    ]);
    expect(estimated).toContainEqual(['resource_id', 'films']);
  });
});
