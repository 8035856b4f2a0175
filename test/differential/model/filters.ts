import { isList, isMembers, type Members, type Sent } from '../sent.ts';
import type { Cell, Column, Table } from '../table.ts';
import { Refused } from './answer.ts';
import { compare } from './compare.ts';
import { forFilter } from './convert.ts';
import { named } from './names.ts';

export type Row = Readonly<Record<string, Cell>>;

/** Tells whether a row fits every member of the filters. */
export function matcher(table: Table, { members }: Members): (row: Row) => boolean {
  const tests = members.map(([sent, value]) => {
    const found = named(table, sent.replace(/^\$\$/, '$'));
    if (found === undefined) throw new Refused({ filters: null });
    return test(found.column, value);
  });
  return (row) => tests.every((fits) => fits(row));
}

function test({ name, kind }: Column, value: Sent): (row: Row) => boolean {
  if (isMembers(value)) throw new Refused({ filters: null });
  const cells = (isList(value) ? value : [value]).flatMap((item) => {
    const converted = forFilter(kind, item);
    if (converted === 'wrong') throw new Refused({ filters: null });
    return converted === 'beyond' ? [] : [converted.cell];
  });
  return (row) => {
    const cell = cellOf(row, name);
    return cells.some((wanted) =>
      wanted === null || cell === null ? wanted === cell : compare(kind, wanted, cell) === 0,
    );
  };
}

/** Column names may be `constructor`. */
export const cellOf = (row: Row, name: string): Cell => (Object.hasOwn(row, name) ? (row[name] ?? null) : null);
