/** The calls for editing: read a record again, dry run, write, delete. Each throws `Refused`, or an AbortError. */
import { call, Refused, readDocument } from '../ask/call.ts';
import { filtersOf } from '../ask/conditions.ts';
import { type JsonObject, list, object, textOf, texts } from '../ask/json.ts';
import { withKey } from '../ask/row-filters.ts';
import { openApiUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { say } from '../texts/index.ts';
import { differences } from './draft.ts';
import { type Writable, writableOf } from './fields.ts';
import { words } from './texts/index.ts';

export const methods = ['insert', 'update', 'upsert'] as const;
export type Method = (typeof methods)[number];

/** Loads which fields of the table can be written. */
export async function loadWritable(table: Table, signal: AbortSignal): Promise<Writable> {
  return writableOf(table, await readDocument(openApiUrl(table.id), signal));
}

/** The filters that find exactly this record: its key, independent of the filters of the page. */
export function keyFilters({ key }: Pick<Table, 'key'>, record: JsonObject): JsonObject {
  const filters = filtersOf(key.map((field) => ({ field, op: 'eq', value: record[field] ?? null })));
  // Empty filters would match every record.
  if (Object.keys(filters).length === 0) throw complaint(words.manyWithKey);
  return filters;
}

/** The filters that find any of these records. The API limits the number of operations, and a list of values for one column counts as one. */
function anyOf(keys: readonly JsonObject[]): JsonObject {
  const [first = {}] = keys;
  const [name, ...others] = Object.keys(first);
  if (keys.length === 1) return first;
  return name === undefined || others.length > 0 ? { $or: keys } : { [name]: keys.map((one) => one[name] ?? null) };
}

/**
 * Reads records from the database, not from the cache; deleted ones are missing from the result. Throws if a key matches several records: in a view
 * nothing guarantees that it is unique.
 * @param keys for each record the filters that find it by its key
 */
export async function readAll(
  table: Table,
  keys: readonly JsonObject[],
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const params = { resource_id: table.id, filters: anyOf(keys), limit: keys.length + 1, include_total: false };
  const { result } = await call('datastore_search', { ...params, ...withKey(table) }, { signal, fresh: true });
  const records = list(result.records).map(object);
  if (new Set(records.map((record) => JSON.stringify(keyFilters(table, record)))).size < records.length)
    throw complaint(words.manyWithKey);
  return records;
}

/** Reads a record right before it is changed. If it differs from what was shown, calls `onOther` with the new version, then throws. */
export async function readUnchanged(
  table: Table,
  shown: JsonObject,
  onOther: (now: JsonObject) => void,
  signal: AbortSignal,
): Promise<JsonObject> {
  const [now] = await readAll(table, [keyFilters(table, shown)], signal);
  if (now === undefined) throw complaint(say.gone);
  const others = differences(shown, now, table.columns);
  if (others.length === 0) return now;
  onOther(now);
  throw complaint(words.conflict(others.map(({ label }) => label).join(', ')));
}

/**
 * Writes one record; with `isDry` it only tries to. Returns the stored record, including defaults and changes by triggers.
 * @param before the record to change; null to add one
 * @returns null if the database cannot return the written record
 */
export async function write(
  table: Table,
  before: JsonObject | null,
  values: JsonObject,
  { isDry, signal }: { readonly isDry: boolean; readonly signal: AbortSignal },
): Promise<JsonObject | null> {
  const key = before === null ? [] : table.key.map((name) => [name, before[name] ?? null] as const);
  const record = { ...Object.fromEntries(key), ...values };
  const method: Method = before === null ? 'insert' : 'update';
  const params = { resource_id: table.id, method, records: [record], dry_run: isDry };
  const { records } = await withRecords(table, (include_records) =>
    call('datastore_upsert', { ...params, include_records }, { signal }),
  );
  return records === undefined ? null : object(list(records)[0]);
}

/** Makes a call that returns the written records, or repeats it without them if the database cannot tell which ones they are. */
export async function withRecords(
  { key }: Pick<Table, 'key'>,
  send: (includeRecords: boolean) => ReturnType<typeof call>,
): Promise<JsonObject> {
  if (key.length === 0) return (await send(false)).result;
  try {
    return (await send(true)).result;
  } catch (error) {
    // The first call was refused because of this parameter, so it has written nothing.
    if (error instanceof Refused && Object.hasOwn(error.details, 'include_records')) return (await send(false)).result;
    throw error;
  }
}

/** Deletes records by their keys, all or none; with `isDry` it only tries to. */
export async function remove(
  table: Table,
  records: readonly JsonObject[],
  { isDry, signal }: { readonly isDry: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const filters = anyOf(records.map((record) => keyFilters(table, record)));
  await call('datastore_records_delete', { resource_id: table.id, filters, dry_run: isDry }, { signal });
}

/** The message of a refusal, and which record and columns it is about. */
export interface WriteError {
  /** Index of the record, from 0; null if the refusal is about the whole call. */
  readonly row: number | null;
  /** The columns with an error; empty if the refusal is about the whole call. */
  readonly fields: readonly string[];
  readonly text: string;
}

export function writeErrorOf(error: Refused): WriteError {
  const { records, records_row, records_field } = error.details;
  const complaints = list(records).map(textOf).join('; ');
  return {
    row: typeof records_row === 'number' ? records_row : null,
    fields: typeof records_field === 'string' ? [records_field] : texts(records_field),
    text: complaints === '' ? messageOf(error) : complaints,
  };
}

function messageOf({ status, message, details }: Refused): string {
  // After these the write may or may not have been committed.
  if (status === 0 || status === 502 || status === 504 || details.__type === 'Unknown Outcome') return words.isUnknown;
  return status === 403 ? words.mayNotWrite : message;
}

/** An error of the page itself, shaped like a refusal of the gateway. */
export const complaint = (text: string, fields: readonly string[] = [], row: number | null = null): Refused =>
  new Refused(text, 409, null, { records: [text], records_field: fields, records_row: row });
