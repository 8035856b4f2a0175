/**
 * Converts a JSON value to a column's type, before any SQL. Values compare by the rules of JSON, never by an engine's casts
 * (docs/data-types.md). The result is the same on every engine; a failed conversion has PostgreSQL's wording.
 */

import { type Choice, type Type, takesBooleans } from '../model/table.ts';
import type { BoundValue, Json } from '../model/value.ts';
import { arrayOf, hex } from './arrays.ts';
import { beyond, type Converted, value } from './converted.ts';
import { parseDate, parseSpan, parseTimestamp } from './datetime.ts';
import { decimalIdentity, fitted, parseDecimal, toInteger, writeDecimal } from './decimal.ts';
import { shortestFloat32 } from './float32.ts';
import { isAddress } from './inet.ts';
import { toJson } from './json.ts';
import { scalarText, show } from './show.ts';
import { truncate } from './truncate.ts';
import { usualNumber } from './usual-number.ts';

/**
 * Converts one JSON value, which must not be null, to `type`.
 * Returns the value in its canonical spelling, or the reason of failure in PostgreSQL's wording.
 */
export function convert(json: Json, type: Type): Converted {
  const fast = typeof json === 'number' ? usualNumber(json, type) : null;
  return fast === null ? converted(json, type, scalarText(json)) : value(fast);
}

