import type { Values } from '../../model/dialect.ts';
import { invalid, type Refusal } from '../../model/errors.ts';
import type { Where, WriteRecord } from '../../model/plan.ts';
import { type Column, isNamed, type Table } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import type { Steps } from '../../values/slices.ts';
import type { IdentifiedRecord, IdentifiedRecords } from './batches.ts';
import type { WriteDialect } from './write-dialect.ts';

/** The records with their names, one in each step. */
export function* named(dialect: WriteDialect, records: readonly WriteRecord[]): Steps<IdentifiedRecords> {
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

/** One text for keys that are equal. */
export function identityOf(dialect: WriteDialect, columns: readonly Column[], values: Values): string {
  return JSON.stringify(
    columns.map((column, at) => {
      const value = values[at];
      return value === null || value === undefined ? null : dialect.identityOf(column, value);
    }),
  );
}

/** A condition for the records with exactly these keys, without others that a collation considers equal. */
export function among(columns: readonly Column[], keys: readonly (readonly BoundValue[])[]): Where {
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

/** In other types, one value has several texts, or an engine finds several values by one. */
export const spelledOnce: ReadonlySet<string> = new Set(['int', 'text', 'uuid']);

/** Whether the server takes two values for equal only where we do. */
export const isSpelledOnce = ({ type, equality }: Column): boolean =>
  equality === 'exact' && spelledOnce.has(type.kind) && !(type.kind === 'text' && type.padded);

/** The number of keys in one condition. */
export const keysAtOnce = 500;

/** An update whose record does not exist. */
export function notFound(record: WriteRecord): Refusal {
  return invalid({ key: [`key "${describe(record)}" not found`], records_row: record.row });
}

/**
 * A key that is not in the table, although its collation considers another one equal, or the server reads the same value. It never
 * updates that other record.
 */
export function resembles(record: WriteRecord): Refusal {
  const isText = record.key?.columns.every(({ type }) => type.kind === 'text' || type.kind === 'choice') === true;
  const why = isText ? ', which its collation takes as equal' : ': send it as a search shows it';
  return invalid({
    key: [`key "${describe(record)}" is in the table in another spelling${why}`],
    records_row: record.row,
  });
}

/** A read-only column may identify a record as its key, but a missing record cannot be inserted with it. Throws a 409. */
export function refuseReadOnly(records: readonly WriteRecord[]): void {
  for (const { columns, row } of records) {
    const fixed = columns.find((column) => column.readOnly);
    if (fixed !== undefined)
      throw invalid({
        records: [`column "${fixed.label}" is read-only`],
        records_row: row,
        records_field: fixed.label,
      });
  }
}

/** A claimed key that matches several records. */
export function ambiguous(): Refusal {
  return invalid({
    key: ['the key of this table is not unique: it meets more than one record, so nothing was written'],
  });
}

/** Whether the records are identified by different columns: some by `_id`, some by the key. */
export function isMixed(shapes: readonly WriteRecord[]): boolean {
  // Most shapes share the array: to name the columns of each takes long where every record has its own shape.
  const keys = [...new Set(shapes.map(({ key }) => key?.columns))];
  return new Set(keys.map((columns) => JSON.stringify(columns?.map(({ name }) => name)))).size > 1;
}

/** Whether a constraint is the key of the record; null where the catalogue does not show it. */
export function isOwnKey({ uniqueKeys, keyIs }: Table, constraint: string | null, record: WriteRecord): boolean | null {
  const own = record.key?.columns.map((column) => column.name) ?? [];
  const unique = constraint === null ? undefined : uniqueKeys.find((key) => isNamed(key, constraint));
  if (unique === undefined) {
    // The keys of the tables below a view are unknown, and so are those of a new partition.
    const isInDoubt = keyIs === 'claimed' || uniqueKeys.some(({ inPartitions }) => inPartitions !== undefined);
    // An index of another table that is none of its keys is over an expression.
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
