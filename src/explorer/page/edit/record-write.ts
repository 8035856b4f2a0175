/** Writes one record: checks its values, and repeats a successful dry run for real. */
import { Refused } from '../ask/call.ts';
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { changesOf, type Drafts } from './draft.ts';
import type { Field } from './fields.ts';
import { words } from './texts/index.ts';
import { write } from './write.ts';
import { complaint, writeErrorOf } from './write-error.ts';

/** A write that passed a dry run: the values to send, and the record before and after it. */
export interface Tried {
  readonly values: JsonObject;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** The values to write. Throws if there are none, or if a JSON column's text is not JSON. */
export function checkedValues(base: JsonObject | null, drafts: Drafts, fields: readonly Field[]): JsonObject {
  const { values, notJson, unreadable, missing } = changesOf(base, drafts, fields);
  if (unreadable.length > 0) throw complaint(words.seeFields, unreadable);
  if (missing.length > 0) throw complaint(words.isRequired, missing);
  if (notJson.length > 0) throw complaint(words.notJson, notJson);
  if (base !== null && Object.keys(values).length === 0) throw complaint(words.unchanged);
  return values;
}

/** Repeats a dry run's write, this time for real. */
export async function writeTried(
  table: Table,
  { values, before, after }: Tried,
  fields: readonly Field[],
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const key = before === null && after !== null ? keyFromDatabase(after, values, fields) : {};
  return write(table, before, { ...key, ...values }, { isDry: false, signal }).catch((error: unknown) => {
    if (error instanceof Refused && writeErrorOf(error).fields.some((name) => Object.hasOwn(key, name)))
      throw complaint(words.isUnknown);
    throw error;
  });
}

/**
 * A new record's generated key, taken from the dry run. Sequences never return a number twice, so we save with this key. If the browser
 * resends the call after a broken connection, the duplicate key keeps it from adding the record again.
 */
function keyFromDatabase(after: JsonObject, values: JsonObject, fields: readonly Field[]): JsonObject {
  const generated = fields.filter(
    ({ isKey, column: { name } }) => isKey && !Object.hasOwn(values, name) && Object.hasOwn(after, name),
  );
  return Object.fromEntries(generated.map(({ column: { name } }) => [name, after[name] ?? null]));
}
