const dateForm = /^(\d{4})-(\d\d)-(\d\d)$/;
const timeForm = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?$/;

/** Parses a date such as `2024-02-29`, Gregorian, in the years 1 to 9999. */
export function readDate(text: string): string | null {
  const [, year = '', month = '', day = ''] = dateForm.exec(text) ?? [];
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  const valid = Number(year) >= 1 && +month >= 1 && +month <= 12 && +day >= 1 && +day <= days;
  return valid ? text : null;
}

/** Whether it is one of MySQL's dates without a month or day, which our rows do not contain. */
export const isPartialDate = (text: string): boolean =>
  /^\d{4}-(?:00-(?:[012]\d|3[01])|(?:0\d|1[0-2])-00)(?:[T ]|$)/.test(text);

/** Parses `12:00`, `12:00:00`, or with a fraction, within a day. The fraction is returned as it was sent, '' if there is none. */
export function readTime(text: string): { readonly time: string; readonly fraction: string } | null {
  const found = timeForm.exec(text);
  if (found === null) return null;
  const [, hour = '', minute = '', second = '00', fraction = ''] = found;
  if (+hour > 23 || +minute > 59 || +second > 59) return null;
  return { time: `${hour}:${minute}:${second}`, fraction };
}

/** The fraction with six digits; null if it has non-zero digits beyond those that the column stores. */
export function fractionOf(fraction: string, digits: number): string | null {
  return /^0*$/.test(fraction.slice(digits)) ? fraction.slice(0, digits).padEnd(6, '0') : null;
}

/** Parses a date, a blank or `T`, and a time. A date alone means midnight; `Z` may follow a time. */
export function readTimestamp(text: string): ReturnType<typeof split> {
  return split(text.replace(/(?<=:\d\d(?:\.\d+)?)Z$/, ''));
}

function split(text: string) {
  const date = readDate(text.slice(0, 10));
  const rest = text.slice(10);
  const time = rest === '' ? { time: '00:00:00', fraction: '' } : /^[T ]/.test(rest) ? readTime(rest.slice(1)) : null;
  return date === null || time === null ? null : { date, ...time };
}

/** Whether it is a MySQL time outside of a day, which our rows do not contain. */
export const isLongTime = (text: string): boolean => /^-?\d{2,3}:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/.test(text);
