/** CAST in a SELECT: the types that it knows, and from which types it can cast exactly. */
import { type Expr, int8 } from '../../model/question.ts';
import { type SqlExpr, SqlFault } from '../../model/select.ts';
import type { Type } from '../../model/table.ts';
import { truncate } from '../../values/truncate.ts';
import { wireType } from '../query/columns.ts';
import { digitsOf, float8, limited, maxDigits, maxPlaces } from '../question/digits.ts';
import { bool, date, text, timestamp } from './constants.ts';

/** Whole numbers of more digits are out of MySQL's range, which answers the largest one instead of an error. */
const maxWholeDigits = 18;

interface Castable {
  readonly to: Type;
  readonly from: readonly Type['kind'][];
}

const toInt: Castable = { to: int8, from: ['int', 'decimal', 'float', 'bool'] };
const toFloat: Castable = { to: float8(false), from: ['int', 'decimal', 'float'] };
const toText: Castable = { to: text, from: ['int', 'decimal', 'bool', 'text', 'choice', 'date'] };
const anyNumeric: Type = { kind: 'decimal', precision: null, scale: null, nan: false };

/** PostgreSQL's names of the types, each with the kinds that can be cast to it. */
const types: ReadonlyMap<string, Castable> = new Map([
  ...['int2', 'int4', 'int8'].map((name) => [name, toInt] as const),
  ...['float4', 'float8'].map((name) => [name, toFloat] as const),
  ...['text', 'varchar'].map((name) => [name, toText] as const),
  ['numeric', { to: anyNumeric, from: ['int', 'decimal', 'float'] } as const],
  ['bool', { to: bool, from: ['bool'] } as const],
  ['date', { to: date, from: ['date', 'timestamp'] } as const],
  ['timestamp', { to: timestamp, from: ['date', 'timestamp'] } as const],
]);

/** A cast of a value. A constant without a type has that of a text, which may be cast to any type. */
export function castTo({ to: name, modifiers, of: sent, at }: Extract<SqlExpr, { is: 'cast' }>, of: Expr): Expr {
  const known = types.get(name);
  if (known === undefined) throw new SqlFault(`the type ${truncate(name)} is not supported`, at);
  const isConstant = of.is === 'value' && (sent.is === 'text' || sent.is === 'null');
  const { kind } = of.type;
  if (!isConstant && !known.from.includes(kind))
    throw new SqlFault(`a ${wireType(of.type)} cannot be cast to ${wireType(known.to)}`, at);
  if (modifiers.length > 0 && name !== 'numeric')
    throw new SqlFault(`the type ${truncate(name)} takes no length here`, at);
  if (name === 'numeric') return toNumeric(of, modifiers, at);
  const digits = kind === 'decimal' ? digitsOf(of.type) : null;
  if (known.to === int8 && digits !== null && digits.whole > maxWholeDigits)
    throw new SqlFault(`a numeric of more than ${maxWholeDigits} digits cannot be cast to a whole number`, at);
  return isSame(of.type, known.to) ? of : { is: 'cast', of, type: known.to };
}

/** An int4 is as good as an int8; a flag or an ENUM is to become a value of its own. */
const isSame = (from: Type, to: Type): boolean =>
  from.kind === to.kind && !(from.kind === 'int' && from.wire === 'numeric');

function toNumeric(of: Expr, [precision, scale = 0]: readonly number[], at: number): Expr {
  const { type } = of;
  const refuse = (lacks: string) => new SqlFault(`a ${wireType(type)} ${lacks}`, at);
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
  return { is: 'cast', of, type: to.kind === 'decimal' ? { ...to, scale } : to };
}
