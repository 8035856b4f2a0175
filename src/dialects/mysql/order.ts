/** The order of records, and the records after a cursor. */
import { type ColumnSort, isRank, type Read, type Sort } from '../../model/plan.ts';
import { type Column, hasZeroDate, mayBeNull } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { afterCursor } from '../after.ts';
import { type Expression, type Knex, of, raw, type Value } from '../knex.ts';
import { orderBy, tableColumns, withoutRepeats } from '../sql.ts';
import { isLong, knex, literal, output, sorted, withoutZero } from './column.ts';
import { exact, ordered } from './distinct.ts';
import { rank } from './search.ts';
import { candidate } from './select.ts';

/** Whether MySQL sorts NULLs like this by itself: first for asc, last for desc. */
export const isUsual = ({ direction, nulls }: Pick<Sort, 'direction' | 'nulls'>): boolean =>
  (direction === 'asc') === (nulls === 'first');

/** Adds a column to ORDER BY, either for distinct records or for all. */
export function sortBy(query: Knex.QueryBuilder, one: ColumnSort, distinct = false): void {
  const { by, direction, nulls } = one;
  const sql = distinct ? ordered(by) : isNullOrZero(by) ? withoutZero(by) : sorted(by);
  const nullable = mayBeNull(by) || distinct;
  if (nullable && !isUsual(one)) {
    const value = distinct ? sql : hasZeroDate(by) ? withoutZero(by) : '??';
    orderBy(knex, query, of(by, `${value} IS NULL`), nulls === 'first' ? 'desc' : 'asc');
  }
  orderBy(knex, query, of(by, sql), direction);
}

/** Adds a read's order to its query. NULLs go where PostgreSQL puts them, which is not MySQL's default. */
export function order(query: Knex.QueryBuilder, read: Read): Knex.QueryBuilder {
  const { sort, columns, table, distinct } = read;
  for (const one of sort) {
    const { by, direction, nulls } = one;
    if (isRank(by)) {
      const shown = columns.indexOf(by);
      orderBy(knex, query, shown < 0 ? rank(by.search, table) : raw(`${shown + 1}`), direction);
      continue;
    }
    sortBy(query, { by, direction, nulls }, distinct);
  }
  // Our DISTINCT compares bytes, so texts that are equal by collation (`a`, `A`) are separate records. Sort them by their bytes.
  const loose = distinct ? tableColumns(read).filter((column) => exact(column) !== ordered(column)) : [];
  for (const column of loose) orderBy(knex, query, of(column, exact(column)));
  // Sort by one digest of the row: all columns of a wide table might not fit into the sort buffer.
  if (read.breaksTies) {
    const all = withoutRepeats(table.columns);
    const values = all.map((column) => of(column, exact(column)));
    orderBy(
      knex,
      query,
      raw(`SHA2(CONCAT_WS(',', ${all.map(() => "IFNULL(HEX(CONCAT(??)), '-')").join(', ')}), 256)`, values),
    );
  }
  return query;
}

/** Whether the column can have NULLs and zero dates. We show both as null, but MySQL sorts zero dates after NULL. */
export const isNullOrZero = (column: Column): boolean => column.nullable && hasZeroDate(column);

export const after = (read: Read): readonly Expression[] =>
  afterCursor(read, {
    operand: (column) => of(column, operand(column)),
    indexed: (column) => of(column, hasZeroDate(column) ? '??' : operand(column)),
    value,
  });

/** SQL for the value to store in a cursor: unrounded, with numbers as digits. */
export const cursorValue = (column: Column): string =>
  isCounted(column) || isLong(column) || hasZeroDate(column) ? operand(column) : output(column);

/** SQL to compare with a cursor's value. ENUM and SET sort by number but compare as text, and bits are bytes, so we make them numbers. */
const operand = (column: Column): string => (isCounted(column) ? '(?? + 0)' : withoutZero(column));
export const isCounted = ({ type: { kind } }: Column): boolean => kind === 'choice' || kind === 'bits';

function value(column: Column, stored: BoundValue): Value {
  const { kind } = column.type;
  if (!['int', 'decimal', 'bool', 'choice', 'bits'].includes(kind))
    return raw(candidate(column), [literal(column, stored)]);
  // The cursor comes from a client. It is sealed, but we check every text that becomes part of a statement.
  if (typeof stored !== 'string' || !/^-?\d+(\.\d+)?$/.test(stored)) throw new Error(`no digits for ${column.name}`);
  return raw(stored);
}
