import { say } from '../texts/index.ts';

const days = new Intl.DateTimeFormat(say.language, { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a date or time, in the page's language; the text itself if it has no day, such as a year. */
export function shownDay(written: string): string {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(written) ?? [];
  return day === undefined ? written : days.format(new Date(day));
}

/** Today's date in the reader's time zone. */
export const today = (): string => new Intl.DateTimeFormat(say.language, { dateStyle: 'medium' }).format(new Date());
