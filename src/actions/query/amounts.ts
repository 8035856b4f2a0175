/** Limits for all filters of a call together: each may be small, but together they make one large SQL statement. */
import { isLosslessNumber } from 'lossless-json';
import type { Where } from '../../model/plan.ts';
import type { Type } from '../../model/table.ts';
import type { Json } from '../../model/value.ts';
import { isList, isObject } from '../../values/json.ts';

/**
 * The limit of characters in all filter values of a call, both as sent and as bound to the statement. The MySQL driver writes
 * values into the SQL text, and escaping a million characters blocks the event loop for a tenth of a second.
 */
export const maxCharacters = 1_000_000;

/** Counts the values in a list, a JSON document or an array literal such as `{1,2}`, at any depth; 0 for a single value. */
export function countOf(value: Json, type: Type): number {
  if (isList(value)) return value.reduce((sum: number, item) => sum + Math.max(1, countOf(item, type)), 0);
  if (isObject(value))
    return Object.values(value).reduce((sum: number, member) => sum + Math.max(1, countOf(member, type)), 0);
  return type.kind === 'array' && typeof value === 'string' ? commas(value) : 0;
}

/** Estimates the elements of an array literal by its commas. Commas inside quotes count, too, so the result may be too large. */
function commas(text: string): number {
  let count = 1;
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1)) count++;
  return count;
}

/** The number of characters of a value as sent. */
export function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (isLosslessNumber(value)) return value.value.length;
  if (isList(value)) return value.reduce((sum: number, item) => sum + lengthOf(item), 0);
  if (isObject(value))
    return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + lengthOf(member), 0);
  return String(value).length;
}

/** The number of characters (for binary values: bytes) that a condition binds to the statement. */
export function boundLength(where: Where): number {
  switch (where.op) {
    case 'all':
    case 'any':
      return where.of.reduce((sum, part) => sum + boundLength(part), 0);
    case 'not':
      return boundLength(where.of);
    case 'in':
      return where.values.reduce((sum, { length }) => sum + length, 0);
    case 'like':
      return where.pattern.length;
    case 'null':
      return 0;
    default:
      return where.value.length;
  }
}

/** Counts the values of lists in a condition. */
export function listedValues(where: Where): number {
  if (where.op === 'all' || where.op === 'any') return where.of.reduce((sum, part) => sum + listedValues(part), 0);
  if (where.op === 'not') return listedValues(where.of);
  return where.op === 'in' && where.values.length > 1 ? where.values.length : 0;
}

/** The limit of array values in the filters of one call. Each is bound twice, and a statement may have 65,535 bound values. */
export const maxArrays = 30_000;

/**
 * The limit of JSON documents in the filters of one call. For each of them, MySQL parses a record's document again, and it ignores
 * a KILL until it has finished that record.
 */
export const maxDocuments = 100;

/** Counts the values that a condition compares with array columns, or with JSON columns. */
export function valuesFor(kind: 'array' | 'json', where: Where): number {
  switch (where.op) {
    case 'all':
    case 'any':
      return where.of.reduce((sum, part) => sum + valuesFor(kind, part), 0);
    case 'not':
      return valuesFor(kind, where.of);
    case 'in':
      return where.column.type.kind === kind ? where.values.length : 0;
    default:
      return 0;
  }
}
