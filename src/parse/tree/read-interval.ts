/** The text of an interval constant. Pure. */
import { SqlFault } from '../../model/select.ts';

interface Span {
  readonly months: number;
  readonly seconds: number;
}

/** A day has 24 hours, because all times are in UTC. */
const units: ReadonlyMap<string, Span> = new Map([
  ['year', { months: 12, seconds: 0 }],
  ['month', { months: 1, seconds: 0 }],
  ['mon', { months: 1, seconds: 0 }],
  ['week', { months: 0, seconds: 604_800 }],
  ['day', { months: 0, seconds: 86_400 }],
  ['hour', { months: 0, seconds: 3600 }],
  ['minute', { months: 0, seconds: 60 }],
  ['min', { months: 0, seconds: 60 }],
  ['second', { months: 0, seconds: 1 }],
  ['sec', { months: 0, seconds: 1 }],
]);

/** The parser's bits for the unit in `INTERVAL '1' YEAR` (`INTERVAL_MASK` in PostgreSQL). */
const unitOfBits: ReadonlyMap<number, string> = new Map([
  [1 << 2, 'year'],
  [1 << 1, 'month'],
  [1 << 3, 'day'],
  [1 << 10, 'hour'],
  [1 << 11, 'minute'],
  [1 << 12, 'second'],
]);

/** Ten thousand years: no engine has dates further apart. */
const maxMonths = 120_000;
const maxSeconds = 10_000 * 366 * 86_400;

/**
 * Reads whole numbers of units, such as `1 year -3 days`.
 * @param modifiers the type's modifiers: the unit in `INTERVAL '1' YEAR`
 * @throws SqlFault for any other of PostgreSQL's many spellings
 */
export function readInterval(text: string, modifiers: readonly number[], at: number): Span {
  const refused = new SqlFault(
    "an interval must have whole numbers of years, months, weeks, days, hours, minutes or seconds, such as '1 month 3 days'",
    at,
  );
  const spelled = modifiers.length === 0 ? text : `${text} ${unitOfBits.get(modifiers[0] ?? 0)}`;
  const isBareNumber = /^\s*[+-]?\d{1,12}\s*$/.test(text);
  if (modifiers.length > 1 || (modifiers.length === 1 && !isBareNumber)) throw refused;
  const used = new Set<string>();
  let [months, seconds] = [0, 0];
  for (const part of spelled.trim().split(/\s+(?=[+-]?\d)/)) {
    const [, number, word = ''] = /^([+-]?\d{1,12})\s*([a-z]+)$/i.exec(part) ?? [];
    const name = word.toLowerCase();
    const unit = units.get(name) ?? units.get(name.replace(/s$/, ''));
    const key = name.slice(0, 3);
    // PostgreSQL refuses a unit that occurs twice.
    if (number === undefined || unit === undefined || used.has(key)) throw refused;
    used.add(key);
    months += unit.months * Number(number);
    seconds += unit.seconds * Number(number);
  }
  if (Math.abs(months) > maxMonths || Math.abs(seconds) > maxSeconds) throw refused;
  return { months, seconds };
}
