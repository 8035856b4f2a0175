/** Calendar arithmetic on MySQL and MariaDB; each `??` is a time. */
import type { Step } from '../../model/question.ts';
import type { TimePart } from '../../model/select.ts';

/** The beginning of the calendar unit that contains a time. (MAKEDATE would read years below 100 as 1970 to 2069.) */
export const beginnings: Readonly<Record<Step, string>> = {
  year: 'DATE(??) - INTERVAL (DAYOFYEAR(??) - 1) DAY',
  quarter: 'DATE(??) - INTERVAL (DAYOFYEAR(??) - 1) DAY + INTERVAL (QUARTER(??) - 1) QUARTER',
  month: 'DATE(??) - INTERVAL (DAYOFMONTH(??) - 1) DAY',
  week: 'DATE(??) - INTERVAL WEEKDAY(??) DAY',
  day: 'DATE(??)',
  hour: "DATE_FORMAT(??, '%Y-%m-%d %H:00:00')",
  minute: "DATE_FORMAT(??, '%Y-%m-%d %H:%i:00')",
  second: "DATE_FORMAT(??, '%Y-%m-%d %H:%i:%s')",
};

/** The parts of a time that `extract` returns. */
export const parts: Readonly<Record<TimePart, string>> = {
  year: 'YEAR(??)',
  quarter: 'QUARTER(??)',
  month: 'MONTH(??)',
  week: 'WEEK(??, 3)',
  day: 'DAYOFMONTH(??)',
  dow: '(DAYOFWEEK(??) - 1)',
  isodow: '(WEEKDAY(??) + 1)',
  doy: 'DAYOFYEAR(??)',
  hour: 'HOUR(??)',
  minute: 'MINUTE(??)',
};

/** The format letters of `to_char`, in the spelling of DATE_FORMAT. */
export const formats = { YYYY: '%Y', MM: '%m', DD: '%d', HH24: '%H', MI: '%i', SS: '%s' } as const;
