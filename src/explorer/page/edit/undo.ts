/** Undoes the last save. */
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { say } from '../texts/index.ts';
import { differences } from './draft.ts';
import { byKey, keyFilters, keyOf, keyText } from './keys.ts';
import { type Change, keepSave, type LastSave } from './last-save.ts';
import { words } from './texts/index.ts';
import { readAll, remove, type WriteOptions, writeAll } from './write.ts';
import { complaint } from './write-error.ts';

/** Restores the values from before a save, unless a record has changed since. A dry run comes first, as before any write. */
export async function undo({ kind, table, changes }: LastSave, signal: AbortSignal): Promise<void> {
  await refuseOthers(table, changes, signal);
  // Remove added records first: they may hold unique values that other records held before.
  const steps = [
    changes.filter(({ before }) => before === null),
    changes.filter(({ before, after }) => before !== null && after !== null),
    changes.filter(({ after }) => after === null),
  ].filter(({ length }) => length > 0);
  for (const step of steps) await revert(table, step, { isDry: true, signal });
  for (const [nth, step] of steps.entries()) {
    await revert(table, step, { isDry: false, signal });
    const rest = steps.slice(nth + 1).flat();
    keepSave(rest.length === 0 ? null : { kind, table, changes: rest });
  }
}

/** Throws if somebody has changed one of the records since. */
async function refuseOthers(table: Table, changes: readonly Change[], signal: AbortSignal): Promise<void> {
  const keys = changes.map(({ before, after }) => keyFilters(table, after ?? before ?? {}));
  const all = byKey(table, await readAll(table, keys, signal));
  const others = new Set<string>();
  for (const [nth, { after }] of changes.entries()) {
    const now = all.get(JSON.stringify(keys[nth]));
    if (after === null && now !== undefined) throw complaint(words.undoExists);
    if (after === null) continue;
    if (now === undefined) throw complaint(say.gone);
    for (const { label } of differences(after, now, table.columns)) others.add(label);
  }
  if (others.size > 0) throw complaint(words.undoConflict([...others].join(', ')));
}

/** Reverts changes of one kind. Throws if the database would store other values than before, for instance because of a trigger. */
async function revert(table: Table, changes: readonly Change[], options: WriteOptions): Promise<void> {
  const before = changes.flatMap(({ before }) => (before === null ? [] : [before]));
  const after = changes.flatMap(({ after }) => (after === null ? [] : [after]));
  if (before.length === 0) return remove(table, after, options);
  const isDeleted = after.length === 0;
  const records = isDeleted
    ? before.map((one) => valuesOf(table, one))
    : changes.map((one) => changedValues(table, one));
  const written = await writeAll(table, isDeleted ? 'insert' : 'update', records, options);
  const stored = byKey(table, written ?? []);
  const others = before.flatMap((one) => {
    const now = stored.get(keyText(table, one));
    return now === undefined ? [] : differences(one, now, table.columns).map(({ label }) => label);
  });
  if (options.isDry && others.length > 0) throw complaint(words.undoIsOther([...new Set(others)].join(', ')));
}

/** A record without the `_id` that repeats another column. */
const valuesOf = (table: Table, record: JsonObject): JsonObject =>
  Object.fromEntries(table.columns.map(({ name }) => [name, record[name] ?? null]));

/** The key, and the old values of the columns that the save changed. */
function changedValues(table: Table, { before, after }: Change): JsonObject {
  const [was, is] = [before ?? {}, after ?? {}];
  const changed = differences(was, is, table.columns).map(({ name }) => [name, was[name] ?? null] as const);
  return { ...keyOf(table, is), ...Object.fromEntries(changed) };
}
