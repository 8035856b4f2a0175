/** Limits for all filters of a call together: each may be small, but all become one statement. */
import { isLosslessNumber } from 'lossless-json';
import type { Where } from '../../model/plan.ts';
import type { Type } from '../../model/table.ts';
import type { Json } from '../../model/value.ts';
import { isList, isObject } from '../../values/json.ts';

/**
 * The limit of characters in the values of one call, both as sent and as bound. MySQL's driver escapes values into the text of the
 * statement, and a million characters that need escaping block the event loop for a tenth of a second.
 */
export const mostCharacters = 1_000_000;

/** The number of values in a list, a document or the text of an array, at any depth; 0 for a plain value. */
export function countOf(value: Json, type: Type): number {
  if (isList(value)) return value.reduce((sum: number, item) => sum + Math.max(1, countOf(item, type)), 0);
  if (isObject(value))
    return Object.values(value).reduce((sum: number, member) => sum + Math.max(1, countOf(member, type)), 0);
  return type.kind === 'array' && typeof value === 'string' ? commas(value) : 0;
}

/** The elements of an array's text, by its commas. Commas in quoted elements count, too, so the result may be too large. */
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

/** The number of characters (bytes of binary values) that a condition binds. */
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

/** The limit of arrays that the filters of one call compare with. Each is bound twice, and a statement has 65,535 bindings. */
export const mostArrays = 30_000;

/**
 * The limit of JSON documents that the filters of one call compare with. MySQL parses a record's document again for each of them,
 * and ignores a KILL until the record is done.
 */
export const mostDocuments = 100;

/** The number of values that a condition compares with columns of one kind. */
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