function converted(json: Json, type: Type, text: string | null): Converted {
  const wrong = (): Converted => ({
    is: 'wrong',
    text: `invalid input syntax for type ${typeName(type)}: "${show(json)}"`,
  });
  const outOfRange = (): Converted => beyond(`value "${show(json)}" is out of range for type ${typeName(type)}`);
  const tooManyDigits = (): Converted =>
    beyond(`value "${show(json)}" has more digits than type ${typeName(type)}${precision(type)} holds`);

  switch (type.kind) {
    case 'json':
      return value(toJson(json));
    case 'array':
      return arrayOf(json, type.of, convert) ?? wrong();
    case 'bool': {
      const flag = booleanOf(json);
      return flag === null ? wrong() : value(String(flag));
    }
    default:
      if (text === null) return wrong();
  }
  if (takesBooleans(type)) {
    const flag = booleanOf(json);
    if (flag !== null) return value(flag ? '1' : '0');
  }
  switch (type.kind) {
    case 'text':
      return textOf(text, type);
    case 'choice':
      return choiceOf(text, type) ?? beyond(`invalid input value for enum: "${truncate(text)}"`);
    case 'bits':
      return bitsOf(text, type.length, type.varying) ?? wrong();
  }
  if (typeof json === 'boolean') return wrong();
  switch (type.kind) {
    case 'int': {
      const number = parseDecimal(text);
      if (number === null) return wrong();
      if (number.exponent < 0)
        return beyond(`value "${show(json)}" is not a whole number: type ${typeName(type)} holds no fractions`);
      const whole = toInteger(number);
      if (whole === null) return outOfRange();
      const holds = (whole >= type.min && whole <= type.max) || (whole === 0n && type.zero === true);
      return holds ? value(String(whole)) : outOfRange();
    }
    case 'decimal': {
      if (isSpecialNumber(text)) return (type.nan ? specialNumber(text, type.infinite === true) : null) ?? outOfRange();
      const number = parseDecimal(text);
      if (number === null) return wrong();
      const fittedNumber = fitted(number, type.precision, type.scale);
      if (fittedNumber !== null) return value(writeDecimal(fittedNumber));
      return fitted(number, null, null) === null ? outOfRange() : tooManyDigits();
    }
    case 'float': {
      if (isSpecialNumber(text)) return (type.nan ? specialNumber(text, true) : null) ?? outOfRange();
      const number = parseDecimal(text);
      if (number === null) return wrong();
      if (type.scale !== undefined && -number.exponent > type.scale) return tooManyDigits();
      const double = type.bits === 32 ? Math.fround(Number(text)) : Number(text);
      const lost = double === 0 && number.digits !== '';
      if (!Number.isFinite(double) || lost) return outOfRange();
      return value(Object.is(double, -0) ? '-0' : type.bits === 32 ? String(shortestFloat32(double)) : String(double));
    }
    case 'date': {
      const date = typeof json === 'string' ? parseDate(text, type.infinite) : null;
      return date === null ? wrong() : date === 'beyond' ? outOfRange() : value(date);
    }
    case 'timestamp': {
      const timestamp = typeof json === 'string' ? parseTimestamp(text, type) : null;
      if (timestamp === null) return wrong();
      return timestamp === 'beyond' ? outOfRange() : timestamp === 'digits' ? tooManyDigits() : value(timestamp);
    }
    case 'time': {
      const time = typeof json === 'string' ? parseSpan(text, type) : null;
      if (time === null) return wrong();
      return time === 'beyond' ? outOfRange() : time === 'digits' ? tooManyDigits() : value(time);
    }
    case 'uuid': {
      const hex = /^\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i.exec(
        text.trim(),
      );
      return hex === null ? wrong() : value(hex.slice(1).join('-').toLowerCase());
    }
    case 'binary': {
      if (typeof json !== 'string' || json.length % 2 === 1 || !/^\\x[0-9a-f]*$/i.test(json)) return wrong();
      const bytes = new Uint8Array(Buffer.from(json.slice(2), 'hex'));
      return type.length !== null && bytes.length > type.length
        ? beyond(`value too long for type bytea(${type.length})`)
        : value(bytes);
    }
    case 'opaque':
      // Of these types only money accepts a JSON number: for an interval, the engine's cast would choose the unit of a `5`.
      if (typeof json !== 'string' && type.wire !== 'money') return wrong();
      if (text.trim() === '' || !text.isWellFormed() || text.includes('\0')) return wrong();
      if (type.form !== undefined && !isAddress(text, type.form)) return wrong();
      return type.digits !== undefined && fractionDigits(text) > type.digits ? tooManyDigits() : value(text);
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

function textOf(text: string, type: Extract<Type, { kind: 'text' }>): Converted {
  if (!text.isWellFormed()) return beyond('invalid byte sequence for encoding "UTF8": a lone surrogate');
  if (!type.nul && text.includes('\0')) return beyond('invalid byte sequence for encoding "UTF8": 0x00');
  const { length, bytes } = type;
  if (bytes !== undefined && (text.length > bytes || Buffer.byteLength(text) > bytes))
    return beyond(`value too long for type name (${bytes} bytes)`);
  if (length !== null && text.length > length && isLonger(text, length)) {
    return beyond(`value too long for type character${type.padded ? '' : ' varying'}(${length})`);
  }
  return value(text);
}

/** Whether a string has more than `length` characters. Stops counting beyond that. */
function isLonger(text: string, length: number): boolean {
  let count = 0;
  for (const _ of text) if (++count > length) return true;
  return false;
}

/** An ENUM member, or the members of a SET, each once and in declaration order. Null if a member is unknown. */
function choiceOf(text: string, { values, places, many }: Choice): Converted | null {
  if (!many || !text.includes(',')) return places.has(text) ? value(text) : null;
  const indexes = new Set<number>();
  for (const part of text.split(',')) {
    const at = part === '' ? undefined : places.get(part);
    if (at === undefined) return null;
    indexes.add(at);
  }
  const members = [...indexes].sort((a, b) => a - b).map((at) => values[at]);
  return value(members.join(','));
}

/** Reads what PostgreSQL accepts as boolean: `true`, and strings such as `T`, `yes`, `on` and `1`. Null for any other value. */
function booleanOf(json: Json): boolean | null {
  if (typeof json !== 'string') return typeof json === 'boolean' ? json : null;
  const word = json.trim().toLowerCase();
  if (/^(t|true|y|yes|on|1)$/.test(word)) return true;
  return /^(f|false|n|no|off|0)$/.test(word) ? false : null;
}

function bitsOf(text: string, length: number | null, varying: boolean): Converted | null {
  if (!/^[01]*$/.test(text)) return null;
  const fitting = length === null || text.length === length || (varying && text.length < length);
  return fitting
    ? value(text)
    : beyond(`bit string length ${text.length} does not match type bit${varying ? ' varying' : ''}(${length})`);
}

/** Whether a string is NaN or an infinity. They are numbers, even for a column that cannot hold them: a filter just finds none. */
const isSpecialNumber = (text: string): boolean => /^(nan|[+-]?inf(inity)?)$/i.test(text.trim());

/** The largest number of significant fractional digits in a string such as `1 day 00:00:00.25` or `$1.50`. */
function fractionDigits(text: string): number {
  let longest = 0;
  let digits: number | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '.') digits = 0;
    else if (char < '0' || char > '9') digits = null;
    else if (digits !== null && ++digits > longest && char !== '0') longest = digits;
  }
  return longest;
}

function specialNumber(text: string, infinity: boolean): Converted | null {
  const word = text.trim().toLowerCase();
  if (word === 'nan') return value('NaN');
  if (!infinity) return null;
  return value(word.startsWith('-') ? '-Infinity' : 'Infinity');
}
