/** Dates and times as the API shows them → whole numbers, for binary formats. Pure. */

/** Days since 1970-01-01, and microseconds since midnight. */
export interface Moment {
  readonly day: number;
  readonly micros: number;
}

export const microsPerDay = 86_400_000_000;
/** The Gregorian calendar repeats after 400 years, which have so many days. */
const [cycleYears, cycleDays] = [400, 146_097];
const msPerDay = 86_400_000;
const pattern = /^(\d{4,7})-(\d\d)-(\d\d)(?:[T ]([\d:.]+)(?:\+00(?::00)?)?)?( BC)?$/;
const timePattern = /^(\d{2,3}):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;

/**
 * Reads `2020-01-02`, `2020-01-02T03:04:05.678`, or the same with `+00:00` or ` BC`. Null for anything else: infinity, and dates that are
 * not in the calendar, such as MySQL's `2020-00-00`. (A `Date` ends at the year 275,760, PostgreSQL's dates 5.6 million years later.)
 */
export function momentOf(text: string): Moment | null {
  const [, years, months, days, time = '00:00:00', era] = pattern.exec(text) ?? [];
  if (years === undefined) return null;
  const year = era === undefined ? Number(years) : 1 - Number(years);
  const cycle = Math.floor(year / cycleYears);
  const [month, dayOfMonth] = [Number(months) - 1, Number(days)];
  const date = new Date(Date.UTC(2000 + year - cycle * cycleYears, month, dayOfMonth));
  const micros = microsOf(time);
  if (micros === null || date.getUTCMonth() !== month || date.getUTCDate() !== dayOfMonth) return null;
  return { day: date.getTime() / msPerDay + (cycle - 2000 / cycleYears) * cycleDays, micros };
}

/** Reads `03:04:05.678901` as microseconds, even above 24 hours; null for anything else, such as a negative time. */
export function microsOf(text: string): number | null {
  const [, hours, minutes, seconds, fraction = ''] = timePattern.exec(text) ?? [];
  if (hours === undefined) return null;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1_000_000 + Number(fraction.padEnd(6, '0'));
}
