/** A table of CKAN's DataStore, and searches of it whose answers are recorded in `datastore-answers.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/model/value.ts';

/** The id in the recorded answers. */
export const recordedId = '0b1d4a52-6f0e-4a4c-8f0d-5d8d3d1f7e02';

/** The parameters of `datastore_create`. */
export const table = {
  fields: [
    { id: 'no', type: 'int4' },
    { id: 'name', type: 'text' },
    { id: 'area', type: 'numeric' },
    { id: 'depth', type: 'float8' },
    { id: 'seen', type: 'timestamp' },
    { id: 'day', type: 'date' },
    { id: 'open', type: 'bool' },
    { id: 'note', type: 'text' },
  ],
  records: [
    [1, 'Jones Creek', '12345678901234567890.50', 0.1, '2020-01-02T03:04:05.678901', '2020-01-02', true, 'a creek'],
    [2, 'Größer als 50%', '0.000001', 1e20, '1999-12-31T23:59:59', '1999-12-31', false, null],
    [3, 'Zürich', '10', -2.5, null, null, true, 'the 2nd creek'],
    [4, 'Aare', null, null, '2012-02-29T00:00:00', '2012-02-29', null, ''],
    [5, 'a "quoted", one', '10.0', 3, '2012-02-29T00:00:00', '2012-02-29', false, 'x\ny'],
  ],
} as const;

/** The same table on a server. */
export function tableSql(name: string, isMysql: boolean): string {
  const [text, area, depth, seen] = isMysql
    ? ['varchar(100) COLLATE utf8mb4_bin', 'decimal(30, 10)', 'double', 'datetime(6)']
    : ['text', 'numeric', 'float8', 'timestamp'];
  const sqlOf = (value: (typeof table)['records'][number][number]) =>
    value === null ? 'NULL' : `'${typeof value === 'boolean' ? Number(value) : value}'`;
  const rows = table.records.map((row) => `(${row.map(sqlOf).join(', ')})`);
  return `CREATE TABLE ${name} (no int PRIMARY KEY, name ${text}, area ${area}, depth ${depth}, seen ${seen}, day date, open boolean,
      note ${text}); INSERT INTO ${name} VALUES ${rows.join(', ')}`;
}

/** The parameters beside `resource_id`. */
export const searches = {
  everything: {},
  sorted: { sort: 'name desc' },
  'sorted with ties': { sort: 'seen, name', fields: 'name,seen' },
  'a page': { limit: 2 },
  'the next page': { limit: 2, offset: 2, sort: 'no' },
  filtered: { filters: { open: true } },
  'by a number': { filters: { area: '10.00' } },
  'by an operation': { filters: { no: { gte: 2, lt: 5 } } },
  words: { q: 'creek' },
  columns: { fields: ['name', 'area'], sort: 'area desc' },
  lists: { records_format: 'lists' },
  distinct: { distinct: true, fields: 'day' },
  'without a total': { include_total: false, limit: 0 },
  'an unknown column': { filters: { nope: 1 } },
} satisfies Readonly<Record<string, JsonObject>>;

export type SearchName = keyof typeof searches;

export interface RecordedAnswer {
  readonly status: number;
  /** The bytes, because numbers have more digits than a double. */
  readonly body: string;
}

export const recording = join(import.meta.dirname, 'datastore-answers.json');
export const recordedAnswers = (): Readonly<Record<string, RecordedAnswer>> =>
  JSON.parse(readFileSync(recording, 'utf8'));
