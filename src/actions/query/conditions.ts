/**
 * One operation on one column → Where. Every value is converted to the column's type, so that no engine casts (docs/data-types.md).
 */
import { invalid } from '../../model/errors.ts';
import type { RangeOp, Where } from '../../model/plan.ts';
import { type Column, hasEquality, isComparable, type Type } from '../../model/table.ts';
import type { BoundValue, Json } from '../../model/value.ts';
import { mayLack } from '../../values/charset.ts';
import { convert, typeName } from '../../values/convert.ts';
import { mayBe } from '../../values/documents.ts';
import { toJson } from '../../values/json.ts';
import { positionOf } from '../../values/range.ts';
import { textOf } from '../../values/utf16.ts';
import { wireType } from './columns.ts';
import type { Operation } from './operations.ts';

/** Throws a 409 for a value that does not convert, and for an operation that the type does not support. */
export function compared(of: Column, asked: Operation): Where {
  switch (asked.op) {
    case 'eq':
      return among(of, [asked.value]);
    case 'in':
      return among(of, asked.value);
    case 'ne':
      return { op: 'not', of: among(of, [asked.value]) };
    case 'nin':
      return { op: 'not', of: among(of, asked.value) };
    case 'null':
      return asked.value ? isNull(of) : { op: 'not', of: isNull(of) };
    case 'like':
    case 'ilike':
      return like(of, asked.value, asked.op === 'ilike');
    default:
      return range(of, asked.op, asked.value);
  }
}

/** A 409 that names the column of the filter. */
const refused = (of: Column, text: string): Error => invalid({ filters: [`${text} (field "${of.label}")`] });

function among(of: Column, asked: readonly Json[]): Where {
  const bounds = new Set<BoundValue>();
  let isBeyond = false;
  for (const value of asked) {
    if (value === null) continue;
    const bound = convertedValue(of, value);
    if (bound !== null) bounds.add(bound);
    isBeyond ||= bound === null || mayLack(of.charset, bound);
  }
  const values: Where = { op: 'in', column: of, values: [...bounds], ...(isBeyond ? { beyond: true } : {}) };
  if (!asked.includes(null)) return values;
  return bounds.size === 0 ? isNull(of) : { op: 'any', of: [values, isNull(of)] };
}

/** A document that is `null` is shown like NULL, so both match. */
function isNull(of: Column): Where {
  const isNull: Where = { op: 'null', column: of };
  if (of.type.kind !== 'json' || of.type.finds === null) return isNull;
  return { op: 'any', of: [{ op: 'in', column: of, values: ['null'] }, isNull] };
}

/** The value to compare with; null for one that no record can equal. */
function convertedValue(of: Column, value: Json): BoundValue | null {
  if (!hasEquality(of.type)) throw refused(of, `a field of type ${wireType(of.type)} cannot be filtered`);
  if (of.type.kind === 'json') return mayBe(value, of.type.finds) ? toJson(value) : null;
  mustSaySomething(of, value);
  const converted = convert(value, of.type);
  if (converted.is === 'wrong') throw refused(of, converted.text);
  if (converted.is === 'beyond') return null;
  return of.type.kind === 'text' && of.type.padded && / $/.test(String(converted.value)) ? null : converted.value;
}

/** An empty text is NULL in a record, but meaningless in a filter. A bit string may be empty. */
function mustSaySomething(of: Column, value: Json): void {
  const isText = of.type.kind === 'text' || of.type.kind === 'choice' || of.type.kind === 'bits';
  if (value === '' && !isText) throw refused(of, `invalid input syntax for type ${typeName(of.type)}: ""`);
}

function range(of: Column, op: RangeOp, value: Json): Where {
  if (!hasOrder(of.type)) throw refused(of, `a field of type ${wireType(of.type)} has no order for "${op}"`);
  mustSaySomething(of, value);
  const few = listed(of.type);
  if (few !== null) {
    const converted = convert(value, of.type);
    if (converted.is !== 'value') throw refused(of, converted.text);
    const at = few.indexOf(String(converted.value));
    const isUp = op === 'gt' || op === 'gte';
    const values = few.filter((_, nth) => (nth === at ? op.endsWith('e') : nth > at === isUp));
    return { op: 'in', column: of, values };
  }
  const found = positionOf(value, of.type);
  const isUp = op === 'gt' || op === 'gte';
  switch (found.is) {
    case 'wrong':
      throw refused(of, found.text);
    case 'at':
      return { op, column: of, value: found.value, ...(mayLack(of.charset, found.value) ? { beyond: true } : {}) };
    case 'above':
      return { op: isUp ? 'gt' : 'lte', column: of, value: found.value, beyond: true };
    case 'below':
      return { op: isUp ? 'gte' : 'lt', column: of, value: found.value, beyond: true };
    default:
      return isUp === (found.is === 'under')
        ? { op: 'not', of: { op: 'null', column: of, beyond: true } }
        : { op: 'in', column: of, values: [], beyond: true };
  }
}

/** Engines order JSON, bytes, and sets of choices differently, or not at all. */
function hasOrder(type: Type): boolean {
  if (type.kind === 'choice') return !type.many;
  return type.kind !== 'binary' && isComparable(type);
}

/** All values of a type with a fixed list, in declaration order, in which the engines sort, too. */
function listed(type: Type): readonly string[] | null {
  return type.kind === 'bool' ? ['false', 'true'] : type.kind === 'choice' ? type.values : null;
}

function like(of: Column, asked: string, folds: boolean): Where {
  if (of.type.kind === 'binary')
    throw refused(of, `a field of type ${wireType(of.type)} has no text for "${folds ? 'i' : ''}like"`);
  if (endsInEscape(asked)) throw refused(of, 'a LIKE pattern must not end with its escape character');
  return { op: 'like', column: of, pattern: portable(asked), folds };
}

/** In a request, `\` escapes the next character. In the plan `|` does: engines treat a backslash differently. */
function portable(asked: string): string {
  if (!/[\\|]/.test(asked)) return asked;
  const units = new Uint16Array(asked.length * 2);
  let length = 0;
  for (let at = 0; at < asked.length; at++) {
    const isEscape = asked.charCodeAt(at) === backslash;
    if (isEscape) at++;
    const code = asked.charCodeAt(at);
    if (code === bar || (isEscape && (code === percent || code === underscore))) units[length++] = bar;
    units[length++] = code;
  }
  return textOf(units, length);
}
const [percent, backslash, underscore, bar] = [0x25, 0x5c, 0x5f, 0x7c];

/** Whether the last backslash has no character to escape. */
function endsInEscape(pattern: string): boolean {
  let first = pattern.length;
  while (pattern[first - 1] === '\\') first--;
  return (pattern.length - first) % 2 === 1;
}
