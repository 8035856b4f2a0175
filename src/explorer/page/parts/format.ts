/** Writes values the way people write them in the page's language. The grid's bar, filters and copies keep the exact value. */
import type { Column } from '../ask/columns.ts';
import { say } from '../texts/index.ts';

const separators = new Intl.NumberFormat(say.language, { useGrouping: true }).formatToParts(-12345.5);
const separator = (type: 'group' | 'decimal') => separators.find((one) => one.type === type)?.value ?? '';
export const [groupSign, decimalSign] = [separator('group'), separator('decimal')];

/** No amount has more digits than this, so longer numbers are not grouped. */
const mostGrouped = 40;

/** A number with all its digits. Anything that is not written in digits, such as `NaN`, stays as it is. */
export function shownNumber(text: string, isGrouped: boolean): string {
  const [, sign = '', whole = '', decimals, exponent = ''] = /^(-?)(\d+)(?:\.(\d+))?(e[+-]?\d+)?$/i.exec(text) ?? [];
  if (whole === '') return text;
  const grouped = isGrouped && whole.length <= mostGrouped ? whole.replace(/\B(?=(?:\d{3})+$)/g, groupSign) : whole;
  return `${sign}${grouped}${decimals === undefined ? '' : decimalSign + decimals}${exponent}`;
}

const dateFormat = new Intl.DateTimeFormat(say.language, { dateStyle: 'medium', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat(say.language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const secondFormat = new Intl.DateTimeFormat(say.language, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** A date or a time. Infinities, years before 1000 or after 9999, and times that are not in UTC stay as the API writes them. */
export function shownTime(text: string): string {
  const [, day, time, seconds = '0'] =
    /^([1-9]\d{3}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|\+00(?::?00)?)?)?$/.exec(text) ?? [];
  if (day === undefined) return text;
  const at = Date.parse(`${day}T${time ?? '00:00'}:${seconds.padStart(2, '0')}Z`);
  if (Number.isNaN(at)) return text;
  return (time === undefined ? dateFormat : Number(seconds) === 0 ? timeFormat : secondFormat).format(at);
}

/** A value that is neither NULL nor a link, as text. */
export function shownText(text: string, { kind, type }: Pick<Column, 'kind' | 'type'>, isGrouped: boolean): string {
  if (kind === 'number') return shownNumber(text, isGrouped);
  if (kind === 'time') return shownTime(text);
  if (type === 'bool' && (text === 'true' || text === 'false')) return text === 'true' ? say.yes : say.no;
  return text;
}
