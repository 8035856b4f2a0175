/** The call that writes many records, and what the page shows of it. */
import { call } from '../ask/call.ts';
import { type JsonObject, list, object } from '../ask/json.ts';
import { site } from '../ask/site.ts';
import type { Table } from '../table-view.tsx';
import { faultInWords } from './fault-in-words.ts';
import { complaint, keyFilters, type Method, readAll, withRecords } from './write.ts';

/** Records that are shown before they are saved. */
export const mostShown = 10;
/** Of more records the gateway's answer would be too large for what is shown of it: the first are tried once more by themselves. */
const mostAnswered = 1000;

/** A record before and after a write; null before where it is new, or cannot be told. */
export interface Pair {
  readonly before: JsonObject | null;
  readonly after: JsonObject;
}

/**
 * Writes records, or tries to: all of them or none.
 * @param records each as JSON
 * @returns the first of them; null where the database does not show them
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
  const isShown = isDry && records.length <= mostAnswered;
  if (!isShown) await send(false);
  if (!isDry) return null;
  const shown = isShown ? records : records.slice(0, mostShown);
  const { records: written } = await withRecords(table, (include) => send(include, shown));
  if (written === undefined) return null;
  const after = list(written).slice(0, mostShown).map(object);
  const keys = after.map((record) => keyFilters(table, record));
  const before = method === 'insert' ? [] : await readAll(table, keys, signal);
  const found = new Map(before.map((record) => [JSON.stringify(keyFilters(table, record)), record]));
  return after.map((record, nth) => ({ before: found.get(JSON.stringify(keys[nth])) ?? null, after: record }));
}
