/** This tab's last save, kept so that it can be undone. */
import { useEffect } from 'preact/hooks';
import type { JsonObject } from '../ask/json.ts';
import { maxMarked } from '../ask/marks.ts';
import type { Table } from '../ask/table.ts';
import { useRedraw } from '../parts/hooks.ts';
import type { Field } from './fields.ts';

/** A record before and after a write: null before if it was added, null after if it was deleted. */
export interface Change {
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

export interface LastSave {
  readonly kind: 'save' | 'import' | 'remove';
  readonly table: Table;
  readonly changes: readonly Change[];
}

const state: { last: LastSave | null } = { last: null };
const changed = new EventTarget();

/** Keeps the last write. @param last null if it cannot be undone: an older one must not stay, because "the last" would then be misleading */
export function keepSave(last: LastSave | null): void {
  state.last = last;
  changed.dispatchEvent(new Event('change'));
}

/** How many records are kept: an undo reads them with one filter, and writes them in one call. */
export const maxKept = (table: Table): number => (table.key.length > 1 ? maxMarked(table.key) : 1000);

/** Whether changed records can be restored exactly. That is impossible if a column is generated, read-only, binary or hidden. */
export const canUndo = (table: Table, fields: readonly Field[]): boolean =>
  table.key.length > 0 &&
  table.binary.length === 0 &&
  !table.hidesColumns &&
  fields.every((one) => one.isWritable || one.isKey);

/** Whether deleted records can be added again. For that, their keys must be writable, too. */
export const canRestore = (table: Table, fields: readonly Field[]): boolean =>
  canUndo(table, fields) && fields.every(({ isWritable }) => isWritable);

/** This table's last save; null if there is none that can be undone. */
export function useLastSave(id: string): LastSave | null {
  const redraw = useRedraw();
  useEffect(() => {
    changed.addEventListener('change', redraw);
    return () => changed.removeEventListener('change', redraw);
  }, []);
  return state.last?.table.id === id ? state.last : null;
}
