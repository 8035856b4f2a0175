/** The last save of this tab, kept so that it can be undone. */
import { useEffect } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import type { Table } from '../ask/table.ts';
import { useRedraw } from '../parts/hooks.ts';
import { say } from '../texts/index.ts';
import { differences } from './draft.ts';
import type { Field } from './fields.ts';
import { words } from './texts/index.ts';
import { complaint, keyFilters, readAll, remove, write } from './write.ts';

export interface LastSave {
  readonly table: Table;
  /** Null for a new record. */
  readonly before: JsonObject | null;
  readonly after: JsonObject;
}

const state: { last: LastSave | null } = { last: null };
const changed = new EventTarget();

function keep(last: LastSave | null): void {
  state.last = last;
  changed.dispatchEvent(new Event('change'));
}

/** Keeps a save. One that cannot be undone exactly, because a column is generated, read-only or binary, only replaces the one before. */
export function keepSave(
  table: Table,
  fields: readonly Field[],
  before: JsonObject | null,
  after: JsonObject | null,
): void {
  const isExact =
    table.key.length > 0 && table.binary.length === 0 && fields.every((one) => one.isWritable || one.isKey);
  keep(isExact && after !== null ? { table, before, after } : null);
}

/** Forgets the last save: after another kind of write, "the last" would mean something else to the user. */
export const forgetSave = (): void => keep(null);

/** The last save in this table; null if there is none that can be undone. */
export function useLastSave(id: string): LastSave | null {
  const redraw = useRedraw();
  useEffect(() => {
    changed.addEventListener('change', redraw);
    return () => changed.removeEventListener('change', redraw);
  }, []);
  return state.last?.table.id === id ? state.last : null;
}

/** Writes the values from before a save, unless the record has changed since. A dry run comes first, as before any write. */
export async function undo({ table, before, after }: LastSave, signal: AbortSignal): Promise<void> {
  const [now] = await readAll(table, [keyFilters(table, after)], signal);
  if (now === undefined) throw complaint(say.gone);
  const others = differences(after, now, table.columns);
  if (others.length > 0) throw complaint(words.undoConflict(others.map(({ label }) => label).join(', ')));
  if (before === null) {
    await remove(table, [now], { isDry: true, signal });
    await remove(table, [now], { isDry: false, signal });
    return keep(null);
  }
  const values = Object.fromEntries(
    differences(before, now, table.columns).map(({ name }) => [name, before[name] ?? null]),
  );
  const restored = await write(table, now, values, { isDry: true, signal });
  // A trigger may have changed the record again.
  const rest = restored === null ? [] : differences(before, restored, table.columns);
  if (rest.length > 0) throw complaint(words.undoIsOther(rest.map(({ label }) => label).join(', ')));
  await write(table, now, values, { isDry: false, signal });
  keep(null);
}
