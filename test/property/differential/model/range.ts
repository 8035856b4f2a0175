import { isDigits, type Sent } from '../sent.ts';
import type { Kind } from '../table.ts';
import { forFilter } from './convert.ts';
import { type Decimal, decimal } from './decimal.ts';

/**
 * Returns a function that compares a stored value with a bound, exactly: below 0, 0, above 0. Null if the bound is not of this kind, or if engines do
 * not order this kind in the same way.
 */
export function side(kind: Kind, sent: Sent): ((cell: string) => number) | null {
  const text = isDigits(sent) ? sent.digits : String(sent);
  if (sent === null || forFilter(kind, sent) === 'wrong') return null;
  switch (kind.is) {
    case 'int':
    case 'numeric':
    case 'double': {
      const bound = decimal(text);
      return bound === null ? null : (cell) => difference(decimal(cell) ?? bound, bound);
    }
    case 'boolean': {
      const converted = forFilter(kind, sent);
      return typeof converted === 'string' ? null : (cell) => order(cell, converted.cell ?? '');
    }
    case 'date':
    case 'timestamp':
      return (cell) => order(moment(cell), moment(text));
    case 'time': {
      const bound = seconds(text);
      return (cell) => difference(seconds(cell), bound);
    }
    default:
      return null;
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function difference(a: Decimal, b: Decimal): number {
  const exponent = Math.min(a.exponent, b.exponent);
  const units = (one: Decimal) => one.coefficient * 10n ** BigInt(one.exponent - exponent);
  return units(a) < units(b) ? -1 : units(a) > units(b) ? 1 : 0;
}

/** A text whose order is the order in time. */
function moment(text: string): string {
  const [, date = '', hours = '00:00', seconds = '00', fraction = ''] =
    /^(.{10})(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?)?Z?$/.exec(text) ?? [];
  return `${date} ${hours}:${seconds}.${fraction.padEnd(12, '0')}`;
}

function seconds(text: string): Decimal {
  const [, sign = '', hours = '', minutes = '', rest = '0'] = /^(-?)(\d+):(\d+)(?::([\d.]+))?Z?$/.exec(text) ?? [];
  const zero = { coefficient: 0n, exponent: 0 };
  const { coefficient, exponent } = decimal(rest) ?? zero;
  const scale = Math.max(0, -exponent);
  const whole = (BigInt(hours) * 60n + BigInt(minutes)) * 60n;
  const total = whole * 10n ** BigInt(scale) + coefficient * 10n ** BigInt(exponent + scale);
  return { coefficient: sign === '-' ? -total : total, exponent: -scale };
}
