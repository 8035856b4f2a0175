import { columnsOf } from './columns.ts';
import { filtersOf } from './conditions.ts';
import type { Json, JsonObject } from './json.ts';
import type { Pages } from './pages.ts';
import type { Table } from './table.ts';

/** The `fields` parameter for reading a record. Binary columns are not returned by default, so a binary key must be named. */
export function withKey({ key, columns, binary }: Pick<Table, 'key' | 'columns' | 'binary'>): JsonObject {
  const isBinary = binary.some(({ name }) => key.includes(name));
  return isBinary ? { fields: [...new Set([...columns.map(({ name }) => name), ...key])] } : {};
}

/** The filters that find exactly the record with these values of the key. */
export const filtersByKey = (key: readonly string[], valueIn: (field: string) => Json): JsonObject =>
  filtersOf(key.map((field) => ({ field, op: 'eq', value: valueIn(field) })));

/** The filters that find exactly this row's record; null if the table has no key, or the row is not loaded. */
export function rowFilters({ key }: Pick<Table, 'key'>, pages: Pages, at: number): JsonObject | null {
  const row = pages.row(at);
  if (row === undefined || key.length === 0) return null;
  const answered = columnsOf(pages.first?.result.fields).map(({ name }) => name);
  return filtersByKey(key, (field) => row[answered.indexOf(field)] ?? null);
}
