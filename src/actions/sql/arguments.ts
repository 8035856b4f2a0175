/** The arguments of a function in a SELECT. */

import type { Expr } from '../../model/question.ts';
import { type SqlExpr, SqlFault } from '../../model/select.ts';
import { isText } from '../../model/table.ts';
import { truncate } from '../../values/truncate.ts';
import { wireType } from '../query/columns.ts';
import type { NumberType } from '../question/digits.ts';
import { isTime } from './compare.ts';
import { timestamp } from './constants.ts';
import type { Place, Typing } from './typing.ts';

export type Call = Extract<SqlExpr, { is: 'call' }>;

export const wrongNumber = ({ fn, at, args }: Call, expected: string): SqlFault =>
  new SqlFault(`${truncate(fn)} takes ${expected}, got: ${args.length}`, at);

const numbers = ['no', 'one', 'two', 'three'];

/** The arguments of a call. Throws a `SqlFault` unless there are `least` to `most`. */
export function values(
  call: Call,
  typer: Typing,
  place: Place,
  least: number,
  most: number,
): readonly [Expr, ...Expr[]] {
  const { args } = call;
  const [first, ...others] = args.map((one) => typer.value(one, place));
  if (first === undefined || args.length < least || args.length > most)
    throw wrongNumber(
      call,
      `${numbers[least]}${most > least ? ` to ${numbers[most]}` : ''} argument${most > 1 ? 's' : ''}`,
    );
  return [first, ...others];
}

/** Like `values`, but the first argument must be a text. */
export function texts(
  call: Call,
  typer: Typing,
  place: Place,
  least: number,
  most: number,
): readonly [Expr, ...Expr[]] {
  const all = values(call, typer, place, least, most);
  if (isText(all[0].type)) return all;
  throw new SqlFault(`${call.fn} needs a text, got: ${wireType(all[0].type)}; use CAST(… AS text)`, call.at);
}

/** The type of an argument that must be a number. */
export function numeric({ type }: Expr, { fn, at }: Call): NumberType {
  if (type.kind === 'int' || type.kind === 'decimal' || type.kind === 'float') return type;
  throw new SqlFault(`${fn} needs a number, got: ${wireType(type)}`, at);
}

/** An argument that must be a whole number from 0, as a constant. */
export function wholeNumber({ fn, args, at }: Call, nth: number, most: number): number {
  const arg = args[nth];
  if (arg?.is === 'number' && /^\d{1,9}$/.test(arg.digits) && Number(arg.digits) <= most) return Number(arg.digits);
  throw new SqlFault(`${truncate(fn)} takes a whole number from 0 to ${most} here`, arg?.at ?? at);
}

/** The first argument as a word, such as `month`. */
export function word({ args: [first] }: Call): string | null {
  return first?.is === 'text' ? first.text.trim().toLowerCase() : null;
}

/** The time among the arguments of a function that takes a time and a text. @param nth its position, from 1 */
export function time(call: Call, typer: Typing, place: Place, nth: 1 | 2): Expr {
  const arg = call.args[nth - 1];
  if (arg === undefined || call.args.length !== 2) throw wrongNumber(call, 'two arguments');
  const value = typer.as(arg, timestamp, place);
  if (isTime(value.type)) return value;
  throw new SqlFault(`${call.fn} needs a date or a time, got: ${wireType(value.type)}`, arg.at);
}
