/** datastore_upsert and datastore_records_delete: parameters → plan, and rows → result. */

import { describe, expect, test } from 'vitest';
import {
  datastore_delete,
  datastore_records_delete,
  datastore_search,
  datastore_upsert,
} from '../../../src/actions/index.ts';
import { writtenRecord } from '../../../src/actions/openapi/tables.ts';
import type { Table } from '../../../src/model/table.ts';
import type { Json } from '../../../src/model/value.ts';
import { parseJson } from '../../../src/values/json.ts';
import { planOf } from '../../support/drained.ts';
import { bounds, films, keyless, parts, resource, withColumns } from '../../support/table.ts';
import { members, plan, start } from './calling.ts';
import { refused } from './refused.ts';

test('OpenAPI says of a key that no write can change that it only finds records', () => {
  const fixed = films.columns.map((one) => (one.name === 'film_id' ? { ...one, readOnly: true } : one));
  const { properties } = writtenRecord(withColumns(films, fixed));
  expect(properties).toMatchObject({ film_id: { readOnly: true } });
  expect(Object(properties).title).not.toHaveProperty('readOnly');
});

describe('datastore_upsert', () => {
  const write = (records: string, method: Json = 'upsert', table: Table = films) => {
    const planned = plan(datastore_upsert, { records: parseJson(records, 10), method }, table);
    if (planned.effect !== 'write') throw new Error(planned.effect);
    return planned.records.map(({ columns, values, key }) => ({
      set: Object.fromEntries(columns.map((column, at) => [column.name, values[at]])),
      key: key === null ? null : Object.fromEntries(key.columns.map((column, at) => [column.name, key.values[at]])),
    }));
  };

  test('an insert has no key, and leaves out what the record leaves out', () => {
    expect(write('[{"title": "Alien"}, {"film_id": 7, "title": "", "Rück gabe": 1.50}]', 'insert')).toEqual([
      { set: { title: 'Alien' }, key: null },
      { set: { film_id: '7', title: '', 'Rück gabe': '1.50' }, key: null },
    ]);
  });

  test('an update is found by its key, or by _id where it has one', () => {
    expect(write('[{"film_id": "7", "title": "x"}]', 'update')).toEqual([
      { set: { film_id: '7', title: 'x' }, key: { film_id: '7' } },
    ]);
    expect(write('[{"_id": 7, "title": "x"}]')).toEqual([{ set: { film_id: '7', title: 'x' }, key: { film_id: '7' } }]);
    expect(write('[{"_id": 7, "film_id": "7.0", "title": "x"}]')[0]?.key).toEqual({ film_id: '7' });
    expect(write('[{"a": 1, "b": null, "n": null}]', 'upsert', parts)).toEqual([
      { set: { a: '1', b: null, n: null }, key: { a: '1', b: null } },
    ]);
  });

  test('names that all records share are looked up once', () => {
    let columnReads = 0;
    const columns = new Proxy(films.columns, {
      get: (target, name, receiver) => {
        columnReads++;
        return Reflect.get(target, name, receiver);
      },
    });
    const lookedUp = (records: readonly Json[]) => {
      columnReads = 0;
      plan(datastore_upsert, { records }, { ...films, columns });
      return columnReads;
    };
    const one = { film_id: 1, title: 'x', code: null };
    expect(lookedUp([one, one, one])).toBe(lookedUp([one]));
    expect(lookedUp([one, { film_id: 1 }, { title: 'y', film_id: 2 }])).toBe(lookedUp([one]));
  });

  test('blank is NULL where text cannot be blank', () => {
    expect(write('[{"film_id": 1, "title": "", "seen": "", "Rück gabe": ""}]')[0]?.set).toEqual({
      film_id: '1',
      title: '',
      seen: null,
      'Rück gabe': null,
    });
  });

  test.each<readonly [string, Json, Record<string, Json>]>([
    ['[{"title": "a"}, 5]', 'insert', { records: ['row "1" is not a json object'], records_row: 1 }],
    ['[{"title": "a", "x": 1, "y": 2}]', 'insert', { records: ['row "1" has extra keys "x, y"'], records_row: 0 }],
    [
      '[{"_id": 1, "title": "a"}]',
      'insert',
      { records: ['row "1" has extra keys "_id": it is "film_id" in a new record'], records_row: 0 },
    ],
    ['[{"film_id": 1, "x": 1, "y": 2}]', 'update', { fields: ['fields "x, y" do not exist'], records_row: 0 }],
    [
      '[{"title": "a"}]',
      'upsert',
      {
        key: [
          'fields "film_id" are missing but needed as key; for a new record, whose key the database makes, use method insert',
        ],
        records_row: 0,
      },
    ],
    [
      '[{"film_id": 1, "title": null}]',
      'upsert',
      {
        records: ['null value in column "title" violates not-null constraint'],
        records_row: 0,
        records_field: 'title',
      },
    ],
    [
      '[{"film_id": 1}, {"film_id": "x"}]',
      'upsert',
      { records: ['invalid input syntax for type integer: "x"'], records_row: 1, records_field: 'film_id' },
    ],
    [
      '[{"film_id": 1, "Rück gabe": 1.505}]',
      'upsert',
      {
        records: ['value "1.505" has more digits than type numeric(6,2) holds'],
        records_row: 0,
        records_field: 'Rück gabe',
      },
    ],
    [
      '[{"film_id": 1, "place": "(1,2)"}]',
      'upsert',
      { records: ['column "place" is read-only'], records_row: 0, records_field: 'place' },
    ],
    [
      '[{"_id": 1, "film_id": 2}]',
      'upsert',
      { records: ['"film_id" and "_id" are the same field and have different values'], records_row: 0 },
    ],
  ])('%s by %s is refused', (records, method, says) => {
    expect(refused(() => write(records, method))).toEqual(says);
  });

  test('a table without a key takes inserts only', () => {
    expect(write('[{"a": 1}]', 'insert', keyless)).toHaveLength(1);
    expect(refused(() => write('[{"a": 1}]', 'upsert', keyless))).toEqual({
      table: ['unique key must be passed for update/upsert: this table has none that is visible, so use method insert'],
    });
    expect(refused(() => write('[{"_id": 1}]', 'upsert', parts))).toEqual({
      fields: ['fields "_id" do not exist (the key of this table is "a", "b")'],
      records_row: 0,
    });
  });

  test('a table without transactions takes one record, unless a half is allowed', () => {
    const old: Table = { ...films, transactional: false };
    expect(refused(() => write('[{"title": "a"}, {"title": "b"}]', 'insert', old)).records).toEqual([
      'must be at most one record, got: 2; this table has no transactions, so a failing record could not undo the others',
    ]);
    expect(write('[{"title": "a"}]', 'insert', old)).toHaveLength(1);
    expect(write('[{"title": "a"}, {"title": "b"}]', 'insert', { ...old, allowPartial: true })).toHaveLength(2);
  });

  test.each<readonly [Record<string, Json>, Record<string, Json>]>([
    [{ records: {} }, { records: ['must be a list of objects, got: {}'] }],
    [{ records: [1, 2, 3, 4] }, { records: ['must be at most 3 records, got: 4'] }],
    [{ method: 'replace' }, { method: ["Value must be one of ['upsert', 'insert', 'update']"] }],
    [{ method: '' }, { method: ["Value must be one of ['upsert', 'insert', 'update']"] }],
    [{ records: '{}' }, { records: ['must be a list of objects, got: {}'] }],
    [{ records: '[{' }, { records: ['must be a list of objects, got: [{'] }],
    [{ calculate_record_count: 'maybe' }, { calculate_record_count: ['Value must be boolean or one of: background'] }],
  ])('%j is refused before the table is looked at', (params, says) => {
    expect(refused(() => start(datastore_upsert, { resource_id: 'films', ...params }))).toEqual(says);
  });

  test('a form may send the records as JSON, and null or nothing is no record', () => {
    const planOfInsert = (params: Record<string, Json>) => plan(datastore_upsert, { method: 'insert', ...params });
    expect(planOfInsert({ records: '[{"title": "a"}]' })).toEqual(planOfInsert({ records: [{ title: 'a' }] }));
    for (const params of [{}, { records: null }, { records: [] }, { records: '[]' }])
      expect(planOfInsert(params)).toMatchObject({ records: [] });
  });

  test('writes that cannot be rolled back or found again are refused', () => {
    const planOfUpsert = (table: Table, params: Record<string, Json>) => plan(datastore_upsert, params, table);
    const old: Table = { ...films, transactional: false };
    const one = { method: 'insert', records: [{ title: 'a' }] };
    const undone = ['must be false: this table has no transactions, so nothing could be undone'];
    for (const table of [old, { ...old, allowPartial: true }])
      expect(refused(() => planOfUpsert(table, { ...one, dry_run: true }))).toEqual({ dry_run: undone });
    expect(refused(() => planOfUpsert(old, { ...one, include_records: true }))).toEqual({
      include_records: [
        "must be false: this table has no transactions, so the record may be another's by the time it is read",
      ],
    });
    expect(planOfUpsert({ ...old, allowPartial: true }, { ...one, include_records: 'yes' })).toMatchObject({
      returned: films.columns,
    });
    expect(
      refused(() => planOfUpsert({ ...films, key: [], keyIs: 'none' }, { ...one, include_records: true })),
    ).toEqual({
      include_records: ['must be false: this table has no key by which its records could be found again'],
    });
  });

  test('include_records takes the right to read, too', () => {
    const revealsRecords = (action: typeof datastore_upsert, params: Record<string, Json>) =>
      start(action, { resource_id: 'films', ...params }).revealsRecords;
    expect(
      [true, 't', false, 'no', null].map((is) => revealsRecords(datastore_upsert, { include_records: is })),
    ).toEqual([...[true, true, false, false, false]]);
    expect([true, 'f'].map((is) => revealsRecords(datastore_upsert, { dry_run: is }))).toEqual([true, false]);
    for (const action of [datastore_delete, datastore_records_delete])
      for (const name of ['include_deleted_records', 'dry_run'])
        expect([true, 0].map((is) => revealsRecords(action, { [name]: is }))).toEqual([true, false]);
  });

  test('the result names the method, and repeats unknown parameters', () => {
    expect(Object.fromEntries(members(datastore_upsert, { records: [] }))).toEqual({
      calculate_record_count: 'background',
      resource_id: 'films',
      records: [],
    });
    expect(members(datastore_upsert, { method: 'insert', extra: 1, force: true, dry_run: 'false' })).toEqual([
      ...[
        ['__extras', { extra: 1 }],
        ['calculate_record_count', 'background'],
        ['dry_run', false],
        ['method', 'insert'],
        ['resource_id', 'films'],
        ['records', []],
      ],
    ]);
  });
});

