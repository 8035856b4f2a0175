/** The functions of a SELECT. All others are refused alike, whether a database has them or not. */
import { type Expr, type FunctionName, int4, int8 } from '../../model/question.ts';
import { SqlFault } from '../../model/select.ts';
import { isText, type Type } from '../../model/table.ts';
import { truncate } from '../../values/truncate.ts';
import { wireType } from '../query/columns.ts';
import { digitsOf, float8, limited, maxPlaces } from '../question/digits.ts';
import { type Call, numeric, texts, values, wholeNumber, wrongNumber } from './arguments.ts';
import { mustHaveFixedScale } from './cast.ts';
import { commonType } from './common-type.ts';
import { compare } from './compare.ts';
import { bool, isUntyped, nothing, text } from './constants.ts';
import { functionOfTime } from './times.ts';
import type { Place, Typing } from './typing.ts';

/** The functions with a single text as argument. */
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

/** A call of a function that computes from one record. Throws a `SqlFault` for an unknown function or wrong arguments. */
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
      const of = args.map((one) => asText(typer.value(one, place), one.at));
      if (of.length === 0) throw wrongNumber(call, 'at least one argument');
      return { is: 'concat', skipsNull: true, of, type: text };
    }
    case 'coalesce': {
      const { of, type } = typer.alike(args, 'coalesce', place, at);
      return callTo('coalesce', of, type);
    }
    case 'nullif':
      return nullif(call, typer, place);
    default: {
      const ofTime = functionOfTime(call, typer, place);
      if (ofTime === null) throw new SqlFault(`the function ${truncate(fn)} is not supported`, at);
      return ofTime;
    }
  }
}

const callTo = (fn: FunctionName, of: readonly Expr[], type: Type): Expr => ({ is: 'call', fn, of, type });

const computedInt = (type: Type): Type =>
  type.kind !== 'int' || type.wire === 'int8' ? int8 : type.wire === 'numeric' ? type : int4;

/** `nullif` has the type of its first argument, even if that is compared with a wider number. */
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

/** `round(x)`, `round(x, 2)`, `floor(x)`: whole numbers stay whole. A double has exact digits, as a decimal, only with a number of places. */
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
