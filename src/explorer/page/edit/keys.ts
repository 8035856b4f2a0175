/** Finds records by their keys. */
import type { JsonObject } from '../ask/json.ts';
import { filtersByKey } from '../ask/row-filters.ts';
import type { Table } from '../ask/table.ts';
import { words } from './texts/index.ts';
import { complaint } from './write-error.ts';

/** The filters that find exactly this record by its key, independent of the page's filters. */
export function keyFilters({ key }: Pick<Table, 'key'>, record: JsonObject): JsonObject {
  const filters = filtersByKey(key, (field) => record[field] ?? null);
  // Empty filters would match every record.
  if (Object.keys(filters).length === 0) throw complaint(words.manyWithKey);
  return filters;
}

/** The filters that find any of these records. The API limits the number of operations, but a list of values for one column counts as one. */
export function anyOf(keys: readonly JsonObject[]): JsonObject {
  const [first = {}] = keys;
  const [name, ...others] = Object.keys(first);
  if (keys.length === 1) return first;
  return name === undefined || others.length > 0 ? { $or: keys } : { [name]: keys.map((one) => one[name] ?? null) };
}

/** A record's key columns with their values. */
export const keyOf = ({ key }: Pick<Table, 'key'>, record: JsonObject): JsonObject =>
  Object.fromEntries(key.map((name) => [name, record[name] ?? null]));

/** Records by the JSON of the filters that find them. */
export const byKey = (table: Table, records: readonly JsonObject[]): ReadonlyMap<string, JsonObject> =>
  new Map(records.map((record) => [keyText(table, record), record]));

export const keyText = (table: Table, record: JsonObject): string => JSON.stringify(keyFilters(table, record));
