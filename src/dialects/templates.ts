/** Statements that are compiled once. */
import type { Column, Table } from '../model/table.ts';

const nameIn = (column: Column): string => column.name;

/** Slots of all remembered templates of a dialect: 5 MB. A writer may name any columns of a wide table. */
export const mostSlots = 20_000;

/** Keeps the template of a table, a key and the columns to set: compiling takes ten times as long. When full, all are dropped. */
export function remembered<T>(
  make: (table: Table, key: readonly Column[], columns: readonly Column[]) => T,
): (table: Table, key: readonly Column[], columns: readonly Column[]) => T {
  let templates = new WeakMap<Table, Map<string, T>>();
  let slots = 0;
  return (table, key, columns) => {
    // No name of a column has a NUL.
    const name = [...key.map(nameIn), '', ...columns.map(nameIn)].join('\0');
    const known = templates.get(table)?.get(name);
    if (known !== undefined) return known;
    const fresh = make(table, key, columns);
    slots += key.length + columns.length;
    if (slots > mostSlots) {
      templates = new WeakMap();
      slots = key.length + columns.length;
    }
    const ofTable = templates.get(table) ?? new Map<string, T>();
    templates.set(table, ofTable.set(name, fresh));
    return fresh;
  };
}
