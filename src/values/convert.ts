/**
 * Converts a JSON value to a column's type, before any SQL. Values compare by the rules of JSON, never by an engine's casts
 * (docs/data-types.md). The result is the same on every engine; a failed conversion has PostgreSQL's wording.
 */

import { type Type, takesBooleans } from '../model/table.ts';
import type { BoundValue, Json } from '../model/value.ts';
import { arrayOf, hex } from './arrays.ts';
import { beyond, type Converted, value } from './converted.ts';
import { parseDate, parseSpan, parseTimestamp } from './datetime.ts';
import { decimalIdentity, parseDecimal } from './decimal.ts';
import { toJson } from './json.ts';
import {
  bitsOf,
  booleanOf,
  bytesOf,
  choiceOf,
  decimalOf,
  type Failure,
  floatOf,
  integerOf,
  opaqueOf,
  textOf,
  timeOf,
  uuidOf,
} from './scalars.ts';
import { scalarText, show } from './show.ts';
import { usualNumber } from './usual-number.ts';

/**
 * Converts one JSON value, which must not be null, to `type`.
 * Returns the value in its canonical spelling, or the reason of failure in PostgreSQL's wording.
 */
export function convert(json: Json, type: Type): Converted {
  const fast = typeof json === 'number' ? usualNumber(json, type) : null;
  if (fast !== null) return value(fast);
  const result = attempt(json, type);
  return typeof result === 'string' ? failed(result, json, type) : result;
}

function attempt(json: Json, type: Type): Converted | Failure {
  if (type.kind === 'json') return value(toJson(json));
  if (type.kind === 'array') return arrayOf(json, type.of, convert) ?? 'syntax';
  const flag = type.kind === 'bool' || takesBooleans(type) ? booleanOf(json) : null;
  if (type.kind === 'bool') return flag === null ? 'syntax' : value(String(flag));
  if (flag !== null) return value(flag ? '1' : '0');
  const text = scalarText(json);
  if (text === null) return 'syntax';
  switch (type.kind) {
    case 'text':
      return textOf(text, type);
    case 'choice':
      return choiceOf(text, type);
    case 'bits':
      return bitsOf(text, type);
  }
  if (typeof json === 'boolean') return 'syntax';
  switch (type.kind) {
    case 'int':
      return integerOf(text, type);
    case 'decimal':
      return decimalOf(text, type);
    case 'float':
      return floatOf(text, type);
    case 'uuid':
      return uuidOf(text);
    case 'opaque':
      return opaqueOf(text, type, typeof json === 'string');
  }
  if (typeof json !== 'string') return 'syntax';
  switch (type.kind) {
    case 'date':
      return timeOf(parseDate(text, type.infinite));
    case 'timestamp':
      return timeOf(parseTimestamp(text, type));
    case 'time':
      return timeOf(parseSpan(text, type));
    case 'binary':
      return bytesOf(text, type);
  }
}

/** The error of a failed conversion, in PostgreSQL's wording if it has one. */
function failed(why: Failure, json: Json, type: Type): Converted {
  const name = typeName(type);
  const shown = show(json);
  switch (why) {
    case 'syntax':
      return { is: 'wrong', text: `invalid input syntax for type ${name}: "${shown}"` };
    case 'beyond':
      return beyond(`value "${shown}" is out of range for type ${name}`);
    case 'digits':
      return beyond(`value "${shown}" has more digits than type ${name}${precision(type)} holds`);
    case 'fraction':
      return beyond(`value "${shown}" is not a whole number: type ${name} holds no fractions`);
  }
}

/** A spelling that all equal values share, to compare the keys of records. */
export function identity(bound: BoundValue, type: Type): string {
  if (typeof bound !== 'string') return hex(bound);
  if (type.kind !== 'decimal') return bound === '-0' ? '0' : bound;
  const number = parseDecimal(bound);
  return number === null ? bound : decimalIdentity(number);
}

const names: Record<Exclude<Type['kind'], 'int' | 'float' | 'timestamp' | 'array' | 'opaque' | 'decimal'>, string> = {
  bool: 'boolean',
  text: 'text',
  choice: 'text',
  date: 'date',
  time: 'time',
  json: 'json',
  binary: 'bytea',
  bits: 'bit',
  uuid: 'uuid',
};
const intNames = { int2: 'smallint', int4: 'integer', int8: 'bigint', numeric: 'numeric' } as const;

/** The name of a type in error messages: PostgreSQL's name, on every engine. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'int':
      return intNames[type.wire];
    case 'float':
      return type.bits === 32 ? 'real' : 'double precision';
    case 'decimal':
      return 'numeric';
    case 'timestamp':
      return type.zoned ? 'timestamp with time zone' : 'timestamp';
    case 'array':
      return `${typeName(type.of)}[]`;
    case 'opaque':
      return type.wire;
    default:
      return names[type.kind];
  }
}

/** `(5,2)` for a numeric with a precision. */
function precision(type: Type): string {
  return type.kind === 'decimal' && type.precision !== null ? `(${type.precision},${type.scale ?? 0})` : '';
}
