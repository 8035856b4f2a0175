/** The records of a write: JSON → values of columns, and the key that finds each. */
import { invalid } from '../errors.ts';
import { isObject } from '../json.ts';
import type { RecordKey, Write, WriteRecord } from '../plan.ts';
import type { Column, Table } from '../table.ts';
import type { Bound, Json, JsonObject } from '../value.ts';
import { column, visibleKey } from './columns.ts';
import { convert, identity } from './values.ts';

/** Converts one record, at place `row` of its call. Throws a 409 that names the row, and the field where one is at fault. */
export function writeRecord(record: Json, row: number, method: Write['method'], table: Table): WriteRecord {
  if (!isObject(record)) throw invalid({ records: [`row "${row}" is not a json object`], records_row: row });
  return method === 'insert' ? inserted(record, row, table) : keyed(record, row, table);
}

/** An insert names columns; a column behind `_id` is written under its own name. */
function inserted(record: JsonObject, row: number, table: Table): WriteRecord {
  const own = table.columns.some((candidate) => candidate.label === '_id' && candidate.name === '_id');
  const extra = Object.keys(record).filter((name) => (name === '_id' && !own) || column(table, name) === undefined);
  if (extra.length > 0)
    throw invalid({ records: [`row "${row + 1}" has extra keys "${extra.join(', ')}"`], records_row: row });
  return { row, key: null, ...values(record, row, table, []) };
}

/** An update or upsert finds its record by `_id` where the record has it, else by the key (contract 6.2). */
function keyed(record: JsonObject, row: number, table: Table): WriteRecord {
  const unknown = Object.keys(record).filter((name) => column(table, name) === undefined);
  if (unknown.includes('_id')) throw invalid({ fields: [noId(table)], records_row: row });
  if (unknown.length > 0) {
    throw invalid({ fields: [`fields "${unknown.join(', ')}" do not exist`], records_row: row });
  }
  const id = Object.hasOwn(record, '_id') ? column(table, '_id') : undefined;
  const parts = id === undefined ? visibleKey(table) : [id];
  if (parts.length === 0 || (id === undefined && table.keyIs === 'none'))
    throw invalid({ table: ['unique key must be passed for update/upsert'] });
  const read = values(record, row, table, parts);
  const missing = parts.filter((part) => !read.columns.some((candidate) => candidate.name === part.name));
  if (missing.length > 0)
    throw invalid({
      key: [`fields "${missing.map((part) => part.label).join(', ')}" are missing but needed as key`],
      records_row: row,
    });
  const key: RecordKey = {
    columns: parts,
    values: parts.map(
      (part) => read.values[read.columns.findIndex((candidate) => candidate.name === part.name)] ?? null,
    ),
  };
  return { row, key, ...read };
}

/**
 * Converts a record. `_id` and its column are one: both may be given when they say the same. A read-only column may
 * stand in `key`, where it finds the record and is not written.
 */
function values(
  record: JsonObject,
  row: number,
  table: Table,
  key: readonly Column[],
): Pick<WriteRecord, 'columns' | 'values'> {
  const found = new Map<string, { readonly column: Column; readonly value: Bound | null }>();
  for (const [name, json] of Object.entries(record)) {
    const of = column(table, name);
    if (of === undefined) continue;
    const finds = key.some((part) => part.name === of.name);
    if (of.readOnly && !finds) throw refused(of, row, `column "${of.label}" is read-only`);
    const value = written(of, json, row);
    const before = found.get(of.name);
    if (before !== undefined && !same(before.value, value, of)) {
      throw invalid({
        records: [`"${name}" and "${before.column.label}" are the same field and have different values`],
        records_row: row,
      });
    }
    if (before === undefined || before.column.label === '_id') found.set(of.name, { column: of, value });
  }
  const entries = [...found.values()];
  return { columns: entries.map((entry) => entry.column), values: entries.map((entry) => entry.value) };
}

/** The value to store. `""` is NULL in every column that is not text (contract 6.2). */
function written(of: Column, json: Json, row: number): Bound | null {
  const isText = of.type.kind === 'text' || of.type.kind === 'choice';
  const blank = json === null || (json === '' && !isText);
  if (blank && !of.nullable) throw refused(of, row, `null value in column "${of.label}" violates not-null constraint`);
  if (blank) return null;
  const converted = convert(json, of.type);
  if (converted.is !== 'value') throw refused(of, row, converted.text);
  return converted.value;
}

function refused(of: Column, row: number, text: string): Error {
  return invalid({ records: [text], records_row: row, records_field: of.label });
}

function same(a: Bound | null, b: Bound | null, of: Column): boolean {
  return a === null || b === null ? a === b : identity(a, of.type) === identity(b, of.type);
}

function noId(table: Table): string {
  const keys = visibleKey(table)
    .map((part) => `"${part.label}"`)
    .join(', ');
  return `fields "_id" do not exist${keys === '' ? '' : ` (the key of this table is ${keys})`}`;
}
