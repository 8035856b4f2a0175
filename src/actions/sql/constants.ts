/** Constants of a SELECT: numbers with all of their digits, and texts that take the type of what they are compared with. */
import { type Expr, int4, int8 } from '../../model/question.ts';
import { type SqlExpr, SqlFault } from '../../model/select.ts';
import type { Type } from '../../model/table.ts';
import { convert, typeName } from '../../values/convert.ts';
import { truncate } from '../../values/truncate.ts';

export const text: Type = { kind: 'text', length: null, padded: false, nul: false };
export const bool: Type = { kind: 'bool' };
export const date: Type = { kind: 'date', infinite: false };
export const timestamp: Extract<Type, { kind: 'timestamp' }> = {
  kind: 'timestamp',
  digits: 6,
  zoned: false,
  infinite: false,
};

/** A text or NULL, which has no type of its own. */
export const isUntyped = (e: SqlExpr): e is Extract<SqlExpr, { is: 'text' | 'null' }> =>
  e.is === 'text' || e.is === 'null';

export const nothing = (type: Type): Expr => ({ is: 'value', value: null, type });
export const flag = (value: boolean): Expr => ({ is: 'value', value: String(value), type: bool });

/** A number, typed by its digits: an int4 or int8 if it fits, as in PostgreSQL, so that its quotients are whole numbers. */
export function number(digits: string): Expr {
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const value = fraction === '' ? BigInt(digits) : null;
  if (value !== null && BigInt.asIntN(64, value) === value)
    return { is: 'value', value: digits, type: BigInt.asIntN(32, value) === value ? int4 : int8 };
  const type: Type = { kind: 'decimal', precision: whole.length + fraction.length, scale: fraction.length, nan: false };
  return { is: 'value', value: digits, type };
}

/** Reads a text as a constant of a type. Throws a `SqlFault` if it is not valid, or if the type has no constants. */
export function constant({ text: given, at }: Extract<SqlExpr, { is: 'text' }>, type: Type): Expr {
  const { kind } = type;
  if (kind === 'text' || kind === 'choice') return { is: 'value', value: given, type: text };
  const to =
    kind === 'int'
      ? type.wire === 'int2' || type.wire === 'int4'
        ? int4
        : int8
      : kind === 'date'
        ? date
        : kind === 'timestamp'
          ? { ...timestamp, zoned: type.zoned }
          : type;
  const exact: Type = kind === 'decimal' ? { kind, precision: null, scale: null, nan: false } : to;
  if (!['int', 'decimal', 'float', 'bool', 'date', 'timestamp'].includes(kind))
    throw new SqlFault(`a value of type ${typeName(type)} cannot be compared here`, at);
  const converted = convert(given.trim(), exact);
  const isNumber = kind === 'int' || kind === 'decimal' || kind === 'float';
  if (converted.is !== 'value' || typeof converted.value !== 'string' || (isNumber && !/^-?\d/.test(converted.value)))
    throw new SqlFault(`"${truncate(given)}" is no valid ${typeName(type)}`, at);
  if (kind !== 'decimal') return { is: 'value', value: converted.value, type: to };
  if (!/^-?\d{1,35}(\.\d{1,30})?$/.test(converted.value))
    throw new SqlFault(`"${truncate(given)}" has too many digits`, at);
  return number(converted.value);
}
