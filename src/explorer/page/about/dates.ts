import { say } from '../texts/index.ts';

const days = new Intl.DateTimeFormat(say.language, { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a date or a time, in the language of the page; the text itself if it has no day, such as a year. */
export function shownDay(written: string): string {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(written) ?? [];
  return day === undefined ? written : days.format(new Date(day));
}

/** Today where the reader is. */
export const today = (): string => new Intl.DateTimeFormat(say.language, { dateStyle: 'medium' }).format(new Date());
