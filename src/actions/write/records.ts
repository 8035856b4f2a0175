/** The records of a write: JSON → the values of columns, and the key that finds each record. */
import { invalid } from '../../model/errors.ts';
import type { RecordKey, Write, WriteRecord } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { BoundValue, Json, JsonObject } from '../../model/value.ts';
import { convert, identity } from '../../values/convert.ts';
import { isObject } from '../../values/json.ts';
import type { Steps } from '../../values/slices.ts';
import { type Shape, Shapes } from './shapes.ts';

/**
 * Converts the records of a call, one per step. Records with the same field names share one array of columns. Throws a 409 that
 * names the row, and the invalid field if there is one.
 */
export function* writeRecords(
  records: readonly Json[],
  method: Write['method'],
  table: Table,
): Steps<readonly WriteRecord[]> {
  const shapes = new Shapes(method, table);
  const written: WriteRecord[] = [];
  for (const [row, record] of records.entries()) {
    if (!isObject(record)) throw invalid({ records: [`row "${row}" is not a json object`], records_row: row });
    written.push(writeRecord(record, row, shapes.of(record, row), table));
    yield;
  }
  return written;
}

/** Converts one record. `_id` and the column behind it are one field: a record may have both if their values are equal. */
function writeRecord(
  record: JsonObject,
  row: number,
  { fields, columns, key, missing, inserts }: Shape,
  { sequence }: Table,
): WriteRecord {
  const sent = Object.values(record);
  const values: (BoundValue | null)[] = new Array(columns.length).fill(null);
  for (const [nth, { name, column: of, at, repeats, isRefused }] of fields.entries()) {
    if (isRefused) throw refused(of, row, `column "${of.label}" is read-only`);
    const value = written(of, sent[nth] ?? null, row);
    if (repeats !== null && !isSame(values[at] ?? null, value, of)) {
      throw invalid({
        records: [`"${name}" and "${repeats.label}" are the same field and have different values`],
        records_row: row,
      });
    }
    if (repeats === null || repeats.replaced) values[at] = value;
  }
  if (missing.length > 0) {
    // Advise an insert if the database itself provides the missing key, such as the next number of a sequence.
    const canInsert = inserts && missing.every(({ name }) => !sequence.required.includes(name));
    const advice = canInsert ? '; for a new record, whose key the database makes, use method insert' : '';
    throw invalid({
      key: [`fields "${missing.map((part) => part.label).join(', ')}" are missing but needed as key${advice}`],
      records_row: row,
    });
  }
  const recordKey: RecordKey | null = key && { columns: key.columns, values: key.at.map((at) => values[at] ?? null) };
  return { row, key: recordKey, columns, values };
}

/** The value to store. As in CKAN, `""` is stored as NULL in every column that is not text. */
function written(of: Column, json: Json, row: number): BoundValue | null {
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

function isSame(a: BoundValue | null, b: BoundValue | null, of: Column): boolean {
  return a === null || b === null ? a === b : identity(a, of.type) === identity(b, of.type);
}
