/** The order of records, and the records after a cursor. */
import { isRank, type Read, type Sort } from '../../model/plan.ts';
import { type Column, hasZeroDate, mayBeNull } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { following } from '../after.ts';
import { type Expression, type Knex, of, raw, type Value } from '../knex.ts';
import { ofTable, once, orderBy } from '../sql.ts';
import { isLong, knex, literal, output, sorted, withoutZero } from './column.ts';
import { exact, ordered } from './distinct.ts';
import { rank } from './search.ts';
import { candidate } from './select.ts';

/** Whether MySQL puts NULLs there by itself. */
export const isUsual = ({ direction, nulls }: Sort): boolean => (direction === 'asc') === (nulls === 'first');

/** MySQL puts NULLs first for asc and last for desc; we put them where PostgreSQL does. */
export function order(query: Knex.QueryBuilder, read: Read): Knex.QueryBuilder {
  const { sort, columns, table, distinct } = read;
  for (const one of sort) {
    const { by, direction, nulls } = one;
    if (isRank(by)) {
      const shown = columns.indexOf(by);
      orderBy(knex, query, shown < 0 ? rank(by.search, table) : raw(`${shown + 1}`), direction);
      continue;
    }
    const sql = distinct ? ordered(by) : isNullOrZero(by) ? withoutZero(by) : sorted(by);
    const nullable = mayBeNull(by) || distinct;
    if (nullable && !isUsual(one)) {
      const value = distinct ? sql : hasZeroDate(by) ? withoutZero(by) : '??';
      orderBy(knex, query, of(by, `${value} IS NULL`), nulls === 'first' ? 'desc' : 'asc');
    }
    orderBy(knex, query, of(by, sql), direction);
  }
  // Texts that its collation takes for the same are two records, and must stand in one order.
  const loose = distinct ? ofTable(read).filter((column) => exact(column) !== ordered(column)) : [];
  for (const column of loose) orderBy(knex, query, of(column, exact(column)));
  // One digest of the row: so many columns as a table may have take more than the sort buffer.
  if (read.breaksTies) {
    const all = once(table.columns);
    const values = all.map((column) => of(column, exact(column)));
    orderBy(
      knex,
      query,
      raw(`SHA2(CONCAT_WS(',', ${all.map(() => "IFNULL(HEX(CONCAT(??)), '-')").join(', ')}), 256)`, values),
    );
  }
  return query;
}

/** Whether it has two values that are shown as null. MySQL sorts a zero date behind NULL, and before all others. */
export const isNullOrZero = (column: Column): boolean => column.nullable && hasZeroDate(column);

export const after = (read: Read): readonly Expression[] =>
  following(read, {
    operand: (column) => of(column, operand(column)),
    indexed: (column) => of(column, hasZeroDate(column) ? '??' : operand(column)),
    value,
  });

/** The outputs that give the cursor of a record: no value is rounded, and a number comes as its digits. */
export const cursorValue = (column: Column): string =>
  isCounted(column) || isLong(column) || hasZeroDate(column) ? operand(column) : output(column);

/** ENUM and SET are sorted by their number, but compared as text; bits come as bytes. */
const operand = (column: Column): string => (isCounted(column) ? '(?? + 0)' : withoutZero(column));
export const isCounted = ({ type: { kind } }: Column): boolean => kind === 'choice' || kind === 'bits';

function value(column: Column, stored: BoundValue): Value {
  const { kind } = column.type;
  if (!['int', 'decimal', 'bool', 'choice', 'bits'].includes(kind))
    return raw(candidate(column), [literal(column, stored)]);
  // It has been with a client: sealed, but what becomes text of a statement is looked at all the same.
  if (typeof stored !== 'string' || !/^-?\d+(\.\d+)?$/.test(stored)) throw new Error(`no digits for ${column.name}`);
  return raw(stored);
}
