/** The digits of computed numbers: the same on every engine, and within what each engine computes exactly. */
import { int4, int8 } from '../../model/question.ts';
import type { Arithmetic } from '../../model/select.ts';
import type { Type } from '../../model/table.ts';

/** How many more digits a sum may have than its numbers: no table has 10^12 records. */
const sumDigits = 12;
/** MySQL's limits. Beyond them it answers 999…9 instead of an error. */
export const [maxDigits, maxPlaces] = [65, 30];
/** MySQL computes an average by dividing a DECIMAL(65, 26), in 30 places: more whole digits do not fit, and more places could round twice. */
const [maxAveraged, maxAveragedPlaces] = [27, 20];
/** The digits of a float that is computed as a decimal. The dialects refuse larger ones as out of range, or compute with more digits. */
export const floatDigits: Digits = { whole: 30, places: maxPlaces };
const quotientPlaces = 16;
/** How many whole digits a quotient has if a DECIMAL(65, 26) is divided in 30 places. */
const maxDivided = 35;

/** The digits that a number may have before and after the point. */
export interface Digits {
  readonly whole: number;
  readonly places: number;
}

/** The digits of a type; null for a numeric without precision, which only PostgreSQL has: it computes with any number of digits. */
export function digitsOf(type: Extract<Type, { kind: 'int' | 'decimal' }>): Digits | null {
  if (type.kind === 'int') return { whole: String(type.max).length, places: 0 };
  if (type.precision === null) return null;
  const scale = type.scale ?? 0;
  return { whole: Math.max(type.precision - scale, 0), places: Math.max(scale, 0) };
}

/** The decimal type with these digits. If `digits` is null, the decimal type of the numbers that it is computed from. */
export const decimal = (digits: Digits | null, of: Type): Type =>
  digits === null && of.kind === 'decimal'
    ? of
    : {
        ...{ kind: 'decimal', precision: digits === null ? null : digits.whole + digits.places },
        ...{ scale: digits?.places ?? null, nan: (of.kind === 'decimal' || of.kind === 'float') && of.nan },
      };

export const tooManyDigits = (what: string): string => `has too many digits for ${what}`;

export const float8 = (nan: boolean): Type => ({ kind: 'float', bits: 64, nan });

/** The type of a sum. @param refuse makes the refusal from what the type lacks, such as `has no sum` */
export function sumType(type: Type, refuse: (lacks: string) => Error): Type {
  if (type.kind === 'float') return float8(type.nan);
  if (type.kind !== 'int' && type.kind !== 'decimal') throw refuse('has no sum');
  if (isInt4(type)) return int8;
  const digits = digitsOf(type);
  return limited(digits && { ...digits, whole: digits.whole + sumDigits }, type, 'sum', refuse);
}

export function averageType(type: Type, refuse: (lacks: string) => Error): Type {
  if (type.kind === 'float') return float8(type.nan);
  if (type.kind !== 'int' && type.kind !== 'decimal') throw refuse('has no avg');
  const digits = digitsOf(type);
  if (digits !== null && (digits.whole > maxAveraged || digits.places > maxAveragedPlaces))
    throw refuse(tooManyDigits('avg'));
  return decimal(digits && { ...digits, places: quotientPlaces }, type);
}

export type NumberType = Extract<Type, { kind: 'int' | 'decimal' | 'float' }>;

/** The type of a computation with two numbers. Whole numbers are computed as int8, and MySQL's BIGINT UNSIGNED as a decimal. */
export function arithmeticType(op: Arithmetic, a: NumberType, b: NumberType, refuse: (lacks: string) => Error): Type {
  if (a.kind === 'float' || b.kind === 'float') return float8(isNan(a) || isNan(b));
  if (isInt8(a) && isInt8(b)) return isInt4(a) && isInt4(b) ? int4 : int8;
  const of = a.kind === 'decimal' ? a : b;
  const [left, right] = [digitsOf(a), digitsOf(b)];
  if (left === null || right === null) {
    const open = left === null ? a : b;
    return op === '/'
      ? { kind: 'decimal', precision: null, scale: quotientPlaces, nan: isNan(open) }
      : decimal(null, open);
  }
  const places = Math.max(left.places, right.places);
  const whole = Math.max(left.whole, right.whole);
  switch (op) {
    case '+':
    case '-':
      return limited({ whole: whole + 1, places }, of, op, refuse);
    case '*':
      return limited({ whole: left.whole + right.whole, places: left.places + right.places }, of, op, refuse);
    case '%':
      return limited({ whole, places }, of, op, refuse);
    case '/': {
      if (left.whole + right.places > maxDivided || left.places > maxAveragedPlaces) throw refuse(tooManyDigits('/'));
      return decimal({ whole: left.whole + right.places, places: quotientPlaces }, of);
    }
  }
}

const isNan = (type: Type): boolean => 'nan' in type && type.nan;
const isInt4 = (type: Type): boolean => type.kind === 'int' && (type.wire === 'int2' || type.wire === 'int4');
const isInt8 = (type: NumberType): boolean => type.kind === 'int' && type.wire !== 'numeric';

/** The common type of these numbers. */
export function commonNumber(types: readonly NumberType[]): Type {
  const floats = types.filter((one) => one.kind === 'float');
  if (floats.length > 0) return float8(floats.some(({ nan }) => nan));
  const exact = types.filter((one) => one.kind !== 'float');
  if (exact.every(isInt8)) return exact.every(isInt4) ? int4 : int8;
  const digits = exact.map(digitsOf);
  const of = exact.find((one) => one.kind === 'decimal') ?? int8;
  if (digits.includes(null)) return decimal(null, of.kind === 'decimal' ? { ...of, precision: null, scale: null } : of);
  const most = (part: keyof Digits) => Math.max(...digits.map((one) => one?.[part] ?? 0));
  return decimal({ whole: most('whole'), places: most('places') }, of);
}

/** A decimal type that no engine rounds or cuts. */
export function limited(digits: Digits | null, of: Type, what: string, refuse: (lacks: string) => Error): Type {
  if (digits !== null && (digits.whole + digits.places > maxDigits || digits.places > maxPlaces))
    throw refuse(tooManyDigits(what));
  return decimal(digits, of);
}