describe('datastore_records_delete', () => {
  const remove = (params: Record<string, Json>, deleteAll = false) =>
    plan(datastore_records_delete, params, films, deleteAll);

  test('deletes what the filters say', () => {
    expect(remove({ filters: { title: ['a', 'b'] } })).toMatchObject({
      effect: 'delete',
      where: { op: 'in', values: ['a', 'b'] },
    });
    expect(remove({ filters: { title: [] } })).toMatchObject({ where: { op: 'in', values: [] } });
  });

  test('an unknown resource comes before anything else that is wrong', () => {
    expect(() => start(datastore_records_delete, { resource_id: 'nope', filters: 5, extra: 1 })).not.toThrow();
    expect(refused(() => start(datastore_records_delete, { filters: 5 }))).toEqual({ resource_id: ['Missing value'] });
  });

  test.each<readonly [Record<string, Json>, string]>([
    [{}, 'Missing value'],
    [{ filters: null }, 'Must be a dict'],
    [{ filters: [] }, 'Must be a dict'],
    [{ filters: '{"title":"a"}' }, 'Must be a dict'],
    [{ filters: { nope: 1 } }, 'Unknown field: nope'],
    [
      { filters: {} },
      'must name at least one field: these filters match every record, and deleting all is not enabled for this resource',
    ],
  ])('%j deletes nothing', (params, says) => {
    expect(refused(() => remove(params))).toEqual({ filters: [says] });
  });

  test('filters that say nothing delete everything only where that is allowed', () => {
    expect(remove({ filters: {} }, true)).toMatchObject({ effect: 'delete', where: { op: 'all', of: [] } });
  });

  test.each<readonly [Json, boolean]>([
    [true, true],
    ['T', true],
    ['1', true],
    [1, true],
    [false, false],
    ['No', false],
    [0, false],
    [null, false],
  ])('dry_run: %j is %s', (dry_run, is) => {
    expect(remove({ filters: { title: 'a' }, dry_run })).toMatchObject({ dryRun: is });
  });

  test.each<readonly [Json, string]>([
    ['', ''],
    [' true', ' true'],
    ['maybe', 'maybe'],
    [parseJson('1.0', 1), '1.0'],
    [[true], '[true]'],
    [{}, '{}'],
  ])('dry_run: %j is refused: it would delete', (dry_run, got) => {
    expect(refused(() => remove({ filters: { title: 'a' }, dry_run }))).toEqual({
      dry_run: [`must be true or false, got: ${got}`],
    });
  });

  test('the result has the id and the filters', () => {
    expect(members(datastore_records_delete, { filters: { title: 'a' } })).toEqual([
      ['resource_id', 'films'],
      ['filters', { title: 'a' }],
    ]);
  });
});

