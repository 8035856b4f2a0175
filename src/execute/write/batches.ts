import type { EditDialect, Values } from '../../model/dialect/edit.ts';
import type { Write, WriteRecord } from '../../model/plan.ts';
import type { Column } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';

/** A record, and its key as a string: equal keys have equal strings. '' for a record without a key. */
export interface IdentifiedRecord {
  readonly record: WriteRecord;
  readonly identity: string;
}

export interface IdentifiedRecords {
  readonly records: readonly IdentifiedRecord[];
  /** The first record of each shape, which is a set of columns. Records of one shape share the arrays of their columns. */
  readonly shapes: readonly WriteRecord[];
}

export interface Batch {
  readonly kind: 'insert' | 'update';
  readonly records: readonly IdentifiedRecord[];
}

export interface Arrangement {
  /** The identities of the existing keys. After writing a batch, the caller adds the keys of the batch. */
  readonly stored: Pick<ReadonlySet<string>, 'has'>;
  readonly method: Write['method'];
  readonly limits: EditDialect['limits'];
  readonly maxBytes: number;
  /** Whether this record must be inserted in a statement of its own, for example because the engine reports only one new number. */
  isAlone(record: WriteRecord): boolean;
  /** How many records like this one an update may have. Called for each record, because the limit changes when the server refuses a batch. */
  updateRows(record: WriteRecord): number;
}

/**
 * Limits of values and bytes per statement, unless a single record has more. Larger statements are no faster, and take long to build.
 */
const limits = { values: 10_000, bytes: 1_000_000 };

/**
 * Splits the records of a call, in their order, into batches that one statement can write: all inserts or all updates, with the same
 * columns, no key twice, and within the engine's limits.
 */
export function* batches(records: readonly IdentifiedRecord[], by: Arrangement): Generator<Batch> {
  let run: IdentifiedRecord[] = [];
  let kind: Batch['kind'] = 'insert';
  let shape: WriteRecord | null = null;
  let bytes = 0;
  const keys = new Set<string>();
  const maxValues = Math.min(by.limits.bindings, limits.values);
  const maxBytes = Math.min(by.maxBytes, limits.bytes);

  for (const identified of records) {
    const { record, identity } = identified;
    const isTaken = record.key !== null && keys.has(identity);
    const exists = record.key !== null && (isTaken || by.stored.has(identity));
    const next = by.method === 'update' || exists ? 'update' : 'insert';
    const weight = record.values.reduce((sum, value) => sum + size(value), 0);
    const isAlone = next === 'insert' && (record.columns.length === 0 || by.isAlone(record));
    const rows = isAlone ? 1 : next === 'insert' ? by.limits.rows : by.updateRows(record);
    // An update of a missing key is a separate batch, so that the caller's refusal can name this record.
    const missing = by.method === 'update' && !exists;
    const fits =
      run.length > 0 &&
      next === kind &&
      shape !== null &&
      isAlike(record, shape) &&
      !missing &&
      !isTaken &&
      run.length < rows &&
      (run.length + 1) * record.columns.length <= maxValues &&
      bytes + weight <= maxBytes;
    if (!fits && run.length > 0) {
      yield { kind, records: run };
      run = [];
      keys.clear();
      bytes = 0;
    }
    if (missing) {
      yield { kind: 'update', records: [identified] };
      continue;
    }
    kind = next;
    shape = record;
    bytes += weight;
    run.push(identified);
    if (record.key !== null) keys.add(identity);
  }
  if (run.length > 0) yield { kind, records: run };
}

/** Whether two records have the same columns. Such records share their arrays of columns. */
const isAlike = (a: WriteRecord, b: WriteRecord): boolean =>
  a.columns === b.columns && a.key?.columns === b.key?.columns;

/** The record's values for these columns. A missing column is a bug and throws: it must not become a NULL. */
export function valuesOf(record: WriteRecord, columns: readonly Column[]): Values {
  return pick(record, placesOf(columns, record.columns));
}

/** `valuesOf` for all records of a batch, which have the same columns. */
export function rowsOf(records: readonly WriteRecord[], columns: readonly Column[]): readonly Values[] {
  const places = placesOf(columns, records[0]?.columns ?? []);
  return records.map((record) => pick(record, places));
}

/** The index in `among` of each of these columns; -1 if it is not there. */
export function placesOf(columns: readonly Column[], among: readonly Column[]): readonly number[] {
  const places = new Map(among.map(({ name }, at) => [name, at]));
  return columns.map(({ name }) => places.get(name) ?? -1);
}

function pick(record: WriteRecord, places: readonly number[]): Values {
  return places.map((at) => {
    const value = record.values[at];
    if (value === undefined) throw new Error(`record ${record.row} has no value for one of its columns`);
    return value;
  });
}

/** Upper bound of a value's bytes in a statement: up to three per UTF-16 unit of a text, in UTF-8 or with an escape. */
function size(value: BoundValue | null): number {
  return value === null ? 8 : typeof value === 'string' ? value.length * 3 + 8 : value.length * 2 + 8;
}
