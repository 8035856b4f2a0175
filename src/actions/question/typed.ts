/** Gives a type to whatever a question computes, and refuses what a type does not support. The same on every engine. */
import { type Aggregation, countOfAll, type Expr, int8, type Output, type Step } from '../../model/question.ts';
import type { Column, Type } from '../../model/table.ts';
import { stepsOf } from '../../values/calendar-edges.ts';
import { canGroup, timeKind } from '../aggregate/ranges.ts';
import { wireType } from '../query/columns.ts';
import { averageType, decimal, digitsOf, floatDigits, maxDigits, sumType, tooManyDigits } from './digits.ts';

/** Makes the 409 with this text. */
export type Refuse = (text: string) => Error;

const about = ({ type, label }: Column, lacks: string): string =>
  `a field of type ${wireType(type)} ${lacks} (field "${label}")`;

export const columnValue = (column: Column): Extract<Expr, { is: 'column' }> => ({
  is: 'column',
  column,
  type: column.type,
});

/** A group for each value of the column. */
export function typedValue(column: Column, refuse: Refuse): Expr {
  if (!canGroup(column)) throw refuse(about(column, 'has no groups'));
  return columnValue(column);
}

/** A group for each unit of the calendar. */
export function typedEvery(column: Column, every: Step, refuse: Refuse): Expr {
  const kind = timeKind(column);
  if (kind === null) throw refuse(about(column, 'has no calendar for every'));
  const steps = stepsOf(kind);
  if (!steps.includes(every)) throw refuse(`every must be one of ${steps.join(', ')}, got: "${every}"`);
  const { type } = column;
  return {
    is: 'truncate',
    of: columnValue(column),
    every,
    type: type.kind === 'timestamp' ? { ...type, digits: 0 } : type,
  };
}

/**
 * A group for each multiple of a width, a decimal such as `0.5` without trailing zeros. A double counts by its decimal digits, up to 30
 * after the point, so 0.3 is in the group 0.3 of width 0.1. A float4 is refused: no engine can compute with the digits that answers show.
 */
export function typedWidth(column: Column, width: string, refuse: Refuse): Expr {
  const isDouble = column.type.kind === 'float' && column.type.bits === 64;
  const of: Expr = isDouble
    ? { is: 'cast', of: columnValue(column), type: decimal(floatDigits, column.type) }
    : columnValue(column);
  const { type } = of;
  if (type.kind !== 'int' && type.kind !== 'decimal') throw refuse(about(column, 'has no exact multiples for width'));
  const [whole = '', fraction = ''] = width.split('.');
  if (type.kind === 'int' && fraction === '')
    return { is: 'floor', of, width, type: type.wire === 'numeric' ? type : int8 };
  const digits = digitsOf(type);
  if (digits === null) return { is: 'floor', of, width, type };
  const most = { whole: Math.max(digits.whole, whole.length) + 1, places: fraction.length };
  if (most.whole + Math.max(most.places, digits.places) > maxDigits)
    throw refuse(about(column, tooManyDigits('width')));
  return { is: 'floor', of, width, type: decimal(most, type) };
}

/** A measure of a column. @param filter the records of the measure; null for all of the group */
export function typedMeasure(
  fn: 'sum' | 'avg' | 'min' | 'max' | 'distinct',
  column: Column,
  filter: Aggregation['filter'],
  refuse: Refuse,
): Aggregation {
  const measure = (type: Type): Aggregation => ({ is: 'aggregate', fn, of: columnValue(column), filter, type });
  const { type } = column;
  switch (fn) {
    case 'distinct':
      if (!canGroup(column)) throw refuse(about(column, 'has no distinct values'));
      return measure(int8);
    case 'min':
    case 'max':
      if (!['int', 'decimal', 'float', 'text', 'date', 'time', 'timestamp'].includes(type.kind))
        throw refuse(about(column, `has no ${fn}`));
      return measure(type);
    default:
      return measure((fn === 'sum' ? sumType : averageType)(type, (lacks) => refuse(about(column, lacks))));
  }
}

/** The number of records. */
export const typedCount = (filter: Aggregation['filter']): Aggregation => ({ ...countOfAll, filter });

/** The number of records in all groups. */
export const typedTotal = (isGrouped: boolean): Aggregation =>
  isGrouped ? { ...countOfAll, fn: 'total' } : countOfAll;

/**
 * The column that an expression makes in an answer, or in an enclosing question. If its values are all values of one column, as with `min`,
 * it compares like that column.
 */
export function typedOutput(of: Expr, nth: number, label: string): Output {
  const name = `c${nth}`;
  const { source: _, ...column } = sameValues(of) ?? computed(of.type);
  return { of, column: { ...column, name, label, ...(of.is === 'column' ? {} : { info: null }) } };
}

/** The column that all values of the expression come from; null if they are computed. */
function sameValues(e: Expr): Column | null {
  const of = e.is === 'aggregate' && (e.fn === 'min' || e.fn === 'max') ? e.of : e;
  return of?.is === 'column' ? of.column : null;
}

/** A computed text has the connection's collation, and so is compared by its bytes. */
function computed(type: Type): Omit<Column, 'name' | 'label'> {
  const isText = type.kind === 'text';
  const texts = { resultType: '', native: isText ? 'text' : '', declared: '', collation: null, info: null };
  return {
    type,
    nullable: true,
    readOnly: true,
    equality: isText ? 'folds' : 'exact',
    charset: isText ? 'utf8mb4' : null,
    ...texts,
  };
}
