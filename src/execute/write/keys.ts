import type { Values } from '../../model/dialect/edit.ts';
import { invalid, type Refusal } from '../../model/errors.ts';
import type { Where, WriteRecord } from '../../model/plan.ts';
import { type Column, isNamed, type Table } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import type { Steps } from '../../values/slices.ts';
import type { IdentifiedRecord, IdentifiedRecords } from './batches.ts';
import type { WriteDialect } from './write-dialect.ts';

/** Adds its key's identity to each record; yields after each record. */
export function* identifyRecords(dialect: WriteDialect, records: readonly WriteRecord[]): Steps<IdentifiedRecords> {
  const all: IdentifiedRecord[] = [];
  const shapes = new Map<readonly Column[], WriteRecord>();
  for (const record of records) {
    if (!shapes.has(record.columns)) shapes.set(record.columns, record);
    all.push({
      record,
      identity: record.key === null ? '' : identityOf(dialect, record.key.columns, record.key.values),
    });
    yield;
  }
  return { records: all, shapes: [...shapes.values()] };
}

/** A string that is the same for equal keys. */
export function identityOf(dialect: WriteDialect, columns: readonly Column[], values: Values): string {
  return JSON.stringify(
    columns.map((column, at) => {
      const value = values[at];
      return value === null || value === undefined ? null : dialect.identityOf(column, value);
    }),
  );
}

/** A condition for the records with exactly these keys. It does not match keys that are equal only by collation. */
export function whereKeyIn(columns: readonly Column[], keys: readonly (readonly BoundValue[])[]): Where {
  const equals = (column: Column, values: readonly (BoundValue | undefined)[]): Where => ({
    op: 'in',
    column,
    values: values.filter((value) => value !== undefined),
  });
  const [only, ...others] = columns;
  if (only !== undefined && others.length === 0)
    return equals(
      only,
      keys.map(([value]) => value),
    );
  return {
    op: 'any',
    of: keys.map((key) => ({ op: 'all', of: columns.map((column, at) => equals(column, [key[at]])) })),
  };
}

/** Types in which each value has one spelling. In other types a value has several (1.0 and 1.00), or a spelling matches several values. */
export const uniquelySpelledTypes: ReadonlySet<string> = new Set(['int', 'text', 'uuid']);

/** Whether the server considers two values of a column equal only if their texts are. */
export const isSpelledOnce = ({ type, equality }: Column): boolean =>
  equality === 'exact' && uniquelySpelledTypes.has(type.kind) && !(type.kind === 'text' && type.padded);

/** Limit of keys in one condition. */
export const maxKeysPerCondition = 500;

/** The refusal of an update whose record does not exist. */
export function notFound(record: WriteRecord): Refusal {
  return invalid({ key: [`key "${describe(record)}" not found`], records_row: record.row });
}

/**
 * The refusal of a key that is in the table, but spelled differently: the column's collation considers both spellings equal, or the
 * server reads both as the same value. We must not update the record with the other spelling.
 */
export function resembles(record: WriteRecord): Refusal {
  const isText = record.key?.columns.every(({ type }) => type.kind === 'text' || type.kind === 'choice') === true;
  const why = isText ? ', which its collation takes as equal' : ': send it as a search shows it';
  return invalid({
    key: [`key "${describe(record)}" is in the table in another spelling${why}`],
    records_row: record.row,
  });
}

/** Throws a 409 if an insert has a value for a read-only column. Such a column can be the key of an update, but cannot be inserted. */
export function refuseReadOnly(records: readonly WriteRecord[]): void {
  for (const { columns, row } of records) {
    const readOnly = columns.find((column) => column.readOnly);
    if (readOnly !== undefined)
      throw invalid({
        records: [`column "${readOnly.label}" is read-only`],
        records_row: row,
        records_field: readOnly.label,
      });
  }
}

/** The refusal of a key that matches several records, although the configuration says it is unique. */
export function ambiguous(): Refusal {
  return invalid({
    key: ['the key of this table is not unique: it meets more than one record, so nothing was written'],
  });
}

/** Whether the records are identified by different columns: some by `_id`, some by the key. */
export function isMixed(shapes: readonly WriteRecord[]): boolean {
  // Compare arrays before names: most shapes share an array, and a call of 100,000 records may have as many shapes.
  const keys = [...new Set(shapes.map(({ key }) => key?.columns))];
  return new Set(keys.map((columns) => JSON.stringify(columns?.map(({ name }) => name)))).size > 1;
}

/** The refusal of mixed keys under a row filter: after the last write, we check all records by one key. */
export const mixedKeys = (): Refusal =>
  invalid({ records: ['must all be found by `_id`, or all by the key, because this token may not write every row'] });

/** Whether a duplicate violates the record's own key, by the name of the constraint; null if the catalogue can't tell. */
export function isOwnKey({ uniqueKeys, keyIs }: Table, constraint: string | null, record: WriteRecord): boolean | null {
  const own = record.key?.columns.map((column) => column.name) ?? [];
  const unique = constraint === null ? undefined : uniqueKeys.find((key) => isNamed(key, constraint));
  if (unique === undefined) {
    // We don't know the keys of a view's base tables, nor those of a partition that was added later.
    const isInDoubt = keyIs === 'claimed' || uniqueKeys.some(({ inPartitions }) => inPartitions !== undefined);
    // On any other table, a unique index that we don't know is over an expression, so it is not the record's key.
    return constraint === null || isInDoubt ? null : false;
  }
  if (unique.columns.length !== own.length || !unique.columns.every((name) => own.includes(name))) return false;
  return unique.folds === true ? null : true;
}

/** A key as CKAN's messages show it: `{'id': '1'}`. */
function describe(record: WriteRecord): string {
  const { columns, values } = record.key ?? { columns: [], values: [] };
  const show = (value: BoundValue | null | undefined) =>
    value === null || value === undefined
      ? 'None'
      : `'${typeof value === 'string' ? value : Buffer.from(value).toString('hex')}'`;
  return `{${columns.map((column, at) => `'${column.label}': ${show(values[at])}`).join(', ')}}`;
}
