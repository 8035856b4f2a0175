/** The calls that read a record again, try a write, and write. Each throws as `call` does. */
import { call, Refused, readDocument } from '../ask/call.ts';
import { filtersOf } from '../ask/conditions.ts';
import { type JsonObject, list, object, textOf, texts } from '../ask/json.ts';
import { openApiUrl } from '../ask/site.ts';
import { withKey } from '../record/row-filters.ts';
import type { Table } from '../table-view.tsx';
import { say } from '../texts/index.ts';
import { differences } from './draft.ts';
import { type Writable, writableOf } from './fields.ts';
import { words } from './texts/index.ts';

export const methods = ['insert', 'update', 'upsert'] as const;
export type Method = (typeof methods)[number];

/** Reads what may be written. */
export async function loadWritable(table: Table, signal: AbortSignal): Promise<Writable> {
  return writableOf(table, await readDocument(openApiUrl(table.id), signal));
}

/** The filters that find exactly this record: its key, and never what the page happens to be filtered by. */
export function keyFilters({ key }: Pick<Table, 'key'>, record: JsonObject): JsonObject {
  const filters = filtersOf(key.map((field) => ({ field, op: 'eq', value: record[field] ?? null })));
  // These would find everything.
  if (Object.keys(filters).length === 0) throw complaint(words.manyWithKey);
  return filters;
}

/** The filters that find any of these records. The API takes few operations: values of one column are a single one. */
function anyOf(keys: readonly JsonObject[]): JsonObject {
  const [first = {}] = keys;
  const [name, ...others] = Object.keys(first);
  if (keys.length === 1) return first;
  return name === undefined || others.length > 0 ? { $or: keys } : { [name]: keys.map((one) => one[name] ?? null) };
}

/**
 * Reads records past every cache, without those that are gone. Throws where a key, which nothing proves in a view, finds several.
 * @param keys the filters that find each of them by its key
 */
export async function readAll(
  table: Table,
  keys: readonly JsonObject[],
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const asked = { resource_id: table.id, filters: anyOf(keys), limit: keys.length + 1, include_total: false };
  const { result } = await call('datastore_search', { ...asked, ...withKey(table) }, { signal, fresh: true });
  const found = list(result.records).map(object);
  if (new Set(found.map((record) => JSON.stringify(keyFilters(table, record)))).size < found.length)
    throw complaint(words.manyWithKey);
  return found;
}

/** Reads a record that is about to be changed. Throws if it is not as it was shown, after it was handed to `onOther`. */
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
 * Writes one record, or tries to. Returns it as it is then, or would be, after defaults and triggers.
 * @param before the record that is changed; null for a new one
 * @returns null where the database cannot say which record it has made
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

/** A call whose answer shows the written records, where the database can tell which ones they are. */
export async function withRecords(
  { key }: Pick<Table, 'key'>,
  send: (includeRecords: boolean) => ReturnType<typeof call>,
): Promise<JsonObject> {
  if (key.length === 0) return (await send(false)).result;
  try {
    return (await send(true)).result;
  } catch (error) {
    // Nothing was written: the refusal is about the parameter.
    if (error instanceof Refused && Object.hasOwn(error.said, 'include_records')) return (await send(false)).result;
    throw error;
  }
}

/** Deletes records by their keys, or tries to: all of them or none. */
export async function remove(
  table: Table,
  records: readonly JsonObject[],
  { isDry, signal }: { readonly isDry: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const filters = anyOf(records.map((record) => keyFilters(table, record)));
  await call('datastore_records_delete', { resource_id: table.id, filters, dry_run: isDry }, { signal });
}

/** A refusal, and where it belongs. */
export interface Wrong {
  /** The record, from 0; null where it is about the call. */
  readonly row: number | null;
  /** The columns at fault; empty where it is about the call. */
  readonly fields: readonly string[];
  readonly text: string;
}

export function wrongOf(error: Refused): Wrong {
  const { records, records_row, records_field } = error.said;
  const said = list(records).map(textOf).join('; ');
  return {
    row: typeof records_row === 'number' ? records_row : null,
    fields: typeof records_field === 'string' ? [records_field] : texts(records_field),
    text: said === '' ? messageOf(error) : said,
  };
}

function messageOf({ status, message, said }: Refused): string {
  // Whether such a write has been done, nobody knows.
  if (status === 0 || status === 502 || status === 504 || said.__type === 'Unknown Outcome') return words.isUnknown;
  return status === 403 ? words.mayNotWrite : message;
}

/** A complaint of the page itself, in the form of those of the gateway. */
export const complaint = (text: string, fields: readonly string[] = [], row: number | null = null): Refused =>
  new Refused(text, 409, null, { records: [text], records_field: fields, records_row: row });
