/** Reads times as the API writes them. Pure. */

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

/** Whether a date, or a time in the user's time zone, is on this day. */
export function isOn(time: string, day: Date): boolean {
  return new Date(time.includes('T') ? timeOf(time) : `${time}T00:00`).toDateString() === day.toDateString();
}
