import { invalid, type Refusal } from '../errors.ts';
import type { Bound, WriteRecord } from '../plan.ts';

/** An update whose record is not there. */
export function notFound(record: WriteRecord): Refusal {
  return invalid({ key: [`key "${describe(record)}" not found`], records_row: record.row });
}

/** A key that is not in the table, but one that its collation takes as equal is: never an update of that other record. */
export function resembles(record: WriteRecord): Refusal {
  return invalid({
    key: [`key "${describe(record)}" is in the table in another spelling, which its collation takes as equal`],
    records_row: record.row,
  });
}

/** Whether the records are found by different columns: some by `_id`, some by the key. */
export function isMixed(records: readonly WriteRecord[]): boolean {
  return new Set(records.map(({ key }) => JSON.stringify(key?.columns.map((column) => column.name)))).size > 1;
}

/** A key as CKAN's messages show it: `{'id': '1'}`. */
function describe(record: WriteRecord): string {
  const { columns, values } = record.key ?? { columns: [], values: [] };
  const show = (value: Bound | null | undefined) =>
    value === null || value === undefined
      ? 'None'
      : `'${typeof value === 'string' ? value : Buffer.from(value).toString('hex')}'`;
  return `{${columns.map((column, at) => `'${column.label}': ${show(values[at])}`).join(', ')}}`;
}
