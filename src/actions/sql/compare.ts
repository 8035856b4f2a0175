/** Comparisons in a SELECT. A column is compared with a text as in a filter, so that the same indexes apply. */
import { Refusal } from '../../model/errors.ts';
import type { Where } from '../../model/plan.ts';
import type { Expr } from '../../model/question.ts';
import { type Comparison, SqlFault } from '../../model/select.ts';
import { type Column, isNumber, isText, type Type } from '../../model/table.ts';
import { isList } from '../../values/json.ts';
import { wireType } from '../query/columns.ts';
import { compared } from '../query/conditions.ts';
import type { Operation } from '../query/operations.ts';
import { bool, flag, nothing } from './constants.ts';
import type { Place } from './typing.ts';

export const isTime = ({ kind }: Type): boolean => kind === 'date' || kind === 'timestamp';

const alike = [isNumber, isText, isTime, ({ kind }: Type) => kind === 'bool'];

/** Compares two values. Throws a `SqlFault` if their types cannot be compared. */
export function compare(op: Comparison, left: Expr, right: Expr, at: number): Expr {
  if (!alike.some((is) => is(left.type) && is(right.type)))
    throw new SqlFault(
      `a value of type ${wireType(left.type)} cannot be compared with one of type ${wireType(right.type)}`,
      at,
    );
  return { is: 'compare', op, left, right, type: bool };
}

/**
 * Whether the column is compared with a text as in a filter. A text column is not in clauses about groups: a filter needs the column
 * itself, and a group may have only its key.
 */
export const comparesAsFilter = ({ type }: Column, { aggregates }: Place): boolean =>
  isText(type) ? !aggregates : !alike.some((is) => is(type));

const operators = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const;

/** Compares a column with a text, as a filter does. */
export function compareAsFilter(op: Comparison, column: Column, value: string, at: number): Expr {
  if (op === '<>') return { is: 'not', of: compareAsFilter('=', column, value, at), type: bool };
  return filter(
    column,
    op === '=' ? { op: 'eq', field: column.label, value } : { op: operators[op], field: column.label, value },
    at,
  );
}

/** Whether a column equals one of several texts, as a filter compares them. */
export const amongAsFilter = (column: Column, value: readonly string[], at: number): Expr =>
  filter(column, { op: 'in', field: column.label, value }, at);

/** A filter's condition on one column. It is NULL if the column is NULL. */
export function filter(column: Column, operation: Operation, at: number): Expr {
  const where = filterOf(column, operation, at);
  if (where.op !== 'in' || where.values.length > 0) return { is: 'filter', where, type: bool };
  // No record matches, because the column cannot hold the value.
  const isNull: Expr = {
    is: 'filter',
    where: { op: 'null', column, ...(where.beyond === true ? { beyond: true } : {}) },
    type: bool,
  };
  return { is: 'case', whens: [{ when: isNull, value: nothing(bool) }], otherwise: flag(false), type: bool };
}

function filterOf(column: Column, operation: Operation, at: number): Where {
  try {
    return compared(column, operation);
  } catch (error) {
    const texts = error instanceof Refusal && error.kind === 'invalid' ? error.details.filters : undefined;
    if (texts === undefined || !isList(texts)) throw error;
    throw new SqlFault(texts.map(String).join('; '), at);
  }
}
