/** Caches of compiled statements. */
import type { Read } from '../model/plan.ts';
import { readKeyOf } from '../model/read-key.ts';
import type { Statement } from '../model/rows.ts';
import type { Column, Table } from '../model/table.ts';

const nameIn = (column: Column): string => column.name;

/** Limit of value slots in all of a dialect's cached templates: about 5 MB. Each set of columns that a client writes needs a template. */
export const maxSlots = 20_000;

/** Caches the template for a table, a key and the columns to set: compiling takes ten times as long. A full cache is cleared. */
export function cachedTemplates<T>(
  make: (table: Table, key: readonly Column[], columns: readonly Column[]) => T,
): (table: Table, key: readonly Column[], columns: readonly Column[]) => T {
  let templates = new WeakMap<Table, Map<string, T>>();
  let slots = 0;
  return (table, key, columns) => {
    // A column name cannot contain a NUL.
    const name = [...key.map(nameIn), '', ...columns.map(nameIn)].join('\0');
    const cached = templates.get(table)?.get(name);
    if (cached !== undefined) return cached;
    const template = make(table, key, columns);
    slots += key.length + columns.length;
    if (slots > maxSlots) {
      templates = new WeakMap();
      slots = key.length + columns.length;
    }
    const ofTable = templates.get(table) ?? new Map<string, T>();
    templates.set(table, ofTable.set(name, template));
    return template;
  };
}

/** Limit of characters in a dialect's cached reads and their keys: one half in `young`, the other in `old`. */
export const maxCharacters = 1_000_000;
/** Longer reads are not cached, because they rarely repeat. */
const maxReadCharacters = 10_000;

/**
 * Caches the statements of reads: the same searches come back after each write that invalidates their answers. When `young` is full, it
 * replaces `old`, which drops reads that were not repeated in the meantime.
 * @param make writes one of several variants of a read's statement, or returns null
 * @param hasPage whether the statement depends on `limit` and `offset`
 */
export function cachedReads<V extends string, T extends Statement | null>(
  make: (read: Read, variant: V) => T,
  hasPage: boolean,
): (read: Read, variant: V) => T {
  let [young, old] = [new WeakMap<Table, Map<string, T>>(), new WeakMap<Table, Map<string, T>>()];
  let characters = 0;
  return (read, variant) => {
    const key = readKeyOf(read);
    if (key === null) return make(read, variant);
    const name = hasPage ? `${variant} ${read.limit} ${read.offset} ${key}` : `${variant} ${key}`;
    const cached = young.get(read.table)?.get(name);
    if (cached !== undefined) return cached;
    const statement = old.get(read.table)?.get(name) ?? make(read, variant);
    const size = name.length + (statement?.text.length ?? 0);
    if (size > maxReadCharacters) return statement;
    characters += size;
    if (characters > maxCharacters / 2) {
      [old, young] = [young, new WeakMap()];
      characters = size;
    }
    const ofTable = young.get(read.table) ?? new Map<string, T>();
    young.set(read.table, ofTable.set(name, statement));
    return statement;
  };
}
