/** Many records are upserted without reading them first, if the result is certain to be the same. */
import { expect, test } from 'vitest';
import { postgres } from '../../../src/dialects/index.ts';
import type { Session } from '../../../src/execute/connection/call-sessions.ts';
import { identifyRecords } from '../../../src/execute/write/keys.ts';
import { LockedUpdates } from '../../../src/execute/write/locked-updates.ts';
import { sequenceOf } from '../../../src/execute/write/sequence.ts';
import { upsertAll } from '../../../src/execute/write/upsert-all.ts';
import type { Write } from '../../../src/model/plan.ts';
import type { Column, Table } from '../../../src/model/table.ts';
import { writeDialectOf } from '../../../src/tables/write-values.ts';
import { column, films, int4, text } from '../../support/table.ts';

const facts = { versionText: '', maxStatementBytes: null, logsStatements: false, foldCollation: null, startId: null };
const dialect = writeDialectOf(postgres.dialect({ product: 'postgres', version: [15, 1], ...facts }), 8e6, 8e6);
const key = column('film_id', int4, { nullable: false, native: 'integer' });
const title = column('title', text, { native: 'text' });

/** As PostgreSQL reports it. */
const definition = '16385 r f f f {701,702} {703}';

/** The first words of each statement, and whether they were enough. */
async function sent(by: Column, more: Partial<Write> = {}, of: Partial<Table> = {}, code = '', shown = definition) {
  const [keys, columns] = [[by], [by, title]];
  const records = ['3', '1', '2'].map((value, row) => {
    return { row, key: { columns: keys, values: [value] }, columns, values: [value, `title ${value}`] };
  });
  const table = { ...films, key: [by], uniqueKeys: [{ name: 'k', columns: [by.name] }], definition, ...of };
  const plan: Write = { effect: 'write', method: 'upsert', table, records, returned: null, dryRun: false, ...more };
  const texts: string[] = [];
  const session: Session = {
    async run(statement) {
      texts.push(statement.text.split(' ').slice(0, 2).join(' '));
      if (code !== '') throw Object.assign(new Error('no'), { code, severity: 'ERROR' });
      return {
        names: [],
        types: [],
        cells: /pg_class/.test(statement.text) ? [[shown]] : [],
        found: records.length,
      };
    },
    discard: () => undefined,
    ended: async () => undefined,
  };
  const identified = plan.records.map((record) => ({ record, identity: JSON.stringify(record.key?.values) }));
  const all = { records: identified, shapes: plan.records.slice(0, 1) };
  const is = await upsertAll(session, dialect, plan, all, new LockedUpdates(dialect, table));
  return { is, texts };
}

test('by one statement', async () => {
  expect(await sent(key)).toEqual({ is: 'done', texts: ['insert into', "SELECT concat_ws('"] });
});

test('not where the table has changed meanwhile', async () => {
  expect((await sent(key, {}, {}, '', `${definition} {704}`)).is).toBe('refused');
});

test('a refusal is not the end of the call', async () => {
  expect(await sent(key, {}, {}, '42501')).toEqual({ is: 'refused', texts: ['insert into'] });
});

test.each(['57014', '40P01', '08006'])('an error of its time, its session or another writer (%s) is', async (code) => {
  await expect(sent(key, {}, {}, code)).rejects.toMatchObject({ code });
});

test.each([
  ['another method', sent(key, { method: 'update' })],
  ['a key that a collation may find by another spelling', sent({ ...column('name', text), equality: 'folds' })],
  [
    'a key whose trailing blanks do not count',
    sent(column('name', { kind: 'text', length: 4, padded: true, nul: false })),
  ],
  ['a key with several spellings', sent(column('name', { kind: 'float', bits: 64, nan: true }))],
  ['a key that may find a record, but not be inserted', sent({ ...key, readOnly: true })],
  ['a table without transactions', sent(key, {}, { transactional: false })],
  [
    'a column that a new record needs and none has',
    sent(key, {}, { sequence: { records: 'in any order', numbered: [], required: ['year'] } }),
  ],
  [
    'a table whose order of records shows',
    sent(key, {}, { sequence: { records: 'in order', numbered: [], required: [] } }),
  ],
  ['a key that is only claimed', sent(key, {}, { keyIs: 'claimed' })],
])('not for %s', async (_, made) => {
  expect(await made).toEqual({ is: 'unsuited', texts: [] });
});

test('the shapes of many records are found in as many steps', () => {
  const [one, other] = [[key, title], [key]];
  const records = Array.from({ length: 1000 }, (_, row) => {
    const columns = row % 2 === 0 ? one : other;
    const values = columns.map(() => String(row));
    return { row, columns, values, key: { columns: [key], values: [String(row)] } };
  });
  const steps = identifyRecords(dialect, records);
  let step = steps.next();
  for (let count = 1; step.done !== true; count++) {
    step = steps.next();
    if (step.done === true) expect(count).toBe(records.length);
  }
  expect(step.value.shapes).toEqual(records.slice(0, 2));
});

test('how records may be written in sequence is found in a step for each of their shapes', () => {
  const shapes = [[key], [key, title]].map((columns, row) => {
    return { row, columns, values: columns.map(() => '1'), key: { columns: [key], values: ['1'] } };
  });
  const of = (more: Partial<Table>) => {
    const table = { ...films, key: [key], uniqueKeys: [{ name: 'k', columns: [key.name] }], ...more };
    const steps = sequenceOf(table, shapes);
    expect(shapes.map(() => steps.next().done)).toEqual([false, false]);
    return steps.next().value;
  };
  const numbered = (name: string): Partial<Table> => ({
    sequence: { records: 'in any order', numbered: [name], required: [] },
  });
  const unique = (name: string): Partial<Table> => ({ uniqueKeys: [{ name: 'u', columns: [name] }] });
  expect(of({})).toBe('in any order');
  expect(of(numbered(key.name))).toBe('in any order');
  expect(of(numbered(title.name))).toBe('in order');
  expect(of(unique('year'))).toBe('in any order');
  expect(of(unique(title.name))).toBe('updates alone');
});
