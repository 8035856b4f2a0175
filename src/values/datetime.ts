/** Dates and times as strings. A JS `Date` can't represent them: it only has milliseconds, and brings a time zone that we don't want. */
import { withoutZeros } from './decimal.ts';

type Refused = 'beyond' | 'digits' | null;

interface Timestamp {
  readonly digits: number;
  readonly zoned: boolean;
  readonly infinite: boolean;
}
/** A day of the calendar. Years are astronomical: 0 is 1 BC. */
interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The last years that PostgreSQL supports. */
const lastYears = { date: 5_874_897, timestamp: 294_276 };
/** Like PostgreSQL, accepts months and days without a leading zero. But a year needs four digits: PostgreSQL reads `20` as 2020. */
const datePart = /^(\d{4,7})-(\d{1,2})-(\d{1,2})(?!\d)/;
const timePart = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?(?!\d)/;
const pad = (n: number | string, width: number): string => String(n).padStart(width, '0');

/**
 * `2020-01-02`, `2020-1-2` (also with a midnight time) → `2020-01-02`. On an engine that allows a month or day of 0 (MySQL's "unknown"),
 * these stay unchanged. Returns `beyond` if the engine has no such date, null if the text is not a date.
 */
export function parseDate(text: string, infinite: boolean): string | 'beyond' | null {
  if (text.length === 10 && usualDay.test(text)) return text;
  const timestamp = parseMoment(text, { digits: 6, zoned: false, infinite }, true);
  if (timestamp === null || timestamp === 'beyond' || /infinity$/.test(timestamp)) return timestamp;
  if (timestamp === 'digits' || !/ 00:00:00( BC)?$/.test(timestamp)) return 'beyond';
  return timestamp.replace(' 00:00:00', '');
}

/**
 * `2020-01-02`, `2020-01-02T03:04`, `2020-01-02 03:04:05.678Z` → `2020-01-02 03:04:05.678`, without trailing zeros. A column
 * without time zone only accepts the offset `Z`; a column with time zone accepts any offset, and we convert to UTC. Returns
 * `digits` for more fractional digits than the column keeps, null if it is not a timestamp.
 */
export function parseTimestamp(text: string, type: Timestamp): string | Refused {
  if (text.length === 19 && usualDay.test(text) && usualTime.test(text))
    return `${text.slice(0, 10)} ${text.slice(11)}${type.zoned ? '+00' : ''}`;
  return parseMoment(text, type, false);
}

