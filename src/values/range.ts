/**
 * Locates a range filter's bound among the values that a column can hold. If the bound is between two such values, one of them replaces
 * it, so that no engine rounds or casts the bound (docs/filters.md).
 */

import type { Type } from '../model/table.ts';
import type { BoundValue, Json } from '../model/value.ts';
import { convert } from './convert.ts';
import { parseMoment, parseSpan } from './datetime.ts';
import {
  compareDecimals,
  cut,
  type Decimal,
  fitted,
  greatest,
  maxScale,
  parseDecimal,
  toInteger,
  withoutZeros,
  writeDecimal,
} from './decimal.ts';
import { shortestFloat32 } from './float32.ts';
import { scalarText } from './show.ts';

export type RangePosition =
  /** The bound is this value, or so close to it that none of the column's values lies between them. */
  | { readonly is: 'at' | 'above' | 'below'; readonly value: BoundValue }
  /** Above or below every value that the column can hold. */
  | { readonly is: 'over' | 'under' }
  | { readonly is: 'wrong'; readonly text: string };

/** Locates a JSON value among the values of `type`, which must be ordered. `wrong`: not a value of this kind, such as `abc` for int. */
export function positionOf(json: Json, type: Type): RangePosition {
  const converted = convert(json, type);
  const text = scalarText(json);
  if (converted.is !== 'wrong' && text !== null) {
    // Locate a float by its text, because `convert` silently rounds to a double.
    const position = type.kind === 'float' ? float(text, type) : converted.is === 'beyond' ? between(text, type) : null;
    if (position !== null) return position;
  }
  return converted.is === 'value' ? { is: 'at', value: converted.value } : { is: 'wrong', text: converted.text };
}

/** Locates a value of the right kind that does not fit the type, such as 1.5 among integers. */
function between(text: string, type: Type): RangePosition | null {
  switch (type.kind) {
    case 'int':
      return int(text, type);
    case 'decimal':
      return decimal(text, type);
    case 'date':
    case 'timestamp':
      return moment(text, type);
    case 'time':
      return time(text, type);
    case 'text':
      if (!text.isWellFormed()) return null;
      // A string that is too long for the column still has a place in the order. U+0000 sorts before all that PostgreSQL can hold.
      return type.nul || !text.includes('\0')
        ? { is: 'at', value: text }
        : { is: 'above', value: text.slice(0, text.indexOf('\0')) };
    default:
      return null;
  }
}

/** Parses a number; for an infinity, returns its direction. NaN is above all numbers, as in PostgreSQL. */
function number(text: string): Decimal | 'over' | 'under' {
  return parseDecimal(text) ?? (/^\s*-/.test(text) ? 'under' : 'over');
}

/** On which side of its truncated value a number is: truncation goes towards zero, so the number is farther away from zero. */
const beyond = ({ negative }: Decimal): 'above' | 'below' => (negative ? 'below' : 'above');

function int(text: string, type: Extract<Type, { kind: 'int' }>): RangePosition {
  const bound = number(text);
  if (typeof bound === 'string') return { is: bound };
  const whole = toInteger(bound);
  if (whole === null) return { is: bound.negative ? 'under' : 'over' };
  if (whole > type.max) return { is: 'over' };
  if (whole >= type.min) return { is: beyond(bound), value: String(whole) };
  return type.zero && whole >= 0n ? { is: beyond(bound), value: '0' } : { is: 'under' };
}

function decimal(text: string, type: Extract<Type, { kind: 'decimal' }>): RangePosition {
  const bound = number(text);
  const isLow = bound === 'under' || (typeof bound !== 'string' && bound.negative);
  if (type.precision === null) return unbounded(bound, isLow, type);
  const places = type.scale ?? 0;
  const top = greatest(type.precision, places);
  // Not `over`: PostgreSQL's NaN is larger still.
  const isLarge = typeof bound === 'string' || compareDecimals({ ...bound, negative: false }, top) > 0;
  const closest = isLarge ? { ...top, negative: isLow } : cut(bound, places);
  return { is: isLow ? 'below' : 'above', value: writeDecimal(closest) };
}

