import type { Write, WriteRecord } from '../plan.ts';
import type { Column } from '../table.ts';
import type { Bound } from '../value.ts';

export interface Batch {
  readonly kind: 'insert' | 'update';
  readonly records: readonly WriteRecord[];
}

export interface Arrangement {
  /** The keys that exist, by identity. Read while batches are taken: the caller adds what it has written. */
  readonly stored: ReadonlySet<string>;
  readonly method: Write['method'];
  identity(record: WriteRecord): string;
  readonly limits: { readonly bindings: number; readonly insertRows: number; readonly updateRows: number };
  readonly maxBytes: number;
  /** Whether this record must be inserted by a statement of its own. */
  isAlone(record: WriteRecord): boolean;
  /** Updates must go one by one: a further unique key can make two of them conflict for a moment. */
  readonly alone: boolean;
}

/**
 * Cuts a call into runs of records that one statement can write: same kind, same columns, no key twice, within the
 * engine's bounds. The order of the records is not changed here.
 */
export function* batches(records: readonly WriteRecord[], by: Arrangement): Generator<Batch> {
  let run: WriteRecord[] = [];
  let kind: Batch['kind'] = 'insert';
  let shape = '';
  let bytes = 0;
  const keys = new Set<string>();

  for (const record of records) {
    const key = record.key === null ? null : by.identity(record);
    const known = key !== null && (by.stored.has(key) || keys.has(key));
    const next = by.method === 'update' || known ? 'update' : 'insert';
    const nextShape = JSON.stringify([
      record.columns.map((column) => column.name),
      record.key?.columns.map((column) => column.name),
    ]);
    const weight = record.values.reduce((sum, value) => sum + size(value), 0);
    const width = next === 'insert' ? record.columns.length : record.columns.length * 2;
    const rows =
      next === 'insert'
        ? record.columns.length === 0 || by.isAlone(record)
          ? 1
          : by.limits.insertRows
        : by.alone
          ? 1
          : by.limits.updateRows;
    // A missing key of an update is found out one by one.
    const missing = by.method === 'update' && !known;
    const fits =
      run.length > 0 &&
      next === kind &&
      nextShape === shape &&
      !missing &&
      !(key !== null && keys.has(key)) &&
      run.length < rows &&
      (run.length + 1) * width <= by.limits.bindings &&
      bytes + weight <= by.maxBytes;
    if (!fits && run.length > 0) {
      yield { kind, records: run };
      run = [];
      keys.clear();
      bytes = 0;
    }
    if (missing) {
      yield { kind: 'update', records: [record] };
      continue;
    }
    kind = next;
    shape = nextShape;
    bytes += weight;
    run.push(record);
    if (key !== null) keys.add(key);
  }
  if (run.length > 0) yield { kind, records: run };
}

/** The record's values for these columns; a column it does not have is a programming error, not a NULL. */
export function valuesOf(record: WriteRecord, columns: readonly Column[]): readonly (Bound | null)[] {
  return columns.map((column) => {
    const at = record.columns.findIndex((candidate) => candidate.name === column.name);
    const value = record.values[at];
    if (value === undefined) throw new Error(`record ${record.row} has no value for ${column.name}`);
    return value;
  });
}

/** Bytes of a value in a statement, at most: text may be escaped and a character takes up to three bytes per unit. */
function size(value: Bound | null): number {
  return value === null ? 8 : typeof value === 'string' ? value.length * 3 + 8 : value.length * 2 + 8;
}
