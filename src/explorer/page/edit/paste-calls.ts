/** Sends pasted records in one call, and prepares the preview of the first ones. */
import { call } from '../ask/call.ts';
import { type JsonObject, list, object } from '../ask/json.ts';
import { site } from '../ask/site.ts';
import type { Table } from '../ask/table.ts';
import { faultInWords } from './fault-in-words.ts';
import { complaint, keyFilters, type Method, readAll, withRecords } from './write.ts';

/** Number of records in the preview. */
export const mostShown = 10;
/** If more records are pasted, the dry run of all returns none, and a second dry run of the first ones makes the preview. */
const maxReturnedRecords = 1000;

/** A record before and after a write. `before` is null if the record is new, or if we cannot tell. */
export interface Pair {
  readonly before: JsonObject | null;
  readonly after: JsonObject;
}

/**
 * Writes all records or none; with `isDry` it only tries to.
 * @param records the JSON of each record
 * @returns the first records, for the preview; null after a real write, and if the database cannot return written records
 */
export async function sendAll(
  table: Table,
  method: Method,
  records: readonly string[],
  { isDry, signal }: { readonly isDry: boolean; readonly signal: AbortSignal },
): Promise<readonly Pair[] | null> {
  const send = (include_records: boolean, some = records) => {
    const params = JSON.stringify({ resource_id: table.id, method, dry_run: isDry, include_records });
    const body = new Blob([params.slice(0, -1), ',"records":[', some.join(','), ']}']);
    if (body.size > site.mostBytes) throw complaint(faultInWords({ is: 'tooLarge', most: site.mostBytes }));
    return call('datastore_upsert', body, { signal });
  };
  const isShown = isDry && records.length <= maxReturnedRecords;
  if (!isShown) await send(false);
  if (!isDry) return null;
  const shown = isShown ? records : records.slice(0, mostShown);
  const { records: written } = await withRecords(table, (include) => send(include, shown));
  if (written === undefined) return null;
  const after = list(written).slice(0, mostShown).map(object);
  const keys = after.map((record) => keyFilters(table, record));
  const before = method === 'insert' ? [] : await readAll(table, keys, signal);
  const beforeByKey = new Map(before.map((record) => [JSON.stringify(keyFilters(table, record)), record]));
  return after.map((record, nth) => ({ before: beforeByKey.get(JSON.stringify(keys[nth])) ?? null, after: record }));
}
