/** The order of records: how it is asked for, and what stands after a place in it. */
import type { Server } from '../../model/catalog.ts';
import { isRank, type Read } from '../../model/plan.ts';
import { following, type Side } from '../after.ts';
import { type Bind, ofTable } from '../sql.ts';
import { id } from './column.ts';
import { exact, ordered } from './distinct.ts';
import { rank } from './search.ts';

/** ` ORDER BY …`, or nothing. The server's own order of NULLs (last for asc, first for desc) needs no words. */
export function order(read: Read, server: Server, bind: Bind): string {
  const { sort, columns, table } = read;
  const parts = sort.map(({ by, direction, nulls }) => {
    const usual = (direction === 'asc') === (nulls === 'last');
    const descending = direction === 'desc' ? ' DESC' : '';
    if (isRank(by))
      return `${columns.includes(by) ? columns.indexOf(by) + 1 : rank(by.search, table, server, bind)}${descending}`;
    return `${read.distinct ? ordered(by) : id(by)}${descending}${usual ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
  });
  // Texts that its collation takes for the same are two records, and must stand in one order.
  if (read.distinct)
    parts.push(
      ...ofTable(read)
        .filter((column) => exact(column) !== ordered(column))
        .map(exact),
    );
  return parts.length === 0 ? '' : ` ORDER BY ${parts.join(', ')}`;
}

/** The text of a stored value is all the server needs: a parameter takes the type and the collation of the column beside it. */
export function after(read: Read, bind: Bind): readonly string[] {
  const side: Side = { operand: id, value: (_, stored) => bind(stored) };
  return following(read, side);
}