/** Locates a number that a decimal column without precision cannot hold: it is too large, or its fraction too long. */
function unbounded(
  bound: ReturnType<typeof number>,
  isLow: boolean,
  type: Extract<Type, { kind: 'decimal' }>,
): RangePosition {
  const closest = typeof bound === 'string' ? null : fitted(cut(bound, maxScale), null, null);
  if (closest !== null) {
    const shortest = { ...closest, scale: Math.max(0, -closest.exponent) };
    return { is: isLow ? 'below' : 'above', value: writeDecimal(shortest) };
  }
  if (type.infinite) return isLow ? { is: 'above', value: '-Infinity' } : { is: 'below', value: 'Infinity' };
  return isLow ? { is: 'under' } : type.nan ? { is: 'below', value: 'NaN' } : { is: 'over' };
}

/** Locates a number among floats, by comparing it with the nearest float. That float is written with the fewest digits, as in answers. */
function float(text: string, { bits, nan }: Extract<Type, { kind: 'float' }>): RangePosition | null {
  if (nan && parseDecimal(text) === null) {
    const special = convert(text, { kind: 'float', bits, nan });
    return special.is === 'value' ? { is: 'at', value: special.value } : null;
  }
  const bound = number(text);
  const double = typeof bound === 'string' ? (bound === 'over' ? Infinity : -Infinity) : Number(text);
  const nearest = bits === 32 ? Math.fround(double) : double;
  const largest = bits === 32 ? 3.4028235e38 : Number.MAX_VALUE;
  // Not `over`: PostgreSQL's Infinity and NaN are larger still.
  if (!Number.isFinite(nearest))
    return nearest > 0 ? { is: 'above', value: String(largest) } : { is: 'below', value: String(-largest) };
  const shown = String(bits === 32 ? shortestFloat32(nearest) : nearest);
  const value = parseDecimal(shown);
  if (typeof bound === 'string' || value === null) return null;
  const order = compareDecimals(bound, value);
  return { is: order === 0 ? 'at' : order > 0 ? 'above' : 'below', value: shown };
}

function moment(text: string, type: Extract<Type, { kind: 'date' | 'timestamp' }>): RangePosition | null {
  const isDate = type.kind === 'date';
  const parsed = parseMoment(text, { ...type, zoned: !isDate && type.zoned, digits: Infinity }, isDate);
  if (parsed !== null && parsed !== 'beyond' && parsed !== 'digits') {
    const cut = isDate
      ? parsed.replace(/ [\d:.]+/, '')
      : parsed.replace(/\.(\d+)/, (_, fraction: string) => point(fraction, type.digits));
    return { is: 'above', value: cut };
  }
  const early = /^\s*(-|0000-00-00)|BC\s*$/i.test(text);
  if (!type.infinite) return { is: early ? 'under' : 'over' };
  const next = nextDay(text);
  const day = next === null ? null : convert(next, type);
  if (day?.is === 'value') return { is: 'below', value: day.value };
  return early ? { is: 'above', value: '-infinity' } : { is: 'below', value: 'infinity' };
}

/** The first real day after a date that only MySQL has: in the year 0, or with a month or day of 0. */
function nextDay(text: string): string | null {
  const [, year = '', month, day] = /^\s*(\d{4,7})-(\d\d)-(\d\d)/.exec(text) ?? [];
  if (/^0+$/.test(year)) return '0001-01-01';
  if (month !== '00' && day !== '00') return null;
  return `${year}-${month === '00' ? '01' : month}-01${/BC\s*$/i.test(text) ? ' BC' : ''}`;
}

function time(text: string, type: Extract<Type, { kind: 'time' }>): RangePosition | null {
  const parsed = parseSpan(text, { ...type, digits: Infinity });
  const isNegative = /^\s*-/.test(text);
  if (parsed === null || parsed === 'digits') return null;
  if (parsed === 'beyond') return { is: isNegative ? 'under' : 'over' };
  const cut = parsed.replace(/\.(\d+)/, (_, fraction: string) => point(fraction, type.digits));
  return { is: isNegative ? 'below' : 'above', value: /[1-9]/.test(cut) ? cut : cut.replace('-', '') };
}

/** A fraction cut to `digits` digits, with its decimal point; '' if no digits remain. */
function point(fraction: string, digits: number): string {
  const significant = withoutZeros(fraction.slice(0, digits));
  return significant === '' ? '' : `.${significant}`;
}