describe('datastore_delete', () => {
  const remove = (params: Record<string, Json>, table = films, deleteAll = false) =>
    plan(datastore_delete, params, table, deleteAll);

  test.each<readonly [Record<string, Json>, Record<string, Json>]>([
    [{ filters: [] }, { filters: ['filters must be either a dict or null.'] }],
    [{ filters: '' }, { filters: ['filters must be either a dict or null.'] }],
    [{ filters: '{"title":"a"}' }, { filters: ['filters must be either a dict or null.'] }],
    [{ filters: { title: 'a' }, extra: 1 }, { __extras: ['invalid value "extra"'] }],
    [
      { filters: { title: 'a' }, calculate_record_count: 'maybe' },
      { calculate_record_count: ['Value must be boolean or one of: background'] },
    ],
  ])('%j deletes nothing', (params, says) => {
    expect(refused(() => remove(params))).toEqual(says);
  });

  test.each([{}, { filters: null }])('%j drops no table', (params) => {
    expect(() => remove(params, films, true)).toThrow('Access denied: this table cannot be dropped through the API');
  });

  test('include_records shows whole records, within bounds, of a table that can return them', () => {
    const params = { filters: { title: 'a' }, include_deleted_records: true };
    expect(remove(params)).toMatchObject({ returned: { columns: films.columns, limit: bounds.rowsMax } });
    expect(remove({ ...params, include_deleted_records: 'off', force: true })).toMatchObject({ returned: null });
    const old: Table = { ...films, transactional: false };
    expect(Object.keys(refused(() => remove(params, old)))).toEqual(['include_deleted_records']);
    expect(remove(params, { ...old, allowPartial: true })).toMatchObject({ effect: 'delete' });
    expect(remove({ filters: {} }, films, true)).toMatchObject({ where: { of: [] } });
  });
});

test.each([datastore_search, datastore_upsert, datastore_records_delete, datastore_delete])(
  'the example of $name is a call that works',
  (action) => {
    const names = new Map([
      ['film_id', 'id'],
      ['title', 'name'],
    ]);
    const columns = films.columns.map((column) => ({ ...column, label: names.get(column.label) ?? column.label }));
    const planned = planOf(action.start(action.example, bounds).plan(resource(withColumns(films, columns)), null));
    expect(planned.effect === 'read' ? 'read' : 'write').toBe(action.effect);
  },
);
