import { utcDay, utcMonth, utcYear } from 'd3-time';

/** The shortest label for a tick: its year, month, day or time. */
export function timeLabel(at: Date): string {
  const text = at.toISOString();
  const [year, rest] = [at.getUTCFullYear(), text.slice(text.indexOf('-', 1))];
  if (utcYear(at).getTime() === at.getTime()) return `${year}`;
  if (utcMonth(at).getTime() === at.getTime()) return `${year}${rest.slice(0, 3)}`;
  return utcDay(at).getTime() === at.getTime() ? `${year}${rest.slice(0, 6)}` : rest.slice(1, 12).replace('T', ' ');
}
