import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { entry, startGateway, type TestGateway } from '../support/gateway.ts';
import { type Engine, type FreshDatabase, fewEngines, freshDatabase } from '../support/servers/engines.ts';
import { shareOf } from './world.ts';

/** The name of a column, and the name that clients use if its own is not allowed. */
interface Name {
  readonly column: string;
  readonly as?: string;
}

const everywhere: readonly Name[] = [
  ...[
    'a.b',
    'a..b',
    'x?y',
    '?',
    '??',
    '$1',
    ':n',
    'Date as of',
    ' as ',
    'bo%ok',
    '%s',
    'select',
    'order',
    'null',
    '1',
    '42',
  ],
  ...[
    'back`tick',
    '``',
    "it's",
    "'",
    'a-- b',
    '-- ',
    'a/*b',
    '*/',
    'a#b',
    'a;b',
    'back\\slash',
    'ends\\',
    "\\'",
    '{}',
    '[0]',
    '*',
  ],
  ...[
    ' leading',
    'n desc',
    'n desc nulls last',
    'with, comma',
    'номер',
    '名前',
    'naïve',
    'İ',
    'ß',
    '¿',
    'x'.repeat(63),
  ],
  ...['constructor', 'toString', 'hasOwnProperty', 'then', 'length', 'records', 'encoders', 'filters', 't', 'v', 'v0'],
].map((column) => ({ column: column.replace(/^-- $/, '--').replace(/^ as $/, ' as') }));
const renamed: readonly Name[] = [
  ...['"quoted"', '"', 'b"c', '_hidden', '_id2', 'tab\tbed', 'line\nbreak', 'del\x7f', '_full_text'],
].map((column, nth) => ({ column, as: `renamed ${nth}` }));
const only: Record<'postgres' | 'mysql', readonly Name[]> = {
  postgres: ['🦔', 'Case', 'case', 'CASE', 'trails ', '  '].map((column) => ({
    column,
    ...(/^\s+$/.test(column) ? { as: 'blank' } : {}),
  })),
  mysql: [{ column: 'y'.repeat(64) }, { column: 'Case' }],
};

