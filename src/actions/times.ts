/** Dates and times as text. No JS `Date` holds a value: it knows milliseconds only, and a time zone nobody asked for. */

type Refused = 'beyond' | 'digits' | null;

const datePart = /^(\d{4,6})-(\d{2})-(\d{2})/;
const timePart = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?/;

/**
 * `2020-01-02` (also with a midnight time) → the same. `beyond`: the engine has no such date; null: not a date.
 * Months and days of 0 are MySQL's way to say "unknown" and stay what they are where the engine has them.
 */
export function parseDate(text: string, infinite: boolean): string | 'beyond' | null {
  const timestamp = parseTimestamp(text, { digits: 6, zoned: false, infinite });
  if (timestamp === null || timestamp === 'beyond' || /infinity$/.test(timestamp)) return timestamp;
  if (timestamp === 'digits' || !/ 00:00:00( BC)?$/.test(timestamp)) return 'beyond';
  return timestamp.replace(' 00:00:00', '');
}

/**
 * `2020-01-02`, `2020-01-02T03:04`, `2020-01-02 03:04:05.678Z` → `2020-01-02 03:04:05.678`, without trailing zeros.
 * A column without zone takes `Z` and no other offset; one with a zone takes any and is stored in UTC.
 * `digits`: more fractional digits than the column keeps; null: not a timestamp.
 */
export function parseTimestamp(
  input: string,
  type: { readonly digits: number; readonly zoned: boolean; readonly infinite: boolean },
): string | Refused {
  let text = input.trim();
  if (type.infinite && /^[+-]?infinity$/i.test(text)) return text.startsWith('-') ? '-infinity' : 'infinity';
  const era = / BC$/i.test(text);
  if (era) text = text.slice(0, -3);
  const date = datePart.exec(text);
  if (date === null) return null;
  const [, year = '', month = '', day = ''] = date;
  const rest = text.slice(date[0].length);
  const time = rest === '' ? null : /^[T ]/i.test(rest) ? timePart.exec(rest.slice(1)) : null;
  if (rest !== '' && time === null) return null;
  const zone = rest.slice(time === null ? 0 : time[0].length + 1);
  const offset = offsetMinutes(zone, type.zoned);
  if (offset === null) return null;
  const [, hour = '00', minute = '00', second = '00', fraction = ''] = time ?? [];
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || !isDay(year, month, day, type.infinite))
    return null;
  if (!type.infinite && (era || year.length > 4 || `${year}${month}${day}` === '00000000')) return 'beyond';
  if (Number(year) > 294_276 || (era && Number(year) > 4713) || (type.infinite && Number(year) === 0)) return 'beyond';
  const kept = fraction.replace(/0+$/, '');
  if (kept.length > type.digits) return 'digits';
  const parts =
    offset === 0
      ? { date: date[0], time: `${hour}:${minute}:${second}` }
      : inUtc(date[0], hour, minute, second, offset);
  const zoneMark = type.zoned ? '+00' : '';
  return `${parts.date} ${parts.time}${kept === '' ? '' : `.${kept}`}${zoneMark}${era ? ' BC' : ''}`;
}

/** `03:04`, `03:04:05.6`, on MySQL also `-800:00:01` → canonical text; `digits` and null as for timestamps. */
export function parseSpan(input: string, type: { readonly digits: number; readonly span: boolean }): string | Refused {
  const match = /^(-?)(\d{1,3}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?Z?$/.exec(input.trim());
  if (match === null) return null;
  const [, sign = '', hour = '', minute = '', second = '00', fraction = ''] = match;
  if (Number(minute) > 59 || Number(second) > 59) return null;
  const kept = fraction.replace(/0+$/, '');
  const limit = type.span ? '838:59:59' : '24:00:00';
  const clock = `${String(Number(hour)).padStart(2, '0')}:${minute}:${second}`;
  const seconds = (h: string, m: string, s: string) => Number(h) * 3600 + Number(m) * 60 + Number(s);
  const [lh = '', lm = '', ls = ''] = limit.split(':');
  const length = seconds(hour, minute, second);
  if (length > seconds(lh, lm, ls) || (length === seconds(lh, lm, ls) && kept !== '')) return 'beyond';
  if (sign === '-' && !type.span) return 'beyond';
  if (kept.length > type.digits) return 'digits';
  const zero = length === 0 && kept === '';
  return `${zero ? '' : sign}${clock}${kept === '' ? '' : `.${kept}`}`;
}

/** Minutes east of UTC; 0 for none or `Z`; null for text that is no offset, or one the column cannot take. */
function offsetMinutes(zone: string, zoned: boolean): number | null {
  if (zone === '' || /^z$/i.test(zone)) return 0;
  const match = zoned ? /^([+-])(\d{2})(?::?(\d{2}))?$/.exec(zone) : null;
  if (match === null) return null;
  const [, sign, hours = '', minutes = '0'] = match;
  if (Number(hours) > 15 || Number(minutes) > 59) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function isDay(year: string, month: string, day: string, strict: boolean): boolean {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (!strict && m <= 12 && d <= 31 && (m === 0 || d === 0)) return true;
  const leap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m - 1];
  return days !== undefined && d >= 1 && d <= days;
}

/** Shifts by the offset. Days and minutes are whole numbers here, so a `Date` in UTC is exact; fractions never enter it. */
function inUtc(
  date: string,
  hour: string,
  minute: string,
  second: string,
  offset: number,
): { date: string; time: string } {
  const [year = '', month = '', day = ''] = date.split('-');
  const shifted = new Date(0);
  shifted.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  shifted.setUTCHours(Number(hour), Number(minute) - offset, Number(second));
  const pad = (n: number, width: number) => String(n).padStart(width, '0');
  return {
    date: `${pad(shifted.getUTCFullYear(), 4)}-${pad(shifted.getUTCMonth() + 1, 2)}-${pad(shifted.getUTCDate(), 2)}`,
    time: `${pad(shifted.getUTCHours(), 2)}:${pad(shifted.getUTCMinutes(), 2)}:${pad(shifted.getUTCSeconds(), 2)}`,
  };
}
