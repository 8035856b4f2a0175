/** Divides dates and times into calendar ranges, such as months, and returns their edges. */
import { type Step, steps } from '../model/question.ts';

/** What a column's values look like: dates or timestamps, with or without a time zone. `infinite`: also years BC and after 9999. */
export interface TimeKind {
  readonly isDate: boolean;
  readonly zoned: boolean;
  readonly infinite: boolean;
}

/** The length of a range. Weeks begin on Monday. */
interface Stride {
  readonly of: 'second' | 'day' | 'month';
  readonly count: number;
}
interface Moment {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly second: number;
}

const strideOf: Readonly<Record<Step, Stride>> = {
  year: { of: 'month', count: 12 },
  quarter: { of: 'month', count: 3 },
  month: { of: 'month', count: 1 },
  week: { of: 'day', count: 7 },
  day: { of: 'day', count: 1 },
  hour: { of: 'second', count: 3600 },
  minute: { of: 'second', count: 60 },
  second: { of: 'second', count: 1 },
};

/** Round lengths such as 15 minutes or 3 months, ascending. */
const strides: readonly Stride[] = [
  ...[1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200].map((count) => ({
    of: 'second' as const,
    count,
  })),
  ...[1, 7].map((count) => ({ of: 'day' as const, count })),
  ...[1, 3, 12, 24, 60].map((count) => ({ of: 'month' as const, count })),
  ...[1, 10, 100, 1000, 10_000, 100_000, 1_000_000].flatMap((tens) =>
    [120, 240, 600].map((count) => ({ of: 'month' as const, count: count * tens })),
  ),
];

const isDaily = ({ of }: Stride): boolean => of !== 'second';

/** The steps that a call may use for a column. A date column has none below a day. */
export const stepsOf = ({ isDate }: TimeKind): readonly Step[] =>
  steps.filter((step) => !isDate || isDaily(strideOf[step]));

/**
 * The ascending edges of ranges that cover all values from `least` to `greatest`, both as the API shows them.
 * @param by a step, or the largest number of ranges, at least 2
 * @returns only the number of ranges, if it would be more than `maxRanges`
 */
export function calendarEdges(
  least: string,
  greatest: string,
  by: Step | number,
  kind: TimeKind,
  maxRanges: number,
): readonly string[] | number {
  const [low, high] = [parsed(least), parsed(greatest)];
  if (low === null || high === null) return [];
  const ranges = (stride: Stride) => indexOf(high, stride) - indexOf(low, stride) + 1;
  const fitting = strides.filter((stride) => !kind.isDate || isDaily(stride));
  const stride = typeof by === 'string' ? strideOf[by] : fitting.find((one) => ranges(one) <= by);
  if (stride === undefined) return [];
  const count = ranges(stride);
  if (count > maxRanges) return count;
  const first = indexOf(low, stride);
  // Engines disagree about years before year 1, so no edge is earlier than that, unless a value is.
  const earliest = low.day < firstDay ? -Infinity : firstDay;
  const texts = Array.from({ length: count + 1 }, (_, nth) => {
    const start = startOf(first + nth, stride);
    return written(start.day < earliest ? { day: firstDay, second: 0 } : start, kind);
  });
  // Edges beyond the last year that can be written all look the same; keep one.
  return texts.filter((text, nth) => text !== texts[nth + 1]);
}

const secondsPerDay = 86_400;
/** The day 0001-01-01. */
const firstDay = -719_162;
/** The first Monday: 1970-01-05. */
const monday = 4;

/** The number of the range, counted in strides, that contains a moment. */
function indexOf({ day, second }: Moment, { of, count }: Stride): number {
  if (of === 'second') return Math.floor((day * secondsPerDay + second) / count);
  if (of === 'day') return count === 7 ? Math.floor((day - monday) / 7) : Math.floor(day / count);
  const { year, month } = dateOf(day);
  return Math.floor((year * 12 + month - 1) / count);
}

function startOf(index: number, { of, count }: Stride): Moment {
  if (of === 'second') {
    const seconds = index * count;
    const day = Math.floor(seconds / secondsPerDay);
    return { day, second: seconds - day * secondsPerDay };
  }
  if (of === 'day') return { day: count === 7 ? index * 7 + monday : index * count, second: 0 };
  const months = index * count;
  const year = Math.floor(months / 12);
  return { day: dayOf(year, months - year * 12 + 1, 1), second: 0 };
}

/** Days from 1970-01-01 to a day of the Gregorian calendar, in which a year 0 precedes the year 1. */
function dayOf(year: number, month: number, day: number): number {
  // Count years from March, so that a leap day is the last day of its year.
  const years = month > 2 ? year : year - 1;
  const months = (month + 9) % 12;
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leaps + Math.floor((months * 153 + 2) / 5) + day - 1 - 719_468;
}

function dateOf(since: number): { readonly year: number; readonly month: number; readonly day: number } {
  const days = since + 719_468;
  const era = Math.floor(days / 146_097);
  const inEra = days - era * 146_097;
  const years = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  );
  const inYear = inEra - (years * 365 + Math.floor(years / 4) - Math.floor(years / 100));
  const months = Math.floor((inYear * 5 + 2) / 153);
  const month = months < 10 ? months + 3 : months - 9;
  return {
    year: years + era * 400 + (month > 2 ? 0 : 1),
    month,
    day: inYear - Math.floor((months * 153 + 2) / 5) + 1,
  };
}

/** Parses a date or timestamp as the API shows it. MySQL's month 0 or day 0 becomes the day before that year or month begins. */
function parsed(text: string): Moment | null {
  const match = /^(\d{4,7})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:\+00:00)?)?( BC)?$/.exec(text);
  if (match === null) return null;
  const [, years = '', month = '', day = '', hours = '0', minutes = '0', seconds = '0', era] = match;
  const year = era === undefined ? Number(years) : 1 - Number(years);
  const isBefore = month === '00' || day === '00';
  const first = dayOf(year, Math.max(1, Number(month)), month === '00' ? 1 : Math.max(1, Number(day)));
  return isBefore
    ? { day: first - 1, second: 0 }
    : { day: first, second: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) };
}

/** Writes a moment as the API shows it. If its year can't be written, the nearest one that can is used. */
function written({ day, second }: Moment, { isDate, zoned, infinite }: TimeKind): string {
  const date = dateOf(day);
  const [minYear, maxYear] = infinite ? [-9_999_998, 9_999_999] : [0, 99_999];
  const year = Math.max(minYear, Math.min(date.year, maxYear));
  const pad = (number: number, width = 2) => String(number).padStart(width, '0');
  const isBeyond = year !== date.year;
  const [month, dayOfMonth] = isBeyond ? [1, 1] : [date.month, date.day];
  const shown = `${pad(year > 0 || !infinite ? year : 1 - year, 4)}-${pad(month)}-${pad(dayOfMonth)}`;
  const era = infinite && year < 1 ? ' BC' : '';
  if (isDate) return `${shown}${era}`;
  const clock = `${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`;
  return `${shown}T${clock}${zoned ? '+00:00' : ''}${era}`;
}
