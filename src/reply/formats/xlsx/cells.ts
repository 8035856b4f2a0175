/** Values as cells of a sheet: a number, date or boolean only if Excel keeps it exactly, else text. */
import type { Type } from '../../../model/table.ts';
import { parseDecimal } from '../../../values/decimal.ts';
import { microsOf, microsPerDay, momentOf } from '../../../values/moment.ts';

/** Counts the values that a sheet does not show as the database does. */
export interface Exceptions {
  /** Texts cut at Excel's limit. */
  cut: number;
  /** Numbers that a double would round, NaN and infinities. */
  numbers: number;
  /** Dates and times outside Excel's calendar. */
  times: number;
}

/** Excel's limit for a cell's text, in UTF-16 units. */
const maxLength = 32_767;
/** The number of digits that a double always keeps. */
const maxDigits = 15;
/** Longer numbers may be too large or too small for a double, even with few significant digits. */
const maxNumberLength = 300;
/** 1900-03-01 and 9999-12-31, as days since 1970. Before 1900-03-01, Excel counts a 1900-02-29 that never existed. */
const [firstDay, lastDay] = [-25_508, 2_932_896];
/** Excel's day number for 1970-01-01. */
const epoch = 25_569;
const msPerDay = microsPerDay / 1000;

/** The cell formats of `styles` in `parts.ts`. */
export const style = { header: 1, date: 2, timestamp: 3, time: 4, span: 5 } as const;

/** Characters that XML cannot hold or would change, and texts that look like our escape for them. */
const unsafe = /[&<>\ufffe\uffff]|(?![\t\n\u007f-\u009f])\p{Cc}|_(?=x[\dA-Fa-f]{4}_)/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (char: string): string =>
  entities[char] ?? `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** A cell with text, which Excel never reads as a number or a formula. */
export const textCell = (text: string, as?: number): string =>
  `<c${as === undefined ? '' : ` s="${as}"`} t="inlineStr"><is><t xml:space="preserve">${text.replace(unsafe, escaped)}</t></is></c>`;

export const numberCell = (text: string | number, as?: number): string =>
  `<c${as === undefined ? '' : ` s="${as}"`}><v>${text}</v></c>`;

/** Returns the function that writes a column's values from the texts that the API shows; it counts exceptions in `counts`. */
export function cellWriter(type: Type, counts: Exceptions): (text: string) => string {
  const text = (value: string) => {
    if (value.length <= maxLength) return textCell(value);
    counts.cut++;
    // Do not cut between the two halves of a surrogate pair.
    const isHigh = (value.charCodeAt(maxLength - 1) & 0xfc00) === 0xd800;
    return textCell(value.slice(0, maxLength - (isHigh ? 1 : 0)));
  };
  const number = (fits: (value: string) => boolean) => (value: string) => {
    if (fits(value)) return numberCell(value);
    counts.numbers++;
    return text(value);
  };
  const time = (as: number, serial: (value: string) => number | null) => (value: string) => {
    const days = serial(value);
    if (days !== null) return numberCell(days, as);
    counts.times++;
    return text(value);
  };
  switch (type.kind) {
    case 'int':
    case 'decimal':
      return number(isExact);
    case 'float':
      return number((value) => Number.isFinite(Number(value)));
    case 'bits':
      return type.length === 1 && !type.varying ? numberCell : text;
    case 'bool':
      return (value) =>
        value === 'true' || value === 'false' ? `<c t="b"><v>${value === 'true' ? 1 : 0}</v></c>` : text(value);
    case 'date':
      return time(style.date, dayOf);
    case 'timestamp':
      return time(style.timestamp, dayOf);
    case 'time':
      return type.span ? time(style.span, spanOf) : time(style.time, (value) => (value < '24' ? spanOf(value) : null));
    default:
      return text;
  }
}

const isNumeric = (value: string): boolean => value.charCodeAt(value.length - 1) <= 0x39;

function isExact(value: string): boolean {
  if (value.length <= maxDigits) return isNumeric(value);
  return value.length <= maxNumberLength && (parseDecimal(value)?.digits.length ?? Infinity) <= maxDigits;
}

/** Excel's day number, whose fraction is the time to the millisecond; null outside Excel's calendar. */
function dayOf(value: string): number | null {
  const moment = momentOf(value);
  if (moment === null || moment.day < firstDay || moment.day > lastDay) return null;
  return ((moment.day + epoch) * msPerDay + Math.floor(moment.micros / 1000)) / msPerDay;
}

function spanOf(value: string): number | null {
  const micros = microsOf(value);
  return micros === null ? null : Math.floor(micros / 1000) / msPerDay;
}
