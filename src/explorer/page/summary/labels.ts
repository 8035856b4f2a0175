/** Writes the values and ranges of groups in the page's language. */
import type { Column } from '../ask/columns.ts';
import { shownNumber, shownTime } from '../parts/format.ts';
import { say, summaryWords as words } from '../texts/index.ts';
import type { Bucket, Step } from './buckets.ts';
import { timeLabel } from './times.ts';

/** The name of a calendar step, or a range's edges. @param isGrouped whether digits are grouped */
export function rangeLabel(
  { text, end }: Pick<Bucket, 'text' | 'end'>,
  { kind }: Column,
  step: Step,
  isGrouped: boolean,
): string {
  const [from, to] = [text ?? '', end ?? ''];
  if (kind !== 'time') return `${shownNumber(from, isGrouped)} – ${shownNumber(to, isGrouped)}`;
  return stepLabel(from, step) ?? `${dayOrTime(from)} – ${dayOrTime(to)}`;
}

/** A calendar step's name; null if the step has none, or the year does not have four digits. */
export function stepLabel(from: string, step: Step): string | null {
  const [, year, month] = /^([1-9]\d{3})-(\d\d)-\d\d(?:T[\d:.]+(?:Z|\+00(?::00)?)?)?$/.exec(from) ?? [];
  if (year === undefined || month === undefined) return null;
  switch (step) {
    case 'year':
      return year;
    case 'quarter':
      return words.quarter(String(Math.ceil(Number(month) / 3)), year);
    case 'month':
      return months.format(Date.parse(`${year}-${month}-01T00:00:00Z`));
    case 'day':
      return dayOrTime(from);
    default:
      return null;
  }
}

const months = new Intl.DateTimeFormat(say.language, { month: 'short', year: 'numeric', timeZone: 'UTC' });

const days = new Intl.DateTimeFormat(say.language, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The shortest label for a tick of an axis. */
export function tickLabel(at: Date): string {
  const label = timeLabel(at);
  return /^\d{4}-\d\d$/.test(label) ? months.format(at) : /^\d{4}-\d\d-\d\d$/.test(label) ? days.format(at) : label;
}

/** A time; at midnight, only the day. */
const dayOrTime = (text: string): string => shownTime(text.replace(/T00:00(?::00(?:\.0+)?)?(?:Z|\+00(?::?00)?)?$/, ''));

const short = new Intl.NumberFormat(say.language, { maximumSignificantDigits: 6 });
const whole = new Intl.NumberFormat(say.language, { maximumFractionDigits: 0 });

/** A number with six digits, or with more if it has more before the point. */
export function shortNumber(text: string): string {
  const value = Number(text);
  return (Math.abs(value) < 1e6 ? short : whole).format(value);
}
