import { utcDay, utcMonth, utcYear } from 'd3-time';

/**
 * A time from the API in milliseconds since 1970; NaN for any other text, and after the year 275760. `Date` expects years outside 0 to 9999
 * with a sign and six digits, and counts 1 BC as year 0.
 */
export function timeOf(shown: string): number {
  const match = /^(\d+)(-.*?)(?: BC)?$/.exec(shown);
  if (match === null) return Number.NaN;
  const [, digits = '', rest = ''] = match;
  const year = shown.endsWith(' BC') ? 1 - Number(digits) : Number(digits);
  const sign = year < 0 ? '-' : '+';
  const isUsual = year >= 0 && year < 10_000;
  const text = isUsual ? `${year}`.padStart(4, '0') : `${sign}${`${Math.abs(year)}`.padStart(6, '0')}`;
  return Date.parse(`${text}${rest}${/T/.test(rest) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(rest) ? 'Z' : ''}`);
}

/** The shortest label for a tick: its year, month, day or time. */
export function timeLabel(at: Date): string {
  const text = at.toISOString();
  const [year, rest] = [at.getUTCFullYear(), text.slice(text.indexOf('-', 1))];
  if (utcYear(at).getTime() === at.getTime()) return `${year}`;
  if (utcMonth(at).getTime() === at.getTime()) return `${year}${rest.slice(0, 3)}`;
  return utcDay(at).getTime() === at.getTime() ? `${year}${rest.slice(0, 6)}` : rest.slice(1, 12).replace('T', ' ');
}
