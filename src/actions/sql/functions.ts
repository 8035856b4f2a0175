/** The functions and aggregates of a SELECT. All others are refused alike, whether a database has them or not. */
import {
  type Aggregation,
  type Expr,
  type FormatPart,
  type FunctionName,
  int4,
  int8,
  steps,
} from '../../model/question.ts';
import { type SqlExpr, SqlFault, type TimePart, timeParts } from '../../model/select.ts';
import type { Type } from '../../model/table.ts';
import { truncate } from '../../values/truncate.ts';
import { canGroup } from '../aggregate/ranges.ts';
import { wireType } from '../query/columns.ts';
import { averageType, digitsOf, float8, limited, maxPlaces, sumType } from '../question/digits.ts';
import { mustHaveFixedScale } from './cast.ts';
import { commonType } from './common-type.ts';
import { compare, isNumber, isText, isTime } from './compare.ts';
import { bool, date, isUntyped, nothing, text, timestamp } from './constants.ts';
import type { Place, Typing } from './typing.ts';

type Call = Extract<SqlExpr, { is: 'call' }>;

export const aggregates: ReadonlySet<string> = new Set(['count', 'sum', 'avg', 'min', 'max', 'stddev_samp', 'stddev']);

/** The functions of one text. */
const ofText: ReadonlyMap<string, 'lower' | 'upper' | 'trim' | 'length'> = new Map([
  ...(['lower', 'upper', 'trim', 'length'] as const).map((name) => [name, name] as const),
  ...([
    ['btrim', 'trim'],
    ['char_length', 'length'],
    ['character_length', 'length'],
  ] as const),
]);
const rounding: ReadonlyMap<string, 'round' | 'floor' | 'ceil'> = new Map([
  ...([
    ['round', 'round'],
    ['floor', 'floor'],
    ['ceil', 'ceil'],
    ['ceiling', 'ceil'],
  ] as const),
]);

