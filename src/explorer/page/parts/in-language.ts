/** Writes numbers and times of records as the page's language does, with all their digits. */
import { say } from '../texts/index.ts';

const numbers = new Intl.NumberFormat(say.language);
const point = numbers.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** A number with grouped digits. Other texts, such as `1e300` and `NaN`, stay as they are. */
export function numberInLanguage(text: string): string {
  const [match, minus = '', whole = '', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (match === undefined) return text;
  return `${minus}${numbers.format(BigInt(whole))}${fraction === undefined ? '' : `${point}${fraction}`}`;
}

const compact = new Intl.NumberFormat(say.language, { notation: 'compact' });
/** A round number for legends, such as `3M`. */
export const roundNumber = (value: number): string => compact.format(value);

const short = new Intl.NumberFormat(say.language, { maximumSignificantDigits: 6 });
const whole = new Intl.NumberFormat(say.language, { maximumFractionDigits: 0 });
/** A number with six digits, or with all those before the point. */
export function shortNumber(text: string): string {
  const value = Number(text);
  return Math.abs(value) < 1e6 ? short.format(value) : whole.format(value);
}

const days = new Intl.DateTimeFormat(say.language, { dateStyle: 'medium', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat(say.language, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayOf = (text: string) => new Date(`${text.slice(0, 10)}T00:00:00Z`);

/** The day of a time of the API, with a year of four digits. */
export const dayInLanguage = (text: string): string => days.format(dayOf(text));
/** The month of a time of the API, with a year of four digits. */
export const monthInLanguage = (text: string): string => months.format(dayOf(text));

/** A date, and the time of day as the API writes it. Years of more than four digits, years BC, and infinities stay as they are. */
export function timeInLanguage(text: string): string {
  const [match, date = '', rest = ''] = /^(\d{4}-\d\d-\d\d)(?:T([\d:.]+(?:Z|[+-][\d:]+)?))?$/.exec(text) ?? [];
  if (match === undefined || date < '0100' || Number.isNaN(dayOf(date).getTime())) return text;
  const time = rest
    .replace(/\.0+(?=$|[Z+-])/, '')
    .replace(/^(\d\d:\d\d):00(?=$|[Z+-])/, '$1')
    .replace(/(?:Z|\+00(?::00)?)$/, ' UTC');
  return [days.format(dayOf(date)), ...(/^(?:|00:00(?: UTC)?)$/.test(time) ? [] : [time])].join(', ');
}
