/** Writes the values and ranges of groups in the page's language. */
import type { Column } from '../ask/columns.ts';
import type { Table } from '../ask/table.ts';
import { dayInLanguage, monthInLanguage, numberInLanguage, timeInLanguage } from '../parts/in-language.ts';
import type { Bucket, Step } from './buckets.ts';
import { words } from './texts/index.ts';

/** A value. The digits of a number that identifies a record are not grouped. */
export function valueLabel(text: string, { name, kind }: Column, { key, references }: Labelled): string {
  const isIdentity = key.includes(name) || references.some(({ fields }) => fields.includes(name));
  if (kind === 'number' && !isIdentity) return numberInLanguage(text);
  return kind === 'time' ? timeInLanguage(text) : text;
}

export type Labelled = Pick<Table, 'key' | 'references'>;

/** A step of the calendar by its first moment; a range by its edges. */
export function rangeLabel({ text, end }: Pick<Bucket, 'text' | 'end'>, { kind }: Column, step: Step): string {
  const from = text ?? '';
  if (kind !== 'time') return `${numberInLanguage(from)} – ${numberInLanguage(end ?? '')}`;
  return stepLabel(from, step) ?? `${timeInLanguage(from)} – ${timeInLanguage(end ?? '')}`;
}

/** The name of a step of the calendar; null if the step has none, or the year has more than four digits. */
export function stepLabel(from: string, step: Step): string | null {
  const [, year, month] = /^(\d{4})-(\d\d)-\d\d(?:T|$)/.exec(from) ?? [];
  if (year === undefined || month === undefined || from < '0100' || from.endsWith(' BC')) return null;
  switch (step) {
    case 'year':
      return year;
    case 'quarter':
      return words.quarter(String(Math.ceil(Number(month) / 3)), year);
    case 'month':
      return monthInLanguage(from);
    case 'day':
      return dayInLanguage(from);
    default:
      return null;
  }
}
