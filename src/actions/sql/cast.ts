/** CAST in a SELECT: the types it can cast to, and the types it can cast from without losing exactness. */
import { type Expr, int4, int8 } from '../../model/question.ts';
import { type SqlExpr, SqlFault } from '../../model/select.ts';
import type { Type } from '../../model/table.ts';
import { truncate } from '../../values/truncate.ts';
import { wireType } from '../query/columns.ts';
import { digitsOf, float8, limited, maxDigits, maxPlaces } from '../question/digits.ts';
import { bool, date, nothing, text, timestamp } from './constants.ts';

/** MySQL cannot hold whole numbers with more digits, and returns its largest one instead of an error. */
const maxWholeDigits = 18;

interface Castable {
  readonly to: Type;
  readonly from: readonly Type['kind'][];
}

const toInt: Castable = { to: int8, from: ['int', 'decimal', 'float'] };
const toFloat: Castable = { to: float8(false), from: ['int', 'decimal', 'float'] };
const toText: Castable = { to: text, from: ['int', 'decimal', 'bool', 'text', 'choice', 'date'] };
const anyNumeric: Type = { kind: 'decimal', precision: null, scale: null, nan: false };

/** PostgreSQL's names of the types, each with the kinds that can be cast to it. */
const types: ReadonlyMap<string, Castable> = new Map([
  ['int2', { ...toInt, to: int4 }],
  ['int4', { to: int4, from: [...toInt.from, 'bool'] } as const],
  ['int8', toInt],
  ...['float4', 'float8'].map((name) => [name, toFloat] as const),
  ...['text', 'varchar'].map((name) => [name, toText] as const),
  ['numeric', { to: anyNumeric, from: ['int', 'decimal', 'float'] } as const],
  ['bool', { to: bool, from: ['bool'] } as const],
  ['date', { to: date, from: ['date', 'timestamp'] } as const],
  ['timestamp', { to: timestamp, from: ['date', 'timestamp'] } as const],
]);

/** Casts a value. An untyped constant counts as a text, which may be cast to any type. */
export function castTo({ to: name, modifiers, of: sent, at }: Extract<SqlExpr, { is: 'cast' }>, of: Expr): Expr {
  const known = types.get(name);
  if (known === undefined) throw new SqlFault(`the type ${truncate(name)} is not supported`, at);
  const isConstant = of.is === 'value' && (sent.is === 'text' || sent.is === 'null');
  const { kind } = of.type;
  if (!isConstant && !known.from.includes(kind))
    throw new SqlFault(`a value of type ${wireType(of.type)} cannot be cast to ${wireType(known.to)}`, at);
  if (modifiers.length > 0 && name !== 'numeric')
    throw new SqlFault(`the type ${truncate(name)} takes no length here`, at);
  if (name === 'numeric') return toNumeric(of, modifiers, at);
  if (known.to === text && kind === 'decimal') mustHaveFixedScale(of, at);
  const isWide = of.type.kind === 'decimal' || (of.type.kind === 'int' && of.type.wire === 'numeric');
  const digits = isWide ? digitsOf(of.type) : null;
  if (known.to.kind === 'int' && digits !== null && digits.whole > maxWholeDigits)
    throw new SqlFault(`a numeric of more than ${maxWholeDigits} digits cannot be cast to a whole number`, at);
  return isSame(of.type, known.to) ? of : { is: 'cast', of, type: known.to };
}

/** Throws a `SqlFault` for a number whose digits PostgreSQL shows differently in each record, such as those of `coalesce(price, 0)`. */
export function mustHaveFixedScale(e: Expr, at: number): void {
  if (!hasFixedScale(e))
    throw new SqlFault('a computed numeric becomes a text only with a number of places, such as round(…, 2)', at);
}

/** Whether PostgreSQL shows all values with as many places as our type has. */
function hasFixedScale(e: Expr): boolean {
  switch (e.is) {
    case 'column':
      // The column of a subquery may be computed.
      return e.column.native !== '';
    case 'aggregate':
      return e.fn !== 'avg' && (e.of === null || hasFixedScale(e.of));
    case 'arithmetic':
      return e.op !== '/' && [e.left, e.right].every(hasFixedScale);
    case 'case':
      return haveScale(e, [...e.whens.map(({ value }) => value), ...(e.otherwise === null ? [] : [e.otherwise])]);
    case 'call':
      return e.fn === 'coalesce' ? haveScale(e, e.of) : e.fn !== 'abs' || e.of.every(hasFixedScale);
    case 'negative':
      return hasFixedScale(e.of);
    default:
      return e.is !== 'query';
  }
}

const haveScale = ({ type }: Expr, values: readonly Expr[]): boolean =>
  values.every(
    (one) => (one.is === 'value' && one.value === null) || (scaleOf(one.type) === scaleOf(type) && hasFixedScale(one)),
  );

const scaleOf = (type: Type): number | null => (type.kind === 'decimal' ? type.scale : 0);

/** Whether no cast is needed. An ENUM is not a text, and `wire` matters because an int4's sum has another type than an int8's. */
const isSame = (from: Type, to: Type): boolean =>
  from.kind === to.kind && (from.kind !== 'int' || to.kind !== 'int' || from.wire === to.wire);

function toNumeric(of: Expr, [precision, scale = 0]: readonly number[], at: number): Expr {
  const { type } = of;
  const refuse = (lacks: string) => new SqlFault(`a value of type ${wireType(type)} ${lacks}`, at);
  if (precision === undefined) {
    if (type.kind === 'float')
      throw new SqlFault('a double precision needs digits to become a numeric, such as numeric(20, 6)', at);
    if (type.kind !== 'int') return type.kind === 'decimal' ? of : { ...of, type: anyNumeric };
    return { is: 'cast', of, type: limited(digitsOf(type), type, 'numeric', refuse) };
  }
  if (precision < 1 || precision > maxDigits || scale < 0 || scale > maxPlaces || scale > precision)
    throw new SqlFault(
      `numeric(${precision}, ${scale}) must have up to ${maxDigits} digits, and up to ${maxPlaces} behind the point`,
      at,
    );
  const whole =
    type.kind === 'decimal' || type.kind === 'int' ? (digitsOf(type)?.whole ?? null) : maxDigits - maxPlaces;
  const to = limited(whole === null ? null : { whole: whole + 1, places: scale }, type, 'numeric', refuse);
  const scaled: Type = to.kind === 'decimal' ? { ...to, scale } : to;
  return of.is === 'value' && of.value === null ? nothing(scaled) : { is: 'cast', of, type: scaled };
}
