import type { Dialect, Values } from '../../model/dialect.ts';
import type { Write, WriteRecord } from '../../model/plan.ts';
import type { Column } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';

/** A record with a text that is the same for equal keys; '' for a record without a key. */
export interface IdentifiedRecord {
  readonly record: WriteRecord;
  readonly identity: string;
}

export interface IdentifiedRecords {
  readonly records: readonly IdentifiedRecord[];
  /** The first record of each shape: the records of a shape share their arrays of columns. */
  readonly shapes: readonly WriteRecord[];
}

export interface Batch {
  readonly kind: 'insert' | 'update';
  readonly records: readonly IdentifiedRecord[];
}

export interface Arrangement {
  /** The names of the existing keys. Read while batches are taken: the caller adds the keys it has written. */
  readonly stored: Pick<ReadonlySet<string>, 'has'>;
  readonly method: Write['method'];
  readonly limits: Dialect['limits'];
  readonly maxBytes: number;
  /** Whether this record must be inserted by a statement of its own. */
  isAlone(record: WriteRecord): boolean;
  /** The most records of an update of records like this one. Read as `stored` is. */
  updateRows(record: WriteRecord): number;
}

/**
 * Limits of values and bytes per statement, unless a single record has more. Larger ones are no faster and take long to build.
 */
const most = { values: 10_000, bytes: 1_000_000 };

/**
 * Cuts a call into runs of records that one statement can write. They have the same kind and columns, no key twice, and stay
 * within the engine's limits. Keeps the order of the records.
 */
export function* batches(records: readonly IdentifiedRecord[], by: Arrangement): Generator<Batch> {
  let run: IdentifiedRecord[] = [];
  let kind: Batch['kind'] = 'insert';
  let shape: WriteRecord | null = null;
  let bytes = 0;
  const keys = new Set<string>();
  const mostValues = Math.min(by.limits.bindings, most.values);
  const mostBytes = Math.min(by.maxBytes, most.bytes);

  for (const named of records) {
    const { record, identity } = named;
    const isTaken = record.key !== null && keys.has(identity);
    const known = record.key !== null && (isTaken || by.stored.has(identity));
    const next = by.method === 'update' || known ? 'update' : 'insert';
    const weight = record.values.reduce((sum, value) => sum + size(value), 0);
    const isAlone = next === 'insert' && (record.columns.length === 0 || by.isAlone(record));
    const rows = isAlone ? 1 : next === 'insert' ? by.limits.rows : by.updateRows(record);
    // The missing key of an update is reported by the one-by-one path.
    const missing = by.method === 'update' && !known;
    const fits =
      run.length > 0 &&
      next === kind &&
      shape !== null &&
      isAlike(record, shape) &&
      !missing &&
      !isTaken &&
      run.length < rows &&
      (run.length + 1) * record.columns.length <= mostValues &&
      bytes + weight <= mostBytes;
    if (!fits && run.length > 0) {
      yield { kind, records: run };
      run = [];
      keys.clear();
      bytes = 0;
    }
    if (missing) {
      yield { kind: 'update', records: [named] };
      continue;
    }
    kind = next;
    shape = record;
    bytes += weight;
    run.push(named);
    if (record.key !== null) keys.add(identity);
  }
  if (run.length > 0) yield { kind, records: run };
}

/** Records of one call share their arrays of columns where they have the same names. */
const isAlike = (a: WriteRecord, b: WriteRecord): boolean =>
  a.columns === b.columns && a.key?.columns === b.key?.columns;

/** The record's values for these columns; a column it does not have is a programming error, not a NULL. */
export function valuesOf(record: WriteRecord, columns: readonly Column[]): Values {
  return pick(record, placesOf(columns, record.columns));
}

/** `valuesOf` each record of a batch, whose columns are the same. */
export function rowsOf(records: readonly WriteRecord[], columns: readonly Column[]): readonly Values[] {
  const places = placesOf(columns, records[0]?.columns ?? []);
  return records.map((record) => pick(record, places));
}

/** The index of each of these columns among others; -1 where it is absent. */
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

/** Upper bound of a value's bytes in a statement. Text may be escaped, and a character takes up to three bytes per unit. */
function size(value: BoundValue | null): number {
  return value === null ? 8 : typeof value === 'string' ? value.length * 3 + 8 : value.length * 2 + 8;
}
