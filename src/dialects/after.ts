/** What comes after a place in an order, as SQL: the condition of the next page. */
import { isRank, type Place, type Read, type Sort } from '../model/plan.ts';
import type { Column } from '../model/table.ts';
import type { Bound } from '../model/value.ts';

/** How a dialect compares a column with a stored value, in the order in which it sorts the column. */
export interface Side {
  operand(column: Column): string;
  value(column: Column, stored: Bound): string;
}

type ByColumn = Sort & { readonly by: Column };

/** The columns by whose values the place of a record is known; a rank is computed anew each time and so is no place. */
export function placed({ sort, place }: Read): readonly Column[] {
  return place ? sort.flatMap(({ by }) => (isRank(by) ? [] : [by])) : [];
}

/** The conditions that a record stands after `read.after`. */
export function following({ sort, after }: Read, side: Side): readonly string[] {
  if (after === null) return [];
  const order = sort.filter((one): one is ByColumn => !isRank(one.by));
  const [first, ...others] = order;
  const [value] = after;
  if (first === undefined) return ['FALSE'];
  // Everything in one range of the first column: an index walks from here on, where it would not see through an OR.
  const comparable = typeof value === 'string' || value instanceof Uint8Array;
  const isRange = others.length > 0 && comparable && !nullsFollow(first);
  const range = isRange ? [`${side.operand(first.by)} ${sign(first)}= ${side.value(first.by, value)}`] : [];
  return [...range, beyond(order, after, side) ?? 'FALSE'];
}

/** `a > 1 OR (a = 1 AND (b > 2 OR …))`; null where nothing can come after. */
function beyond([first, ...others]: readonly ByColumn[], [value, ...rest]: Place, side: Side): string | null {
  if (first === undefined || value === undefined) return null;
  const name = side.operand(first.by);
  const parts: string[] = [];
  if (value === null) {
    if (first.nulls === 'first') parts.push(`${name} IS NOT NULL`);
    const tie = beyond(others, rest, side);
    if (tie !== null) parts.push(`(${name} IS NULL AND ${tie})`);
  } else {
    parts.push(`${name} ${sign(first)} ${side.value(first.by, value)}`);
    if (nullsFollow(first)) parts.push(`${name} IS NULL`);
    if (others.length > 0) {
      const equal = `${name} = ${side.value(first.by, value)}`;
      const tie = beyond(others, rest, side);
      if (tie !== null) parts.push(`(${equal} AND ${tie})`);
    }
  }
  if (parts.length < 2) return parts[0] ?? null;
  return `(${parts.join(' OR ')})`;
}

const sign = ({ direction }: Sort): string => (direction === 'asc' ? '>' : '<');
const nullsFollow = ({ by, nulls }: ByColumn): boolean => by.nullable && nulls === 'last';
