/** Converts the text of a JSON scalar to a column's type: one function for each kind of type. */
import type { Choice, Type } from '../model/table.ts';
import type { Json } from '../model/value.ts';
import { beyond, type Converted, value } from './converted.ts';
import { fitted, parseDecimal, toInteger, writeDecimal } from './decimal.ts';
import { shortestFloat32 } from './float32.ts';
import { isAddress } from './inet.ts';
import { truncate } from './truncate.ts';

/** Why a conversion fails: not a value of the type, outside its range, too many digits, or a fraction for an integer. */
export type Failure = 'syntax' | 'beyond' | 'digits' | 'fraction';

type TypeOf<K extends Type['kind']> = Extract<Type, { kind: K }>;

/** Reads what PostgreSQL accepts as boolean: `true`, and strings such as `T`, `yes`, `on` and `1`. Null for any other value. */
export function booleanOf(json: Json): boolean | null {
  if (typeof json !== 'string') return typeof json === 'boolean' ? json : null;
  const word = json.trim().toLowerCase();
  if (/^(t|true|y|yes|on|1)$/.test(word)) return true;
  return /^(f|false|n|no|off|0)$/.test(word) ? false : null;
}

/** A text that the column can hold: with valid characters only, and not too long. */
export function textOf(text: string, type: TypeOf<'text'>): Converted {
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

/** Whether a string has more than `length` characters. It counts no further than that. */
function isLonger(text: string, length: number): boolean {
  let count = 0;
  for (const _ of text) if (++count > length) return true;
  return false;
}

/** An ENUM member, or the members of a SET, each once and in declaration order. */
export function choiceOf(text: string, { values, places, many }: Choice): Converted {
  const unknown = () => beyond(`invalid input value for enum: "${truncate(text)}"`);
  if (!many || !text.includes(',')) return places.has(text) ? value(text) : unknown();
  const indexes = new Set<number>();
  for (const part of text.split(',')) {
    const at = part === '' ? undefined : places.get(part);
    if (at === undefined) return unknown();
    indexes.add(at);
  }
  const members = [...indexes].sort((a, b) => a - b).map((at) => values[at]);
  return value(members.join(','));
}

/** A bit string of the column's length. */
export function bitsOf(text: string, { length, varying }: TypeOf<'bits'>): Converted | Failure {
  if (!/^[01]*$/.test(text)) return 'syntax';
  const fitting = length === null || text.length === length || (varying && text.length < length);
  return fitting
    ? value(text)
    : beyond(`bit string length ${text.length} does not match type bit${varying ? ' varying' : ''}(${length})`);
}

/** A whole number in the range of the type. */
export function integerOf(text: string, type: TypeOf<'int'>): Converted | Failure {
  const number = parseDecimal(text);
  if (number === null) return 'syntax';
  if (number.exponent < 0) return 'fraction';
  const whole = toInteger(number);
  if (whole === null) return 'beyond';
  const holds = (whole >= type.min && whole <= type.max) || (whole === 0n && type.zero === true);
  return holds ? value(String(whole)) : 'beyond';
}

/** A number with every digit that was sent, or NaN or an infinity if the type has them. */
export function decimalOf(text: string, type: TypeOf<'decimal'>): Converted | Failure {
  if (isSpecialNumber(text)) return type.nan ? specialNumber(text, type.infinite === true) : 'beyond';
  const number = parseDecimal(text);
  if (number === null) return 'syntax';
  const fittedNumber = fitted(number, type.precision, type.scale);
  if (fittedNumber !== null) return value(writeDecimal(fittedNumber));
  return fitted(number, null, null) === null ? 'beyond' : 'digits';
}

/** The nearest number that the type can hold. */
export function floatOf(text: string, type: TypeOf<'float'>): Converted | Failure {
  if (isSpecialNumber(text)) return type.nan ? specialNumber(text, true) : 'beyond';
  const number = parseDecimal(text);
  if (number === null) return 'syntax';
  if (type.scale !== undefined && -number.exponent > type.scale) return 'digits';
  const double = type.bits === 32 ? Math.fround(Number(text)) : Number(text);
  const isLost = double === 0 && number.digits !== '';
  if (!Number.isFinite(double) || isLost) return 'beyond';
  return value(Object.is(double, -0) ? '-0' : type.bits === 32 ? String(shortestFloat32(double)) : String(double));
}

/** Whether a string is NaN or an infinity. These count as numbers even for a column that can't hold them: a filter then finds nothing. */
const isSpecialNumber = (text: string): boolean => /^(nan|[+-]?inf(inity)?)$/i.test(text.trim());

function specialNumber(text: string, infinity: boolean): Converted | Failure {
  const word = text.trim().toLowerCase();
  if (word === 'nan') return value('NaN');
  if (!infinity) return 'beyond';
  return value(word.startsWith('-') ? '-Infinity' : 'Infinity');
}

/** @param parsed a date or time in its canonical spelling, or why the text is not one */
export function timeOf(parsed: string | null): Converted | Failure {
  if (parsed === null) return 'syntax';
  return parsed === 'beyond' || parsed === 'digits' ? parsed : value(parsed);
}

/** A UUID in any spelling that PostgreSQL reads: in capitals, in braces, or without hyphens. */
export function uuidOf(text: string): Converted | Failure {
  const hex = /^\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i.exec(text.trim());
  return hex === null ? 'syntax' : value(hex.slice(1).join('-').toLowerCase());
}

/** Bytes in PostgreSQL's notation, such as `\x0aff`. */
export function bytesOf(text: string, { length }: TypeOf<'binary'>): Converted | Failure {
  if (text.length % 2 === 1 || !/^\\x[0-9a-f]*$/i.test(text)) return 'syntax';
  const bytes = new Uint8Array(Buffer.from(text.slice(2), 'hex'));
  return length !== null && bytes.length > length ? beyond(`value too long for type bytea(${length})`) : value(bytes);
}

/** A text that only the engine can parse. We refuse what it would silently change or store as NULL. */
export function opaqueOf(text: string, type: TypeOf<'opaque'>, isString: boolean): Converted | Failure {
  // Of these types only money accepts a JSON number: for an interval, the engine's cast would choose the unit of a `5`.
  if (!isString && type.wire !== 'money') return 'syntax';
  if (text.trim() === '' || !text.isWellFormed() || text.includes('\0')) return 'syntax';
  if (type.form !== undefined && !isAddress(text, type.form)) return 'syntax';
  return type.digits !== undefined && fractionDigits(text) > type.digits ? 'digits' : value(text);
}

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
