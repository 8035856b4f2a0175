import { isList, isMembers, type Sent } from '../sent.ts';
import type { Column, Table } from '../table.ts';
import { Refused } from './answer.ts';

/** A name that clients can use: a column, or `_id`, which stands for a single integer key. */
export interface Named {
  readonly name: string;
  readonly column: Column;
}

/** The column behind `_id`, if the table has one. */
export function idColumn(table: Table): Column | undefined {
  const key = table.columns.filter(({ name }) => table.key.includes(name));
  return key.length === 1 && key[0]?.kind.is === 'int' ? key[0] : undefined;
}

/** All names, in the order in which they are shown. */
export function visible(table: Table): readonly Named[] {
  const id = idColumn(table);
  const columns = table.columns.map((column) => ({ name: column.name, column }));
  return id === undefined ? columns : [{ name: '_id', column: id }, ...columns];
}

/** Finds a name as it was sent; else without surrounding blanks and double quotes. */
export function named(table: Table, sent: string): Named | undefined {
  const all = visible(table);
  return all.find(({ name }) => name === sent) ?? all.find(({ name }) => name === bare(sent));
}

/** Without surrounding blanks and double quotes. */
export const bare = (sent: string): string => sent.trim().replace(/^"(.*)"$/s, '$1');

/** Parses a list of names, or one text with commas. Undefined if it is null or missing. */
export function nameList(parameter: string, sent: Sent | undefined): readonly string[] | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (sent === '') return [];
  if (typeof sent === 'string') return sent.split(',').map((item) => item.trim());
  if (!isList(sent)) throw new Refused({ [parameter]: isMembers(sent) ? null : 'Not a list' });
  return sent.map((item) => {
    if (typeof item !== 'string') throw new Refused({ [parameter]: null });
    return item;
  });
}