/** Most dates match this, and need no further check: four-digit year, two-digit month and day, a day that every month has. */
const usualDay = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])/;
const usualTime = /^.{10}[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** Like `parseTimestamp`. @param isDate whether years may go up to the limit for dates, which is higher */
export function parseMoment(input: string, type: Timestamp, isDate: boolean): string | Refused {
  const lastYear = isDate ? lastYears.date : lastYears.timestamp;
  let text = input.trim();
  const last = text.at(-1);
  if ((last === 'y' || last === 'Y') && /^[+-]?infinity$/i.test(text))
    return !type.infinite ? 'beyond' : text.startsWith('-') ? '-infinity' : 'infinity';
  const era = (last === 'C' || last === 'c') && / BC$/i.test(text);
  if (era) text = text.slice(0, -3);
  const date = datePart.exec(text);
  if (date === null) return null;
  const rest = text.slice(date[0].length);
  const time = rest === '' ? null : /^[T ]/i.test(rest) ? timePart.exec(rest.slice(1)) : null;
  if (rest !== '' && time === null) return null;
  const offset = offsetMinutes(rest.slice(time === null ? 0 : time[0].length + 1), type.zoned);
  if (offset === null) return null;
  const [, hour = '00', minute = '00', second = '00', fraction = ''] = time ?? [];
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;

  const [, shown = '', month = '', dayOfMonth = ''] = date;
  const given = { year: era ? 1 - Number(shown) : Number(shown), month: Number(month), day: Number(dayOfMonth) };
  if (!isDay(given, type.infinite)) return isDay(given, false) ? 'beyond' : null;
  if (type.infinite && Number(shown) === 0) return 'beyond';
  if (!type.infinite && (era || shown.length > 4 || Number(date[0].replaceAll('-', '')) === 0)) return 'beyond';
  const significant = withoutZeros(fraction);
  if (significant.length > type.digits) return 'digits';
  const utc = offset === 0 ? { day: given, hour, minute } : inUtc(given, hour, minute, offset);
  if (type.infinite && !exists(utc.day, lastYear)) return 'beyond';
  const { year } = utc.day;
  const dayShown = `${pad(year > 0 || !type.infinite ? year : 1 - year, 4)}-${pad(utc.day.month, 2)}-${pad(utc.day.day, 2)}`;
  const clock = `${pad(utc.hour, 2)}:${pad(utc.minute, 2)}:${pad(second, 2)}${significant === '' ? '' : `.${significant}`}`;
  return `${dayShown} ${clock}${type.zoned ? '+00' : ''}${type.infinite && year < 1 ? ' BC' : ''}`;
}

/**
 * Parses times such as `03:04`, `03:04:05.6`, on MySQL also `-800:00:01`.
 * @returns null if the text is not a time, and `'digits'` if it has more fractional digits than the column keeps
 */
export function parseSpan(
  input: string,
  type: { readonly digits: number; readonly span: boolean; readonly lastSecond?: boolean },
): string | Refused {
  const match = /^(-?)(\d{1,3}):(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?Z?$/.exec(input.trim());
  if (match === null) return null;
  const [, sign = '', hour = '', minute = '', second = '00', fraction = ''] = match;
  if (Number(minute) > 59 || Number(second) > 59) return null;
  const significant = withoutZeros(fraction);
  const length = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const maxSeconds = type.span ? 839 * 3600 - 1 : 24 * 3600;
  if (length > maxSeconds || (length === maxSeconds && significant !== '' && type.lastSecond !== true)) return 'beyond';
  if (sign === '-' && !type.span) return 'beyond';
  if (significant.length > type.digits) return 'digits';
  const zero = length === 0 && significant === '';
  return `${zero ? '' : sign}${pad(Number(hour), 2)}:${pad(minute, 2)}:${pad(second, 2)}${significant === '' ? '' : `.${significant}`}`;
}

/** Minutes east of UTC; 0 for `Z` or no offset. Null for anything else, or if the column does not accept this offset. */
function offsetMinutes(zone: string, zoned: boolean): number | null {
  if (zone === '' || /^z$/i.test(zone)) return 0;
  const match = zoned ? /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(zone) : null;
  if (match === null) return null;
  const [, sign, hours = '', minutes = '0'] = match;
  if (Number(hours) > 15 || Number(minutes) > 59) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Whether the calendar has this day. Unless `strict`, a month or day of 0 is also valid, as in MySQL. */
function isDay({ year, month, day }: Day, strict: boolean): boolean {
  if (!strict && month <= 12 && day <= 31 && (month === 0 || day === 0)) return true;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && leap ? 29 : daysOf[month - 1];
  return days !== undefined && day >= 1 && day <= days;
}
const daysOf = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a day is in PostgreSQL's range, which begins with 24 November 4714 BC. */
function exists({ year, month, day }: Day, lastYear: number): boolean {
  return year <= lastYear && year * 10_000 + month * 100 + day >= -4713 * 10_000 + 1124;
}

/** Shifts a time to UTC. `Date` does not cover all years, so we compute in another year: the calendar repeats every 400 years. */
function inUtc(from: Day, hour: string, minute: string, offset: number): { day: Day; hour: string; minute: string } {
  const cycle = Math.floor(from.year / 400) * 400;
  const shifted = new Date(0);
  shifted.setUTCFullYear(from.year - cycle + 2000, from.month - 1, from.day);
  shifted.setUTCHours(Number(hour), Number(minute) - offset);
  const year = shifted.getUTCFullYear() - 2000 + cycle;
  return {
    day: { year, month: shifted.getUTCMonth() + 1, day: shifted.getUTCDate() },
    hour: pad(shifted.getUTCHours(), 2),
    minute: pad(shifted.getUTCMinutes(), 2),
  };
}
