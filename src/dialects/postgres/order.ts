/** The order of records, and the records after a cursor. */
import type { Server } from '../../model/catalog.ts';
import { type ColumnSort, isRank, type Read, type Sort } from '../../model/plan.ts';
import { afterCursor } from '../after.ts';
import { type Expression, id, type Knex, type Operand, of, raw, word } from '../knex.ts';
import { orderBy, tableColumns, withoutRepeats } from '../sql.ts';
import { knex } from './column.ts';
import { exact, ordered } from './distinct.ts';
import { rank } from './search.ts';

/** Whether the server sorts NULLs like this by itself: last for asc, first for desc. */
export const isUsual = ({ direction, nulls }: Pick<Sort, 'direction' | 'nulls'>): boolean =>
  (direction === 'asc') === (nulls === 'last');

/** Adds a column to ORDER BY, either for distinct records or for all. */
export function sortBy(query: Knex.QueryBuilder, one: ColumnSort, distinct = false): void {
  const { by, direction, nulls } = one;
  orderBy(knex, query, distinct ? of(by, ordered(by)) : id(by), direction, isUsual(one) ? '' : ` NULLS ${nulls}`);
}

/** Adds a read's order to its query. NULLS FIRST or LAST is only written where it differs from the server's default. */
export function order(query: Knex.QueryBuilder, read: Read, server: Server): Knex.QueryBuilder {
  const { sort, columns, table, distinct } = read;
  for (const one of sort) {
    const { by, direction, nulls } = one;
    if (isRank(by)) {
      const shown = columns.indexOf(by);
      orderBy(knex, query, shown < 0 ? rank(by.search, table, server) : raw(`${shown + 1}`), direction);
      continue;
    }
    sortBy(query, { by, direction, nulls }, distinct);
  }
  // Our DISTINCT compares bytes, so texts that are equal by collation (`a`, `A`) are separate records. Sort them by their bytes.
  const loose = distinct ? tableColumns(read).filter((column) => exact(column) !== ordered(column)) : [];
  for (const column of loose) orderBy(knex, query, of(column, exact(column)));
  for (const one of ties(read)) orderBy(knex, query, one);
  return query;
}

/** Breaks ties by the record's physical location (`ctid`), or else by the text of the row, because some types have no order. */
function ties({ breaksTies, table: { order, columns } }: Read): readonly Operand[] {
  if (breaksTies !== true) return [];
  return order.hasPlaces ? places.map(word) : [raw('ROW(??)::text COLLATE "C"', [withoutRepeats(columns).map(id)])];
}
export const places = ['tableoid', 'ctid'];

/** Cursor values are bound as text: a parameter takes the type and the collation of the column it is compared with. */
export const after = (read: Read): readonly Expression[] =>
  afterCursor(read, { operand: id, indexed: id, value: (_, stored) => stored });
