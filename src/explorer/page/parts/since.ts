/** How long ago something was, in words. */
import { say } from '../texts/index.ts';

const format = new Intl.RelativeTimeFormat(say.language, { numeric: 'always' });
const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** @param time as the API writes it, in UTC if it names no zone; '' for a time that it cannot write */
export function sinceText(time: string, now = Date.now()): string {
  const hasZone = !time.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(time);
  const at = Date.parse(hasZone ? time : `${time}Z`);
  if (Number.isNaN(at)) return '';
  const seconds = (at - now) / 1000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return format.format(Math.trunc(seconds / length), unit);
}
