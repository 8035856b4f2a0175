import { isList, isMembers, type Members, type Sent } from '../sent.ts';
import type { Cell, Column, Table } from '../table.ts';
import { Refused } from './answer.ts';
import { compare } from './compare.ts';
import { forFilter } from './convert.ts';
import { pattern } from './like.ts';
import { named } from './names.ts';
import { side } from './range.ts';

export type Row = Readonly<Record<string, Cell>>;

/** Tests whether rows match a filter. `all`: it matches every possible row. */
export interface Matcher {
  readonly all: boolean;
  fits(row: Row): boolean;
}
type Test = (cell: Cell) => boolean;

const refused = () => new Refused({ filters: null });
const every = (parts: readonly Matcher[]): Matcher => ({
  all: parts.every(({ all }) => all),
  fits: (row) => parts.every(({ fits }) => fits(row)),
});
const some = (parts: readonly Matcher[]): Matcher => ({
  all: parts.some(({ all }) => all),
  fits: (row) => parts.some(({ fits }) => fits(row)),
});

/** Reads the grammar of `filters`, as docs/ckan-compatibility.md has it under "Filters". */
export function matcher(table: Table, filters: Members | readonly Sent[]): Matcher {
  if (!isList(filters)) return every(filters.members.map(([name, value]) => member(table, name, value)));
  return filters.length === 0 ? every([]) : some(filters.map((one) => matcher(table, membersOf(one))));
}

function membersOf(sent: Sent): Members {
  if (!isMembers(sent)) throw refused();
  return sent;
}

function member(table: Table, name: string, value: Sent): Matcher {
  if (name === '$or' || name === '$and') {
    if (!isList(value) || (name === '$or' && value.length === 0)) throw refused();
    const parts = value.map((one) => matcher(table, membersOf(one)));
    return name === '$or' ? some(parts) : every(parts);
  }
  const found = named(table, name.replace(/^\$\$/, '$'));
  if (found === undefined) throw refused();
  const { column } = found;
  if (isMembers(value)) return operators(column, value);
  if (!isList(value)) return among(column, [value]);
  const groups = value.flatMap((item) => (isMembers(item) ? [operators(column, item)] : []));
  const plain = value.filter((item) => !isMembers(item));
  return some(plain.length > 0 || groups.length === 0 ? [among(column, plain), ...groups] : groups);
}

function operators(column: Column, { members }: Members): Matcher {
  if (members.length === 0) throw refused();
  return every(members.map(([op, value]) => operator(column, op, value)));
}

function operator(column: Column, op: string, value: Sent): Matcher {
  const ofCell = (test: Test): Matcher => ({ all: false, fits: (row) => test(cellOf(row, column.name)) });
  switch (op) {
    case 'eq':
      return among(column, [value]);
    case 'ne':
      return others(column, [value]);
    case 'in':
    case 'nin':
      if (!isList(value)) throw refused();
      return op === 'in' ? among(column, value) : others(column, value);
    case 'null':
      if (typeof value !== 'boolean') throw refused();
      return ofCell((cell) => (cell === null) === value);
    case 'like':
    case 'ilike': {
      const fits = typeof value === 'string' ? pattern(column.kind, value, op === 'ilike') : null;
      if (fits === null) throw refused();
      return ofCell((cell) => cell !== null && fits(cell));
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const sideOf = side(column.kind, value);
      if (sideOf === null) throw refused();
      const holds = {
        gt: (n: number) => n > 0,
        gte: (n: number) => n >= 0,
        lt: (n: number) => n < 0,
        lte: (n: number) => n <= 0,
      };
      return ofCell((cell) => cell !== null && holds[op](sideOf(cell)));
    }
    default:
      throw refused();
  }
}

/** Equality with any of the values; null means NULL. A value that the column cannot store equals nothing. */
function among({ name, kind }: Column, values: readonly Sent[]): Matcher {
  const cells = cellsOf(kind, values);
  return { all: false, fits: (row) => isAmong(kind, cells, cellOf(row, name)) };
}

/** Everything that `among` does not match. */
function others({ name, kind }: Column, values: readonly Sent[]): Matcher {
  const cells = cellsOf(kind, values);
  return { all: cells.length === 0, fits: (row) => !isAmong(kind, cells, cellOf(row, name)) };
}

function cellsOf(kind: Column['kind'], values: readonly Sent[]): readonly Cell[] {
  return values.flatMap((value) => {
    const converted = forFilter(kind, value);
    if (converted === 'wrong') throw refused();
    return converted === 'beyond' ? [] : [converted.cell];
  });
}

const isAmong = (kind: Column['kind'], cells: readonly Cell[], cell: Cell): boolean =>
  cells.some((wanted) => (wanted === null || cell === null ? wanted === cell : compare(kind, wanted, cell) === 0));

/** Reads a cell safely: a column may be named `constructor`. */
export const cellOf = (row: Row, name: string): Cell => (Object.hasOwn(row, name) ? (row[name] ?? null) : null);
