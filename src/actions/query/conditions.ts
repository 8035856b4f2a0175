/**
 * One filter operation on one column → Where. Every value is converted to the column's type, because engines cast differently.
 */
import { invalid } from '../../model/errors.ts';
import type { RangeOp, Where } from '../../model/plan.ts';
import { type Column, hasEquality, isComparable, type Type } from '../../model/table.ts';
import type { BoundValue, Json } from '../../model/value.ts';
import { mayNotStore } from '../../values/charset.ts';
import { convert, typeName } from '../../values/convert.ts';
import { mayBe } from '../../values/documents.ts';
import { toJson } from '../../values/json.ts';
import { positionOf } from '../../values/range.ts';
import { textOf } from '../../values/utf16.ts';
import { wireType } from './columns.ts';
import type { Operation } from './operations.ts';

/** The condition of an operation. Throws a 409 for a value that does not convert, or a type without this operation. */
export function compared(of: Column, operation: Operation): Where {
  switch (operation.op) {
    case 'eq':
      return among(of, [operation.value]);
    case 'in':
      return among(of, operation.value);
    case 'ne':
      return { op: 'not', of: among(of, [operation.value]) };
    case 'nin':
      return { op: 'not', of: among(of, operation.value) };
    case 'null':
      return operation.value ? isNull(of) : { op: 'not', of: isNull(of) };
    case 'like':
    case 'ilike':
      return like(of, operation.value, operation.op === 'ilike');
    default:
      return range(of, operation.op, operation.value);
  }
}

/** Makes the 409 for a filter, with the name of its column. */
const refused = (of: Column, text: string): Error => invalid({ filters: [`${text} (field "${of.label}")`] });

function among(of: Column, sent: readonly Json[]): Where {
  const converted = new Set<BoundValue>();
  let isBeyond = false;
  for (const value of sent) {
    if (value === null) continue;
    const bound = convertedValue(of, value);
    if (bound !== null) converted.add(bound);
    isBeyond ||= bound === null || mayNotStore(of.charset, bound);
  }
  const values: Where = { op: 'in', column: of, values: [...converted], ...(isBeyond ? { beyond: true } : {}) };
  if (!sent.includes(null)) return values;
  return converted.size === 0 ? isNull(of) : { op: 'any', of: [values, isNull(of)] };
}

/** The condition `IS NULL`. In a JSON column the document `null` matches, too, because answers show both alike. */
function isNull(of: Column): Where {
  const isNull: Where = { op: 'null', column: of };
  if (of.type.kind !== 'json' || of.type.finds === null) return isNull;
  return { op: 'any', of: [{ op: 'in', column: of, values: ['null'] }, isNull] };
}

/** Converts the value of a filter; null if no record can equal it. */
function convertedValue(of: Column, value: Json): BoundValue | null {
  if (!hasEquality(of.type)) throw refused(of, `a field of type ${wireType(of.type)} cannot be filtered`);
  if (of.type.kind === 'json') return mayBe(value, of.type.finds) ? toJson(value) : null;
  mustSaySomething(of, value);
  const converted = convert(value, of.type);
  if (converted.is === 'wrong') throw refused(of, converted.text);
  if (converted.is === 'beyond') return null;
  return of.type.kind === 'text' && of.type.padded && / $/.test(String(converted.value)) ? null : converted.value;
}

/** Refuses `""` for a type that has no empty value. A write stores NULL for `""`, but a filter with `""` is more likely a mistake. */
function mustSaySomething(of: Column, value: Json): void {
  const isText = of.type.kind === 'text' || of.type.kind === 'choice' || of.type.kind === 'bits';
  if (value === '' && !isText) throw refused(of, `invalid input syntax for type ${typeName(of.type)}: ""`);
}

function range(of: Column, op: RangeOp, value: Json): Where {
  if (!hasOrder(of.type)) throw refused(of, `a field of type ${wireType(of.type)} has no order for "${op}"`);
  mustSaySomething(of, value);
  const fixedValues = fixedValuesOf(of.type);
  if (fixedValues !== null) {
    const converted = convert(value, of.type);
    if (converted.is !== 'value') throw refused(of, converted.text);
    const at = fixedValues.indexOf(String(converted.value));
    const isUp = op === 'gt' || op === 'gte';
    const values = fixedValues.filter((_, nth) => (nth === at ? op.endsWith('e') : nth > at === isUp));
    return { op: 'in', column: of, values };
  }
  const position = positionOf(value, of.type);
  const isUp = op === 'gt' || op === 'gte';
  switch (position.is) {
    case 'wrong':
      throw refused(of, position.text);
    case 'at':
      return {
        op,
        column: of,
        value: position.value,
        ...(mayNotStore(of.charset, position.value) ? { beyond: true } : {}),
      };
    case 'above':
      return { op: isUp ? 'gt' : 'lte', column: of, value: position.value, beyond: true };
    case 'below':
      return { op: isUp ? 'gte' : 'lt', column: of, value: position.value, beyond: true };
    default:
      return isUp === (position.is === 'under')
        ? { op: 'not', of: { op: 'null', column: of, beyond: true } }
        : { op: 'in', column: of, values: [], beyond: true };
  }
}

/** Whether values of a type can be compared by `gt`, `gte`, `lt` and `lte`. Engines order JSON, bytes and SETs differently, or not at all. */
function hasOrder(type: Type): boolean {
  if (type.kind === 'choice') return !type.many;
  return type.kind !== 'binary' && isComparable(type);
}

/** All values of a boolean or an ENUM in the order in which engines sort them; null for other types. */
function fixedValuesOf(type: Type): readonly string[] | null {
  return type.kind === 'bool' ? ['false', 'true'] : type.kind === 'choice' ? type.values : null;
}

function like(of: Column, pattern: string, ignoresCase: boolean): Where {
  if (of.type.kind === 'binary')
    throw refused(of, `a field of type ${wireType(of.type)} has no text for "${ignoresCase ? 'i' : ''}like"`);
  if (endsInEscape(pattern)) throw refused(of, 'a LIKE pattern must not end with its escape character');
  return { op: 'like', column: of, pattern: portable(pattern), folds: ignoresCase };
}

/** Replaces the escape character `\` of a LIKE pattern by `|`, because engines treat backslashes differently. */
export function portable(pattern: string): string {
  if (!/[\\|]/.test(pattern)) return pattern;
  const units = new Uint16Array(pattern.length * 2);
  let length = 0;
  for (let at = 0; at < pattern.length; at++) {
    const isEscape = pattern.charCodeAt(at) === backslash;
    if (isEscape) at++;
    const code = pattern.charCodeAt(at);
    if (code === bar || (isEscape && (code === percent || code === underscore))) units[length++] = bar;
    units[length++] = code;
  }
  return textOf(units, length);
}
const [percent, backslash, underscore, bar] = [0x25, 0x5c, 0x5f, 0x7c];

/** Whether a LIKE pattern ends with a backslash that escapes nothing. */
export function endsInEscape(pattern: string): boolean {
  let first = pattern.length;
  while (pattern[first - 1] === '\\') first--;
  return (pattern.length - first) % 2 === 1;
}
