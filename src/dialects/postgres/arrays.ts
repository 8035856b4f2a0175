/**
 * An array may begin at another index than 1, such as `[0:1]={5,6}`. The API shows it like any other, but PostgreSQL's `=` also compares
 * bounds. The sort order compares bounds last, after elements and dimensions. So all arrays that look alike are between the one with the
 * lowest bounds and the one with the highest.
 */

import type { RangeOp } from '../../model/plan.ts';
import type { Column } from '../../model/table.ts';
import { type ArrayItem, readArray } from '../../values/array-text.ts';
import { type Expression, type Operand, raw } from '../knex.ts';
import { sign } from '../sql.ts';
import { arrayOperand } from './column.ts';

const [lowest, highest] = [-(2 ** 31), 2 ** 31 - 2];
/** For up to this many arrays we also search by `@>`, which can use a GIN index. The planner would take too long for more. */
const maxContained = 100;

/** Equality with one of these arrays, whatever their bounds. Two kinds of index can serve it: btree for the range, GIN for `@>`. */
export function amongArrays(column: Column, literals: readonly string[]): Expression {
  const name = arrayOperand(column);
  const bindings: Operand[] = [];
  const conditions = literals.map((literal) => {
    const items = read(literal);
    if (items.length === 0) {
      bindings.push(name, literal);
      return '?? = ?';
    }
    bindings.push(name, bounded(literal, items, 'low'), name, bounded(literal, items, 'high'));
    // `@>` does not find an array that has a NULL.
    if (literals.length > maxContained || hasNull(items)) return '(?? >= ? AND ?? <= ?)';
    bindings.push(name, literal);
    return '(?? >= ? AND ?? <= ? AND ?? @> ?)';
  });
  return raw(conditions.length === 1 ? conditions.join() : `(${conditions.join(' OR ')})`, bindings);
}

/** A range condition that ignores bounds: arrays that look alike are either all included or all excluded. */
export function arrayRange(column: Column, op: RangeOp, literal: string): Expression {
  const end = op === 'gte' || op === 'lt' ? 'low' : 'high';
  return raw(`?? ${sign[op]} ?`, [arrayOperand(column), bounded(literal, read(literal), end)]);
}

/** The array with the lowest or highest possible bounds. An empty array has none. */
function bounded(literal: string, items: readonly ArrayItem[], end: 'low' | 'high'): string {
  let bounds = '';
  for (let inner: ArrayItem | undefined = items; typeof inner === 'object' && inner !== null; inner = inner[0]) {
    const { length } = inner;
    if (length > 0)
      bounds += end === 'low' ? `[${lowest}:${lowest + length - 1}]` : `[${highest - length + 1}:${highest}]`;
  }
  return bounds === '' ? literal : `${bounds}=${literal}`;
}

const hasNull = (items: readonly ArrayItem[]): boolean =>
  items.some((item) => item === null || (typeof item !== 'string' && hasNull(item)));

/** Parses a literal that our own conversion has written. */
function read(literal: string): readonly ArrayItem[] {
  const items = readArray(literal, Infinity);
  if (typeof items === 'string') throw new Error(`an array has a fault: ${items}`);
  return items;
}
