/** The order of records: how it is asked for, and what stands after a place in it. */
import { type Bound, type Column, isRank, type Read } from '../../plan.ts';
import { following } from '../after.ts';
import type { Bind } from '../sql.ts';
import { id, output } from './column.ts';
import { rank } from './search.ts';
import { candidate } from './select.ts';

/**
 * A sort that finds no index looks at the first `max_sort_length` bytes of a text's weights, a comparison at all of them. So
 * a longer text is sorted and compared by its beginning, whose weights fit: up to 16 bytes a character.
 */
export const sortedBytes = 4096;
const sortedCharacters = 255;

/** ` ORDER BY …`, or nothing. MySQL puts NULLs first for asc and last for desc; we put them where PostgreSQL does. */
export function order({ sort, columns, table }: Read, bind: Bind): string {
  const parts = sort.flatMap(({ by, direction, nulls }) => {
    const usual = (direction === 'asc') === (nulls === 'first');
    const descending = direction === 'desc' ? ' DESC' : '';
    if (isRank(by))
      return [`${columns.includes(by) ? columns.indexOf(by) + 1 : rank(by.search, table, bind)}${descending}`];
    const clause = `${sorted(by)}${descending}`;
    return !by.nullable || usual ? [clause] : [`${id(by)} IS NULL${nulls === 'first' ? ' DESC' : ''}`, clause];
  });
  return parts.length === 0 ? '' : ` ORDER BY ${parts.join(', ')}`;
}

export const after = (read: Read, bind: Bind): readonly string[] =>
  following(read, { operand, value: (column, stored) => value(column, stored, bind) });

/** What is selected to know the place of a record: nothing may be rounded, and a number must come as its digits. */
export const place = (column: Column): string =>
  isCounted(column) || isLong(column) ? operand(column) : output(column);

const sorted = (column: Column): string => (isLong(column) ? `LEFT(${id(column)}, ${sortedCharacters})` : id(column));

/** ENUM and SET are sorted by their number, but compared as text; bits come as bytes. */
const operand = (column: Column): string => (isCounted(column) ? `(${id(column)} + 0)` : sorted(column));
const isCounted = ({ type: { kind } }: Column): boolean => kind === 'choice' || kind === 'bits';

const isLong = ({ type }: Column): boolean =>
  (type.kind === 'text' || type.kind === 'binary') && (type.length === null || type.length > sortedCharacters);

function value(column: Column, stored: Bound, bind: Bind): string {
  const { kind } = column.type;
  if (!['int', 'decimal', 'bool', 'choice', 'bits'].includes(kind)) return candidate(column, stored, bind);
  // It has been with a client: sealed, but what becomes text of a statement is looked at all the same.
  if (typeof stored !== 'string' || !/^-?\d+(\.\d+)?$/.test(stored)) throw new Error(`no digits for ${column.name}`);
  return stored;
}
