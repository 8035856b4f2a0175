/** The order of records: how it is asked for, and what stands after a place in it. */
import { isRank, type Read } from '../../model/plan.ts';
import type { Column } from '../../model/table.ts';
import type { Bound } from '../../model/value.ts';
import { following } from '../after.ts';
import { type Bind, ofTable } from '../sql.ts';
import { id, isLong, output, sorted } from './column.ts';
import { exact, ordered } from './distinct.ts';
import { rank } from './search.ts';
import { candidate } from './select.ts';

/** ` ORDER BY …`, or nothing. MySQL puts NULLs first for asc and last for desc; we put them where PostgreSQL does. */
export function order(read: Read, bind: Bind): string {
  const { sort, columns, table, distinct } = read;
  const parts = sort.flatMap(({ by, direction, nulls }) => {
    const usual = (direction === 'asc') === (nulls === 'first');
    const descending = direction === 'desc' ? ' DESC' : '';
    if (isRank(by))
      return [`${columns.includes(by) ? columns.indexOf(by) + 1 : rank(by.search, table, bind)}${descending}`];
    const name = distinct ? ordered(by) : sorted(by);
    const clause = `${name}${descending}`;
    // What is shown may be null where the column is not: a zero date.
    const nullable = by.nullable || distinct;
    return !nullable || usual
      ? [clause]
      : [`${distinct ? name : id(by)} IS NULL${nulls === 'first' ? ' DESC' : ''}`, clause];
  });
  // Texts that its collation takes for the same are two records, and must stand in one order.
  if (distinct)
    parts.push(
      ...ofTable(read)
        .filter((column) => exact(column) !== ordered(column))
        .map(exact),
    );
  return parts.length === 0 ? '' : ` ORDER BY ${parts.join(', ')}`;
}

export const after = (read: Read, bind: Bind): readonly string[] =>
  following(read, { operand, value: (column, stored) => value(column, stored, bind) });

/** What is selected to know the place of a record: nothing may be rounded, and a number must come as its digits. */
export const place = (column: Column): string =>
  isCounted(column) || isLong(column) ? operand(column) : output(column);

/** ENUM and SET are sorted by their number, but compared as text; bits come as bytes. */
const operand = (column: Column): string => (isCounted(column) ? `(${id(column)} + 0)` : sorted(column));
const isCounted = ({ type: { kind } }: Column): boolean => kind === 'choice' || kind === 'bits';

function value(column: Column, stored: Bound, bind: Bind): string {
  const { kind } = column.type;
  if (!['int', 'decimal', 'bool', 'choice', 'bits'].includes(kind)) return candidate(column, stored, bind);
  // It has been with a client: sealed, but what becomes text of a statement is looked at all the same.
  if (typeof stored !== 'string' || !/^-?\d+(\.\d+)?$/.test(stored)) throw new Error(`no digits for ${column.name}`);
  return stored;
}
