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

const dates = new Intl.DateTimeFormat(say.language, { dateStyle: 'medium', timeZone: 'UTC' });

/** A date, and the time of day as the API writes it. Years that need more than four digits, and infinities, stay as they are. */
export function timeInLanguage(text: string): string {
  const [match, date = '', rest = ''] = /^(\d{4}-\d\d-\d\d)(?:T(.*))?$/.exec(text) ?? [];
  const day = new Date(`${date}T00:00:00Z`);
  if (match === undefined || date < '0100' || Number.isNaN(day.getTime())) return text;
  const time = rest.replace(/\.0+(?=$|[Z+-])/, '').replace(/(?:Z|\+00(?::00)?)$/, ' UTC');
  return time === '' ? dates.format(day) : `${dates.format(day)}, ${time.replace(/^(\d\d:\d\d):00/, '$1')}`;
}