/** A call of a function of one record. Throws a `SqlFault` for an unknown one, and for arguments that it does not take. */
export function callOf(call: Call, typer: Typing, place: Place): Expr {
  const { fn, args, at } = call;
  const textFunction = ofText.get(fn);
  if (call.ofAll || call.distinct || call.filter !== null) throw new SqlFault(`${truncate(fn)} is no aggregate`, at);
  if (textFunction !== undefined) {
    const [value] = texts(call, typer, place, 1, 1);
    return callTo(textFunction, [value], textFunction === 'length' ? int4 : text);
  }
  const rounded = rounding.get(fn);
  if (rounded !== undefined) return round(rounded, call, typer, place);
  switch (fn) {
    case 'abs': {
      const [value] = values(call, typer, place, 1, 1);
      return callTo('abs', [value], numeric(value, call).kind === 'int' ? computedInt(value.type) : value.type);
    }
    case 'substring':
    case 'substr':
      return substring(call, typer, place);
    case 'concat': {
      const { of } = { of: args.map((one) => asText(typer.value(one, place), one.at)) };
      if (of.length === 0) throw wrongNumber(call, 'at least one argument');
      return { is: 'concat', skipsNull: true, of, type: text };
    }
    case 'coalesce': {
      const { of, type } = typer.alike(args, 'coalesce', place, at);
      return callTo('coalesce', of, type);
    }
    case 'nullif':
      return nullif(call, typer, place);
    case 'date_trunc': {
      const every = steps.find((one) => one === word(call));
      if (every === undefined) throw new SqlFault(`date_trunc takes one of ${steps.join(', ')}`, at);
      const of = time(call, typer, place, 2);
      const type = of.type.kind === 'timestamp' ? { ...of.type, digits: 0 } : { ...timestamp, digits: 0 };
      return { is: 'truncate', every, of: of.type.kind === 'date' ? { is: 'cast', of, type: timestamp } : of, type };
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
      throw new SqlFault(`the function ${truncate(fn)} is not supported`, at);
  }
}

/** An aggregate. @param of its arguments @param filter the records that count; null for all */
export function measure(call: Call, of: readonly Expr[], filter: Expr | null): Aggregation {
  const { fn, at } = call;
  const [argument, ...others] = of;
  const aggregate = (name: Aggregation['fn'], type: Type): Aggregation => ({
    ...{ is: 'aggregate', fn: name, of: argument ?? null, filter, type },
  });
  if (call.ofAll && fn === 'count') return aggregate('count', int8);
  if (argument === undefined || others.length > 0 || call.ofAll) throw wrongNumber(call, 'one argument');
  if (call.distinct && fn !== 'count') throw new SqlFault(`${fn}(DISTINCT …) is not supported`, at);
  const { type } = argument;
  const refuse = (lacks: string) => new SqlFault(`a value of type ${wireType(type)} ${lacks}`, at);
  switch (fn) {
    case 'count':
      if (call.distinct && !isGroupable(argument)) throw refuse('has no distinct values');
      return aggregate(call.distinct ? 'distinct' : 'count', int8);
    case 'sum':
      return aggregate('sum', sumType(type, refuse));
    case 'avg':
      return aggregate('avg', averageType(type, refuse));
    case 'min':
    case 'max':
      if (!['int', 'decimal', 'float', 'text', 'date', 'time', 'timestamp'].includes(type.kind))
        throw refuse(`has no ${fn}`);
      return aggregate(fn, type);
    default:
      if (!isNumber(type)) throw refuse(`has no ${fn}`);
      return aggregate('deviation', float8(type.kind === 'float' && type.nan));
  }
}

/** Whether records can be grouped by the expression. */
export const isGroupable = (e: Expr): boolean =>
  e.is === 'column'
    ? canGroup(e.column)
    : isNumber(e.type) || isText(e.type) || isTime(e.type) || e.type.kind === bool.kind;

const callTo = (fn: FunctionName, of: readonly Expr[], type: Type): Expr => ({ is: 'call', fn, of, type });

const wrongNumber = ({ fn, at, args }: Call, expected: string): SqlFault =>
  new SqlFault(`${truncate(fn)} takes ${expected}, got: ${args.length}`, at);

/** A year has up to six digits. */
const calendarNumber: Type = { kind: 'decimal', precision: 6, scale: 0, nan: false };

const numbers = ['no', 'one', 'two', 'three'];

/** The arguments, of which there must be so many. */
function values(call: Call, typer: Typing, place: Place, least: number, most: number): readonly [Expr, ...Expr[]] {
  const { args } = call;
  const [first, ...others] = args.map((one) => typer.value(one, place));
  if (first === undefined || args.length < least || args.length > most)
    throw wrongNumber(
      call,
      `${numbers[least]}${most > least ? ` to ${numbers[most]}` : ''} argument${most > 1 ? 's' : ''}`,
    );
  return [first, ...others];
}

function texts(call: Call, typer: Typing, place: Place, least: number, most: number): readonly [Expr, ...Expr[]] {
  const all = values(call, typer, place, least, most);
  if (isText(all[0].type)) return all;
  throw new SqlFault(`${call.fn} needs a text, got: ${wireType(all[0].type)}; use CAST(… AS text)`, call.at);
}

const computedInt = (type: Type): Type =>
  type.kind !== 'int' || type.wire === 'int8' ? int8 : type.wire === 'numeric' ? type : int4;

function numeric({ type }: Expr, { fn, at }: Call): Extract<Type, { kind: 'int' | 'decimal' | 'float' }> {
  if (type.kind === 'int' || type.kind === 'decimal' || type.kind === 'float') return type;
  throw new SqlFault(`${fn} needs a number, got: ${wireType(type)}`, at);
}

/** `nullif` has the type of its first argument, also if it is compared with a wider number. */
function nullif(call: Call, typer: Typing, place: Place): Expr {
  const [first, second, ...others] = call.args;
  if (first === undefined || second === undefined || others.length > 0) throw wrongNumber(call, 'two arguments');
  const left = isUntyped(first) ? null : typer.value(first, place);
  const right = isUntyped(second) ? typer.as(second, left?.type ?? text, place) : typer.value(second, place);
  const value = left ?? typer.as(first, right.type, place);
  const type = commonType([value.type], 'nullif', call.at);
  const isEqual = compare('=', value, right, call.at);
  return { is: 'case', whens: [{ when: isEqual, value: nothing(type) }], otherwise: value, type };
}

/** `round(x)`, `round(x, 2)`, `floor(x)`: whole numbers stay as they are, a double has exact digits only if it is rounded to some. */
function round(fn: 'round' | 'floor' | 'ceil', call: Call, typer: Typing, place: Place): Expr {
  const [value] = values(call, typer, place, 1, fn === 'round' ? 2 : 1);
  const type = numeric(value, call);
  const places = call.args.length === 2 ? wholeNumber(call, 1, maxPlaces) : null;
  if (type.kind === 'int') return places === null ? callTo(fn, [value], computedInt(type)) : value;
  if (type.kind === 'float' && places === null) return callTo(fn, [value], float8(type.nan));
  const whole = type.kind === 'float' ? 30 : (digitsOf(type)?.whole ?? null);
  const refuse = (lacks: string) => new SqlFault(`a value of type ${wireType(type)} ${lacks}`, call.at);
  const to = limited(whole === null ? null : { whole: whole + 1, places: places ?? 0 }, type, fn, refuse);
  return callTo(fn, [value], to.kind === 'decimal' ? { ...to, scale: places ?? 0 } : to);
}

function substring(call: Call, typer: Typing, place: Place): Expr {
  const [value, ...others] = texts(call, typer, place, 2, 3);
  const from = wholeNumber(call, 1, 999_999_999);
  if (from < 1) throw new SqlFault('substring begins with character 1 or later', call.at);
  if (others.length === 2) wholeNumber(call, 2, 999_999_999);
  return callTo('substring', [value, ...others], text);
}

/** An argument that must be a whole number from 0, as a constant. */
function wholeNumber({ fn, args, at }: Call, nth: number, most: number): number {
  const arg = args[nth];
  if (arg?.is === 'number' && /^\d{1,9}$/.test(arg.digits) && Number(arg.digits) <= most) return Number(arg.digits);
  throw new SqlFault(`${truncate(fn)} takes a whole number from 0 to ${most} here`, arg?.at ?? at);
}

/** `extract` is a numeric and `date_part` a double, so neither has whole quotients. A date has no hours for `extract`. */
function extract(fn: 'extract' | 'date_part', part: TimePart, of: Expr, at: number): Expr {
  if (fn === 'extract' && of.type.kind === 'date' && (part === 'hour' || part === 'minute'))
    throw new SqlFault(`extract finds no ${part} in a date`, at);
  const moment: Expr = of.type.kind === 'date' ? { is: 'cast', of, type: timestamp } : of;
  const value: Expr = { is: 'extract', part, of: moment, type: calendarNumber };
  return fn === 'extract' ? value : { is: 'cast', of: value, type: float8(false) };
}

/** A text, or a number or boolean as `concat` writes it: a boolean as `t` or `f`. */
function asText(value: Expr, at: number): Expr {
  if (isText(value.type)) return value;
  if (value.type.kind === 'bool') {
    const word = (test: boolean) => ({
      when: { is: 'truthTest', test: { value: test, not: false }, of: value, type: bool } as const,
      value: { is: 'value', value: test ? 't' : 'f', type: text } as const,
    });
    return { is: 'case', whens: [word(true), word(false)], otherwise: null, type: text };
  }
  if (value.type.kind === 'decimal') mustHaveFixedScale(value, at);
  if (['int', 'decimal', 'date'].includes(value.type.kind)) return { is: 'cast', of: value, type: text };
  throw new SqlFault(`concat takes texts, got: ${wireType(value.type)}`, at);
}

/** The first argument as a word, such as `month`. */
function word({ args: [first] }: Call): string | null {
  return first?.is === 'text' ? first.text.trim().toLowerCase() : null;
}

/** The argument of a function of a time and a text. @param nth its place, from 1 */
function time(call: Call, typer: Typing, place: Place, nth: 1 | 2): Expr {
  const arg = call.args[nth - 1];
  if (arg === undefined || call.args.length !== 2) throw wrongNumber(call, 'two arguments');
  const value = typer.as(arg, timestamp, place);
  if (isTime(value.type)) return value;
  throw new SqlFault(`${call.fn} needs a date or a time, got: ${wireType(value.type)}`, arg.at);
}

/** The format of `to_char`: numbers of a time, with punctuation or quoted text between them. */
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
