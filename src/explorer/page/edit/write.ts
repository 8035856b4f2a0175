/** The calls for editing: read a record again, dry run, write, delete. Each throws `Refused`, or an AbortError. */
import { call, Refused, readDocument } from '../ask/call.ts';
import { type JsonObject, list, object } from '../ask/json.ts';
import { withKey } from '../ask/row-filters.ts';
import { openApiUrl } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { say } from '../texts/index.ts';
import { differences } from './draft.ts';
import { type Writable, writableOf } from './fields.ts';
import { anyOf, byKey, keyFilters, keyOf } from './keys.ts';
import { words } from './texts/index.ts';
import { complaint } from './write-error.ts';

export const methods = ['insert', 'update', 'upsert'] as const;
export type Method = (typeof methods)[number];

/** Loads which of the table's fields can be written. */
export async function loadWritable(table: Table, signal: AbortSignal): Promise<Writable> {
  return writableOf(table, await readDocument(openApiUrl(table.id), signal));
}

/**
 * Reads records from the database, not from the cache; the result lacks deleted ones. Throws if a key matches several records: in a view,
 * nothing guarantees that it is unique.
 * @param keys for each record, the filters that find it by its key
 */
export async function readAll(
  table: Table,
  keys: readonly JsonObject[],
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const params = { resource_id: table.id, filters: anyOf(keys), limit: keys.length + 1, include_total: false };
  const { result } = await call('datastore_search', { ...params, ...withKey(table) }, { signal, fresh: true });
  const records = list(result.records).map(object);
  if (byKey(table, records).size < records.length) throw complaint(words.manyWithKey);
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

export interface WriteOptions {
  /** Whether this is only a dry run. */
  readonly isDry: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes one record. Returns the stored record, including defaults and changes by triggers.
 * @param before the record to change; null to add one
 * @returns null if the database cannot return the written record
 */
export async function write(
  table: Table,
  before: JsonObject | null,
  values: JsonObject,
  options: WriteOptions,
): Promise<JsonObject | null> {
  const record = before === null ? values : { ...keyOf(table, before), ...values };
  const written = await writeAll(table, before === null ? 'insert' : 'update', [record], options);
  return written === null ? null : (written[0] ?? {});
}

/** Writes records, all or none. Returns the stored records; null if the database cannot return them. */
export async function writeAll(
  table: Table,
  method: Method,
  records: readonly JsonObject[],
  { isDry, signal }: WriteOptions,
): Promise<readonly JsonObject[] | null> {
  const params = { resource_id: table.id, method, records, dry_run: isDry };
  const { records: written } = await withRecords(table, (include_records) =>
    call('datastore_upsert', { ...params, include_records }, { signal }),
  );
  return written === undefined ? null : list(written).map(object);
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

/** Deletes records by their keys, all or none. */
export async function remove(
  table: Table,
  records: readonly JsonObject[],
  { isDry, signal }: WriteOptions,
): Promise<void> {
  const filters = anyOf(records.map((record) => keyFilters(table, record)));
  await call('datastore_records_delete', { resource_id: table.id, filters, dry_run: isDry }, { signal });
}
