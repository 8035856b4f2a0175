import { isList, isMembers, type Sent } from '../sent.ts';
import type { Column, Table } from '../table.ts';
import { Refused } from './answer.ts';

/** What a client may name: a column, or `_id`, which is the single-column integer key. */
export interface Named {
  readonly name: string;
  readonly column: Column;
}

/** The column that `_id` shows, if there is one. */
export function idColumn(table: Table): Column | undefined {
  const key = table.columns.filter(({ name }) => table.key.includes(name));
  return key.length === 1 && key[0]?.kind.is === 'int' ? key[0] : undefined;
}

/** Everything that can be named, in the order in which it is shown. */
export function visible(table: Table): readonly Named[] {
  const id = idColumn(table);
  const own = table.columns.map((column) => ({ name: column.name, column }));
  return id === undefined ? own : [{ name: '_id', column: id }, ...own];
}

/** Looks a name up as sent, then trimmed and without its double quotes. */
export function named(table: Table, sent: string): Named | undefined {
  const all = visible(table);
  return all.find(({ name }) => name === sent) ?? all.find(({ name }) => name === bare(sent));
}

/** Trimmed and without its double quotes. */
export const bare = (sent: string): string => sent.trim().replace(/^"(.*)"$/s, '$1');

/** A list of names, or one text with commas: contract part 2. `null` and absence are undefined. */
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
