/** The condition for the next page: SQL for the records after a cursor. */
import { type Cursor, isRank, type Read, type Sort } from '../model/plan.ts';
import { type Column, mayBeNull } from '../model/table.ts';
import type { BoundValue } from '../model/value.ts';
import { type Expression, joined, type Operand, raw, type Value } from './knex.ts';

/** How a dialect compares a column with a value stored in a cursor: in the same order in which it sorts the column. */
export interface Comparand {
  operand(column: Column): Operand;
  /** The column in a form that an index can use. This may match too many records; the comparison of `operand` excludes the extra ones. */
  indexed(column: Column): Operand;
  value(column: Column, stored: BoundValue): Value;
}

type ByColumn = Sort & { readonly by: Column };

/** The columns whose values form a record's cursor. A rank is not among them, because each search computes it again. */
export function cursorColumns({ sort, withCursor }: Read): readonly Column[] {
  return withCursor ? sort.flatMap(({ by }) => (isRank(by) ? [] : [by])) : [];
}

/** Conditions that hold for the records after the cursor `read.after`. */
export function afterCursor({ sort, after }: Read, side: Comparand): readonly Expression[] {
  if (after === null) return [];
  const order = sort.filter((one): one is ByColumn => !isRank(one.by));
  const [first, ...others] = order;
  const [value] = after;
  if (first === undefined) return [raw('FALSE')];
  // Redundant, but an index scan can start at this range; the planner cannot derive it from the OR below.
  const comparable = typeof value === 'string' || value instanceof Uint8Array;
  const isRange = others.length > 0 && comparable && !nullsFollow(first);
  const range = isRange ? [raw(`?? ${sign(first)}= ?`, [side.indexed(first.by), side.value(first.by, value)])] : [];
  return [...range, beyond(order, after, side) ?? raw('FALSE')];
}

/** `a > 1 OR (a = 1 AND (b > 2 OR …))`; null if no record can follow. */
function beyond([first, ...others]: readonly ByColumn[], [value, ...rest]: Cursor, side: Comparand): Expression | null {
  if (first === undefined || value === undefined) return null;
  const name = side.operand(first.by);
  const tie = beyond(others, rest, side);
  const parts: Expression[] = [];
  if (value === null) {
    if (first.nulls === 'first') parts.push(raw('?? IS NOT NULL', [name]));
    if (tie !== null) parts.push(raw('(?? IS NULL AND ?)', [name, tie]));
  } else {
    const stored = side.value(first.by, value);
    parts.push(raw(`?? ${sign(first)} ?`, [name, stored]));
    if (nullsFollow(first)) parts.push(raw('?? IS NULL', [name]));
    if (tie !== null) parts.push(raw('(?? = ? AND ?)', [name, stored, tie]));
  }
  return parts.length < 2 ? (parts[0] ?? null) : joined(parts, ' OR ');
}

const sign = ({ direction }: Sort): string => (direction === 'asc' ? '>' : '<');
const nullsFollow = ({ by, nulls }: ByColumn): boolean => mayBeNull(by) && nulls === 'last';
