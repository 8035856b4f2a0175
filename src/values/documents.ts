/** Pure. Decides which JSON values a JSON column can hold: engines refuse to compare the column with any other value. */
import { isLosslessNumber } from 'lossless-json';
import type { Documents } from '../model/table.ts';
import type { Json } from '../model/value.ts';
import { fitted, parseDecimal } from './decimal.ts';
import { isList, isObject } from './json.ts';

/** How deep MySQL lets a document be nested. */
const maxNesting = 100;

/** Whether a document in the column may equal this value. If not, no query is needed. */
export function mayBe(value: Json, documents: Documents | null): boolean {
  return documents === 'any' || documents === null || fits(value, documents, 0);
}

function fits(value: Json, documents: 'numeric' | 'double', level: number): boolean {
  const isIn = (inner: Json) => fits(inner, documents, level + 1);
  if (isList(value) || isObject(value)) {
    if (documents === 'double' && level >= maxNesting) return false;
    return isList(value) ? value.every(isIn) : Object.entries(value).every((member) => member.every(isIn));
  }
  if (typeof value === 'string') return value.isWellFormed() && (documents === 'double' || !value.includes('\0'));
  if (typeof value !== 'number' && !isLosslessNumber(value)) return true;
  // Convert the text: `Number` of a LosslessNumber throws if the value does not fit a double.
  const text = String(value);
  if (documents === 'double') return Number.isFinite(Number(text));
  const number = parseDecimal(text);
  return number !== null && fitted(number, null, null) !== null;
}
