/** The date and time functions of a SELECT. */
import { type Expr, type FormatPart, steps } from '../../model/question.ts';
import { SqlFault, type TimePart, timeParts } from '../../model/select.ts';
import type { Type } from '../../model/table.ts';
import { wireType } from '../query/columns.ts';
import { float8 } from '../question/digits.ts';
import { type Call, time, values, word } from './arguments.ts';
import { isTime } from './compare.ts';
import { date, text, timestamp } from './constants.ts';
import type { Place, Typing } from './typing.ts';

/** A year has up to six digits. */
const calendarNumber: Type = { kind: 'decimal', precision: 6, scale: 0, nan: false };

/** A call of a date or time function; null for any other function. Throws a `SqlFault` for wrong arguments. */
export function functionOfTime(call: Call, typer: Typing, place: Place): Expr | null {
  const { fn, at } = call;
  switch (fn) {
    case 'date_trunc': {
      const every = steps.find((one) => one === word(call));
      if (every === undefined) throw new SqlFault(`date_trunc takes one of ${steps.join(', ')}`, at);
      const of = time(call, typer, place, 2);
      const type = of.type.kind === 'timestamp' ? { ...of.type, digits: 0 } : { ...timestamp, digits: 0 };
      return { is: 'truncate', every, of: asTimestamp(of), type };
    }
    case 'extract':
    case 'date_part': {
      const part = timeParts.find((one) => one === word(call));
      if (part === undefined) throw new SqlFault(`${fn} takes one of ${timeParts.join(', ')}`, at);
      return extract(fn, part, time(call, typer, place, 2), at);
    }
    case 'date': {
      const [value] = values(call, typer, place, 1, 1);
      if (!isTime(value.type)) throw new SqlFault(`date needs a time, got: ${wireType(value.type)}`, at);
      return value.type.kind === 'date' ? value : { is: 'cast', of: value, type: date };
    }
    case 'to_char':
      return { is: 'format', format: formatOf(call), of: time(call, typer, place, 1), type: text };
    default:
      return null;
  }
}

const asTimestamp = (of: Expr): Expr => (of.type.kind === 'date' ? { is: 'cast', of, type: timestamp } : of);

/** `extract` returns a numeric and `date_part` a double, so their quotients have fractions. `extract` finds no hours in a date. */
function extract(fn: 'extract' | 'date_part', part: TimePart, of: Expr, at: number): Expr {
  if (fn === 'extract' && of.type.kind === 'date' && (part === 'hour' || part === 'minute'))
    throw new SqlFault(`extract finds no ${part} in a date`, at);
  const value: Expr = { is: 'extract', part, of: asTimestamp(of), type: calendarNumber };
  return fn === 'extract' ? value : { is: 'cast', of: value, type: float8(false) };
}

/** The format of `to_char`: parts of a time as numbers, with punctuation or quoted text between them. */
function formatOf(call: Call): readonly FormatPart[] {
  const format = call.args[1];
  if (format?.is !== 'text') throw new SqlFault('to_char takes a time and a format in quotes', call.at);
  const parts = format.text.match(/YYYY|HH24|MM|DD|MI|SS|"[^"]*"|[^A-Za-z"]+/g) ?? [];
  if (parts.join('') !== format.text)
    throw new SqlFault('the format of to_char has YYYY, MM, DD, HH24, MI, SS, punctuation and "text"', format.at);
  return parts.map((one) => {
    const part = (['YYYY', 'MM', 'DD', 'HH24', 'MI', 'SS'] as const).find((name) => name === one);
    return part === undefined ? { text: one.replaceAll('"', '') } : { part };
  });
}
