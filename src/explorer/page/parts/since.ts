/** How long ago something was, as text. */
import { say } from '../texts/index.ts';
import { timeOf } from './moment.ts';

const format = new Intl.RelativeTimeFormat(say.language, { numeric: 'always' });
const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** @param time a time as the API writes it @returns '' if the time cannot be read */
export function sinceText(time: string, now = Date.now()): string {
  const at = timeOf(time);
  if (Number.isNaN(at)) return '';
  const seconds = (at - now) / 1000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return format.format(Math.trunc(seconds / length), unit);
}

/** Whether a time is less than a minute ago. */
export const isNow = (time: string, now = Date.now()): boolean => Math.abs(timeOf(time) - now) < 60_000;