const quoted = (engine: Engine, name: string) =>
  engine.client === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`;
const tableName = 'films.of "the" `ye?r`; -- x';

describe.each(fewEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const names = [...everywhere, ...renamed, ...only[engine.client === 'mysql' ? 'mysql' : 'postgres']];
  const labels = names.map(({ column, as }) => as ?? column);
  let database: FreshDatabase;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    const id = (name: string) => quoted(engine, name);
    const columns = names.map(({ column }) => `${id(column)} varchar(20)`).join(', ');
    const charset = engine.client === 'mysql' ? ' CHARACTER SET utf8mb4' : '';
    await database.exec(`CREATE TABLE ${id(tableName)} (id int PRIMARY KEY, ${columns})${charset}`);
    for (const table of ['Film', 'film'])
      await database.exec(`CREATE TABLE ${id(table)} (${id(`is ${table}`)} int PRIMARY KEY)`);
    const access = { read: 'token', write: 'token' };
    const renamedColumns = Object.fromEntries(
      names.flatMap((name) => (name.as === undefined ? [] : [[name.column, { as: name.as }]])),
    );
    gateway = await startGateway({
      databases: { db: entry(database) },
      resources: {
        odd: { database: 'db', table: tableName, columns: renamedColumns, access: { ...access, deleteAll: true } },
        upper: { database: 'db', table: 'Film', access },
        lower: { database: 'db', table: 'film', access },
      },
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await database?.drop();
  });
  beforeEach(() => gateway.result('datastore_records_delete', { resource_id: 'odd', filters: {} }));
  const search = async (params: object) =>
    (await gateway.result('datastore_search', { resource_id: 'odd', ...params })).records;
  const write = (method: string, records: readonly object[]) =>
    gateway.result('datastore_upsert', { resource_id: 'odd', method, records });
  const cell = (label: string, value: string) => Object.fromEntries([[label, value]]);

  test('all columns are there, each under its own name', async () => {
    const { fields } = await gateway.result('datastore_search', { resource_id: 'odd', limit: 0 });
    expect(Object(fields).map((field: { id: string }) => field.id)).toEqual(['_id', 'id', ...labels]);
    const whole = Object.fromEntries(labels.map((label, nth) => [label, `value ${nth}`]));
    await write('insert', [{ id: 1, ...whole }]);
    expect(await search({})).toEqual([{ _id: 1, id: 1, ...whole }]);
  });

  test.each(shareOf(engine, labels, fewEngines()).map((label) => [JSON.stringify(label), label] as const))(
    '%s is read, written and deleted by',
    async (_json, label) => {
      await write('insert', [{ id: 1, ...cell(label, 'one') }, { id: 2, ...cell(label, 'two') }, { id: 3 }]);
      await write('update', [
        { id: 1, ...cell(label, 'uno') },
        { id: 2, ...cell(label, 'due') },
      ]);
      await write('upsert', [
        { id: 2, ...cell(label, 'two') },
        { id: 4, ...cell(label, 'four') },
      ]);

      // A trailing blank is part of the name only if it is quoted.
      const spelled = label.endsWith(' ') ? `"${label}"` : label;
      // In filters a leading $ must be doubled, because it marks an operator.
      const filtered = label.replace(/^\$/, '$$$$');
      const values = (records: unknown) => Object(records).map((record: object) => Reflect.get(record, label));
      expect(await search({ fields: [label] })).toEqual([
        cell(label, 'uno'),
        cell(label, 'two'),
        Object.fromEntries([[label, null]]),
        cell(label, 'four'),
      ]);
      if (!label.includes(','))
        expect(values(await search({ fields: `id,${label}` }))).toEqual(['uno', 'two', null, 'four']);
      expect(values(await search({ filters: cell(filtered, 'two') }))).toEqual(['two']);
      expect(values(await search({ filters: { [filtered]: ['two', null, 'uno'] } }))).toEqual(['uno', 'two', null]);
      expect(values(await search({ q: 'UNO' }))).toEqual(['uno']);
      expect(values(await search({ sort: [label] }))).toEqual(['four', 'two', 'uno', null]);
      expect(values(await search({ sort: [`${spelled} desc nulls last`] }))).toEqual(['uno', 'two', 'four', null]);
      expect(values(await search({ sort: [`"${label}" desc`] }))).toEqual([null, 'uno', 'two', 'four']);

      const remove = (filters: object) => gateway.result('datastore_records_delete', { resource_id: 'odd', filters });
      await remove(cell(filtered, 'two'));
      await remove({ [filtered]: ['four', null] });
      expect(values(await search({}))).toEqual(['uno']);
    },
  );

  test('tables that differ by case only are not taken for each other', async () => {
    await gateway.result('datastore_upsert', { resource_id: 'upper', method: 'insert', records: [{ 'is Film': 1 }] });
    await gateway.result('datastore_upsert', { resource_id: 'lower', records: [{ 'is film': 2 }] });
    const records = async (id: string) => (await gateway.result('datastore_search', { resource_id: id })).records;
    expect(await records('upper')).toEqual([{ _id: 1, 'is Film': 1 }]);
    expect(await records('lower')).toEqual([{ _id: 2, 'is film': 2 }]);
  });

  test('a name of an odd column is not another spelling of it', async () => {
    for (const name of [
      'A.B',
      'a',
      'b',
      'leadinG',
      'номеР',
      '"',
      'its',
      'x$1y',
      'x?z',
      'Date',
      'Date as',
      'as',
      'quoted',
      '_hidden',
      '__proto__',
    ]) {
      for (const params of [{ fields: [name] }, { filters: Object.fromEntries([[name, 'x']]) }, { sort: [name] }]) {
        const { status } = await gateway.call('datastore_search', { resource_id: 'odd', ...params });
        expect([name, params, status]).toEqual([name, params, 409]);
      }
    }
  });
});
