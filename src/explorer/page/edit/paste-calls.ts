/** Sends pasted records in one call, and prepares the preview of the first ones. */
import { call } from '../ask/call.ts';
import { type JsonObject, list, object } from '../ask/json.ts';
import { site } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { faultInWords } from './fault-in-words.ts';
import { byKey, keyFilters, keyText } from './keys.ts';
import { type Method, readAll, type WriteOptions, withRecords } from './write.ts';
import { complaint } from './write-error.ts';

/** The number of records in the preview. */
export const mostShown = 10;
/** With more pasted records than this, a dry run of all of them returns none, and a second dry run of the first ones makes the preview. */
const maxReturnedRecords = 1000;

/** A record before and after a write. `before` is null if the record is new, or if we cannot tell. */
export interface Pair {
  readonly before: JsonObject | null;
  readonly after: JsonObject;
}

/**
 * Writes all records or none.
 * @param records each record's JSON
 * @returns the stored records, but only the first ones after a dry run of many. Null after a write of many, or if the database cannot return
 * them
 */
export async function sendAll(
  table: Table,
  method: Method,
  records: readonly string[],
  { isDry, signal }: WriteOptions,
): Promise<readonly JsonObject[] | null> {
  const send = (include_records: boolean, some = records) => {
    const params = JSON.stringify({ resource_id: table.id, method, dry_run: isDry, include_records });
    const body = new Blob([params.slice(0, -1), ',"records":[', some.join(','), ']}']);
    if (body.size > site.mostBytes) throw complaint(faultInWords({ is: 'tooLarge', most: site.mostBytes }));
    return call('datastore_upsert', body, { signal });
  };
  const isMany = records.length > maxReturnedRecords;
  if (isMany) await send(false);
  if (isMany && !isDry) return null;
  const returned = isMany ? records.slice(0, mostShown) : records;
  const { records: written } = await withRecords(table, (include) => send(include, returned));
  return written === undefined ? null : list(written).map(object);
}

/** The records before a write, by their keys. @param written the records as a dry run has stored them */
export async function readBefore(
  table: Table,
  method: Method,
  written: readonly JsonObject[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, JsonObject>> {
  const keys = written.map((record) => keyFilters(table, record));
  return byKey(table, method === 'insert' ? [] : await readAll(table, keys, signal));
}

export const pairsOf = (
  table: Table,
  before: ReadonlyMap<string, JsonObject>,
  written: readonly JsonObject[],
): readonly Pair[] => written.map((after) => ({ before: before.get(keyText(table, after)) ?? null, after }));
