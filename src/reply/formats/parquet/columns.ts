/** Column types and values as Parquet has them. Only float columns pass through a double, so all other numbers stay exact. */
import type { SchemaElement } from 'hyparquet-writer';
import type { Type } from '../../../model/table.ts';
import { encoder } from '../../../values/encode.ts';
import { itemsOf } from '../../../values/encode-array.ts';
import { microsOf, microsPerDay, momentOf } from '../../../values/moment.ts';

export type Value = string | number | bigint | boolean | Uint8Array | null | readonly Value[];

/** Takes a value that its Parquet type cannot hold, such as `infinity`, and returns null in its place. */
type Lose = (text: string) => null;

export interface ParquetColumn {
  /** The column's schema element, and for a list those of its inner levels. */
  readonly elements: readonly SchemaElement[];
  value(text: string | Uint8Array, lose: Lose): Value;
}

/** The type of a single value, as opposed to a list. */
interface Leaf {
  readonly element: Omit<SchemaElement, 'name'>;
  value(text: string, lose: Lose): Value;
}

/** Longer values are sent as bytes, uncompressed, and passed on at once: each step on their way would hold another copy. */
export const longValue = 1 << 20;
/** The largest precision that DuckDB's and Arrow's decimals have. */
const maxPrecision = 38;

/** Whether a column is a list in Parquet. Its values are then sent to the thread as the database's text. */
export const isList = (type: Type): type is Extract<Type, { kind: 'array' }> =>
  type.kind === 'array' && type.vector === undefined && type.of.kind !== 'array';

export function parquetColumn(name: string, type: Type): ParquetColumn {
  const repetition_type = 'OPTIONAL';
  if (!isList(type)) {
    const { element, value } = leafOf(type);
    return {
      elements: [{ name, repetition_type, ...element }],
      // Only binary columns have cells that are bytes.
      value: (text, lose) => (typeof text === 'string' ? value(text, lose) : text),
    };
  }
  const { element, value } = leafOf(type.of);
  const { plain } = encoder(type.of);
  return {
    elements: [
      { name, repetition_type, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type, ...element },
    ],
    value(text, lose) {
      const items = itemsOf(String(text));
      // A PostgreSQL array column may hold arrays with any number of dimensions.
      if (!items.every((item) => item === null || typeof item === 'string')) return lose(String(text));
      return items.map((item) => (item === null ? null : value(plain(item) ?? item, lose)));
    },
  };
}

const string: Leaf = {
  element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  value: (text) => text,
};
const int32: Leaf = { element: { type: 'INT32' }, value: Number };

function leafOf(type: Type): Leaf {
  switch (type.kind) {
    case 'int':
      if (type.wire === 'numeric') return decimal(String(type.max).length, 0);
      return type.wire === 'int8' ? { element: { type: 'INT64' }, value: BigInt } : int32;
    case 'decimal': {
      const [precision, scale] = [type.precision ?? Infinity, type.scale ?? 0];
      // PostgreSQL allows a scale below 0 or above the precision, Parquet does not.
      const digits = scale < 0 ? precision - scale : Math.max(precision, scale);
      return digits > maxPrecision ? string : decimal(digits, Math.max(0, scale));
    }
    case 'float':
      return { element: { type: type.bits === 32 ? 'FLOAT' : 'DOUBLE' }, value: Number };
    case 'bool':
      return bool;
    case 'bits':
      return type.length === 1 && !type.varying ? int32 : string;
    case 'date':
      return {
        element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
        value: (text, lose) => momentOf(text)?.day ?? lose(text),
      };
    case 'time':
      // A MySQL TIME may be negative or longer than a day, which Parquet's time cannot be.
      return type.span ? string : time;
    case 'timestamp':
      return timestamp(type.zoned);
    case 'uuid':
      return { ...string, element: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } } };
    case 'binary':
      return { element: { type: 'BYTE_ARRAY' }, value: (text) => Buffer.from(text.slice(2), 'hex') };
    default:
      return string;
  }
}

const bool: Leaf = {
  element: { type: 'BOOLEAN' },
  value: (text, lose) => (text === 'true' ? true : text === 'false' ? false : lose(text)),
};

const time: Leaf = {
  element: {
    ...{ type: 'INT64', converted_type: 'TIME_MICROS' },
    logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' },
  },
  value(text, lose) {
    const micros = microsOf(text);
    return micros === null || micros >= microsPerDay ? lose(text) : BigInt(micros);
  },
};

const timestamp = (isAdjustedToUTC: boolean): Leaf => ({
  element: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit: 'MICROS' } },
  value(text, lose) {
    const moment = momentOf(text);
    if (moment === null) return lose(text);
    const micros = BigInt(moment.day) * BigInt(microsPerDay) + BigInt(moment.micros);
    return BigInt.asIntN(64, micros) === micros ? micros : lose(text);
  },
});

function decimal(precision: number, scale: number): Leaf {
  const limit = 10n ** BigInt(precision);
  const bits = limit.toString(2).length + 1;
  const stored: Pick<SchemaElement, 'type' | 'type_length'> =
    precision <= 9
      ? { type: 'INT32' }
      : precision <= 18
        ? { type: 'INT64' }
        : { type: 'FIXED_LEN_BYTE_ARRAY', type_length: Math.ceil(bits / 8) };
  return {
    element: {
      ...{ ...stored, converted_type: 'DECIMAL', precision, scale },
      logical_type: { type: 'DECIMAL', precision, scale },
    },
    value(text, lose) {
      const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
      if (whole === undefined || fraction.length > scale) return lose(text);
      const unscaled = BigInt(whole + fraction.padEnd(scale, '0'));
      return unscaled >= limit || unscaled <= -limit ? lose(text) : unscaled;
    },
  };
}
