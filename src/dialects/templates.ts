/** Statements that are compiled once. */
import type { Read } from '../model/plan.ts';
import { readKeyOf } from '../model/read-key.ts';
import type { Statement } from '../model/rows.ts';
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

/** Characters of the remembered reads of a dialect, with their names: half of them in each generation. */
export const mostCharacters = 1_000_000;
/** A read with more of them is compiled each time: it hardly comes again. */
const longest = 10_000;

/**
 * Keeps the statements of reads: the same searches come again after each write that invalidates their answers. Those that did not come
 * again since the last generation began are dropped when this one is full.
 * @param make writes the statement of a read, or null, in one of several variants
 */
export function rememberedReads<V extends string, T extends Statement | null>(
  make: (read: Read, variant: V) => T,
): (read: Read, variant: V) => T {
  let [young, old] = [new WeakMap<Table, Map<string, T>>(), new WeakMap<Table, Map<string, T>>()];
  let characters = 0;
  return (read, variant) => {
    const key = readKeyOf(read);
    if (key === null) return make(read, variant);
    const name = `${variant} ${key}`;
    const known = young.get(read.table)?.get(name);
    if (known !== undefined) return known;
    const made = old.get(read.table)?.get(name) ?? make(read, variant);
    const size = name.length + (made?.text.length ?? 0);
    if (size > longest) return made;
    characters += size;
    if (characters > mostCharacters / 2) {
      [old, young] = [young, new WeakMap()];
      characters = size;
    }
    const ofTable = young.get(read.table) ?? new Map<string, T>();
    young.set(read.table, ofTable.set(name, made));
    return made;
  };
}
