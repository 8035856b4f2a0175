/** Pure. A column's type → the JSON Schema of its values, in answers and in writes. */
import { LosslessNumber } from 'lossless-json';
import { type Column, hasEquality, type Type, takesBooleans } from '../../model/table.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { greatest, writeDecimal } from '../../values/decimal.ts';

/** The schema of a column in an answer. Dates are always nullable, because MySQL's zero dates become null. */
export function shown({ type, nullable }: Column): JsonObject {
  const isDate = type.kind === 'date' || type.kind === 'timestamp';
  return nullable || isDate ? orNull(value(type)) : value(type);
}

/** The schema of a column in a write. */
export function written({ type, nullable }: Column): JsonObject {
  const narrowed = { ...accepted(type), ...storable(type) };
  return nullable ? orNull(narrowed) : narrowed;
}

/** The schema of a column in a filter; null for a type that cannot be filtered. */
export function compared({ type }: Column): JsonObject | null {
  return hasEquality(type) ? accepted(type) : null;
}

export function orNull(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: 'null' }] };
}

const day = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const clock = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?';
const notFinite: JsonObject = { enum: ['NaN', 'Infinity', '-Infinity'] };

function value(type: Type): JsonObject {
  switch (type.kind) {
    case 'int':
      return { type: 'integer', minimum: number(type.zero ? 0n : type.min), maximum: number(type.max) };
    case 'decimal':
      return type.nan
        ? { anyOf: [{ type: 'number' }, type.infinite ? notFinite : { enum: ['NaN'] }] }
        : { type: 'number' };
    case 'float':
      return type.nan ? { anyOf: [{ type: 'number' }, notFinite] } : { type: 'number' };
    case 'bool':
      return { type: 'boolean' };
    case 'choice':
      return type.many ? { type: 'string' } : { enum: type.values };
    case 'date':
      return type.infinite ? { type: 'string' } : { type: 'string', pattern: `^${day}$` };
    case 'timestamp':
      return type.infinite
        ? { type: 'string' }
        : { type: 'string', pattern: `^${day}T${clock}(Z|[+-]\\d\\d:\\d\\d)?$` };
    case 'time':
      return {
        type: 'string',
        pattern: type.span ? '^-?\\d{2,3}:[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?$' : '^\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?$',
      };
    case 'json':
      return {};
    case 'binary':
      return { type: 'string', pattern: '^\\\\x([0-9a-f]{2})*$' };
    case 'bits':
      return type.length === 1 && !type.varying
        ? { type: 'integer', minimum: 0, maximum: 1 }
        : { type: 'string', pattern: '^[01]*$' };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'array':
      return { type: 'array', items: { anyOf: [value(type.of), { type: ['array', 'null'] }] } };
    default:
      return { type: 'string' };
  }
}

/** The schema of a value that a client sends: some integer columns also take booleans. */
function accepted(type: Type): JsonObject {
  return { ...value(type), ...(takesBooleans(type) ? { type: ['integer', 'boolean'] } : {}) };
}

/** The schema's restrictions for values that a client writes; answers don't need them. */
function storable(type: Type): JsonObject {
  switch (type.kind) {
    case 'decimal':
      return type.precision === null || type.nan ? {} : digits(type.precision, type.scale ?? 0);
    case 'text':
      return {
        ...(type.length === null ? {} : { maxLength: type.length }),
        ...(type.nul ? {} : { pattern: '^[^\\u0000]*$' }),
      };
    case 'date':
      return { pattern: `^${day}$` };
    case 'timestamp':
      return { pattern: type.zoned ? `^${day}T${clock}(Z|[+-]\\d\\d:\\d\\d)$` : `^${day}T${clock}Z?$` };
    case 'time':
      return type.span ? {} : { pattern: `^${clock}$` };
    default:
      return {};
  }
}

/** The limits of a number with `precision` digits, of which `scale` are after the point. */
function digits(precision: number, scale: number): JsonObject {
  const most = writeDecimal(greatest(precision, scale));
  return { minimum: new LosslessNumber(`-${most}`), maximum: new LosslessNumber(most) };
}

/** A number for JSON that keeps all its digits, even beyond 2^53. */
function number(of: bigint): Json {
  const near = Number(of);
  return Number.isSafeInteger(near) ? near : new LosslessNumber(String(of));
}
