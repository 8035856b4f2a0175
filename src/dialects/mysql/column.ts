/** Columns in SQL: their names, values and texts. */
import type { Statement } from '../../model/rows.ts';
import { type Column, hasZeroDate, type Table } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { builder, compiled, type Expression, id, type Knex, raw, template, type Value, word } from '../knex.ts';

/** Quotes an identifier. A backtick works with and without ANSI_QUOTES, and the driver ignores a `?` between backticks. */
export function quote(name: string): string {
  return `\`${name.replace(/`/g, '``')}\``;
}
export const knex = builder('mysql2', quote);

export const from = (table: Table): string => word(table.name);
export const statement = (query: Knex.QueryBuilder | Knex.Raw): Statement => compiled(knex, query, 'ordered');
export const prepared = (query: Knex.QueryBuilder) => template(knex, query, 'ordered');

/** SQL that selects a column (`??`): the column, or an expression where the text protocol would lose digits. */
export function output(column: Column): string {
  // FLOAT is sent with 6 digits, and the driver parses a DOUBLE with rounding errors: both travel as the text of a double. (`+ 0e0`
  // would lose the sign of -0. A DOUBLE is not multiplied: MySQL 8 and newer cut the text of an expression at 22 characters, and
  // `-2.2250738585072014e-308` has 24.)
  if (column.type.kind === 'float') return `CONCAT(??${column.type.bits === 32 ? ' * 1e0' : ''})`;
  if (/zerofill/.test(column.native)) return '?? + 0';
  // mysql2 refuses results with columns of these names; an expression has another name.
  if (/^__(proto|(define|lookup)[GS]etter)__$/.test(column.name)) return 'IF(TRUE, ??, NULL)';
  return isGeometry(column) ? 'ST_AsText(??)' : '??';
}

/** The result type of `output`; '' for an expression, which may have another type than the column. */
export const outputType = (column: Column): string => (output(column) === '??' ? column.resultType : '');
/** An output that has the columns' types, but only NULLs. It is one expression, because a raw per column of a wide table would be slow. */
export const typesOnly = (columns: readonly Column[]): Expression =>
  raw(columns.map(() => 'IF(FALSE, ??, NULL)').join(', ') || 'NULL', columns.map(id));
/** Columns whose types `output` hides, because it wraps them in an expression. Their types are selected separately. */
export const hidden = (columns: readonly Column[]): readonly Column[] =>
  columns.filter((column) => output(column) !== '??');

const isGeometry = (column: Column): boolean => column.type.kind === 'opaque' && column.type.wire === 'geometry';

/** SQL for a value to compare with a column. Numbers become literals (conversion has checked them): a quoted one compares as a double. */
export function literal(column: Column, bound: BoundValue): Value {
  if (typeof bound !== 'string') return bound;
  switch (column.type.kind) {
    case 'int':
    case 'decimal':
      // The text becomes part of the SQL. Conversion only lets numbers through; this throws if another column's value gets here by mistake.
      if (!isNumber.test(bound)) throw new TypeError('no number for a numeric column');
      return raw(bound);
    case 'float': {
      const double = column.type.bits === 32 ? Math.fround(Number(bound)) : Number(bound);
      const text = Object.is(double, -0) ? '-0' : String(double);
      return raw(text.includes('e') ? text : `${text}e0`);
    }
    case 'bool':
      return raw(bound === 'true' ? '1' : '0');
    case 'bits':
      return raw(String(BigInt(`0b0${bound}`)));
    default:
      return bound;
  }
}

const isNumber = /^-?\d+(\.\d+)?$/;

export const zeroDate = (column: Column): string =>
  column.type.kind === 'date' ? '0000-00-00' : '0000-00-00 00:00:00';

/** The text that the API shows (the same as `values/encode.ts` produces), as SQL over `??`, the column. Word searches match against it. */
export function shown(column: Column): string {
  switch (column.type.kind) {
    case 'bool':
      return "CASE ?? WHEN 0 THEN 'false' WHEN 1 THEN 'true' END";
    case 'bits':
      return column.type.length === 1 ? '(?? + 0)' : `LPAD(BIN(?? + 0), ${column.type.length ?? 1}, '0')`;
    case 'date':
      return "NULLIF(CONCAT(??), '0000-00-00')";
    case 'timestamp': {
      const text = "DATE_FORMAT(??, '%Y-%m-%dT%H:%i:%s.%f')";
      const trimmed = (from: number) => `TRIM(TRAILING '0' FROM SUBSTRING(${text}, ${from}))`;
      const whole =
        column.type.least === 0 ? `CONCAT(LEFT(${text}, 19), TRIM(TRAILING '.' FROM ${trimmed(20)}))` : null;
      const kept =
        whole ?? (column.type.digits <= 3 ? `LEFT(${text}, 23)` : `CONCAT(LEFT(${text}, 23), ${trimmed(24)})`);
      return `IF(?? = '${zeroDate(column)}', NULL, ${kept})`;
    }
    case 'int':
      return column.type.zero ? '(?? + 0)' : output(column);
    case 'float':
      return column.type.bits === 64 ? shownDouble(column.type.scale) : column.type.scale ? trimmed : '??';
    case 'time':
      return column.type.digits === 0 ? '??' : trimmed;
    default:
      return isGeometry(column) || /zerofill/.test(column.native) ? output(column) : '??';
  }
}

/** Removes trailing zeros of a fraction. */
const trimmed = "TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ??))";

/**
 * A double as the API shows it: `1e+15`, `1e-07`. MySQL writes exponents without `+` and leading zero. We count zeros, because it writes
 * `0.0000001` while that fits (to 1e-15, in MySQL 8 and newer in 23 characters). Multiplying removes the zeros that a DOUBLE(m,d) adds.
 */
function shownDouble(scale: number | undefined): string {
  const [text, size] = [scale === undefined ? 'CONCAT(??)' : 'CONCAT(?? * 1e0)', 'ABS(??)'];
  const unsigned = `TRIM(LEADING '-' FROM ${text})`;
  const digits = `TRIM(LEADING '0' FROM SUBSTRING(${unsigned}, 3))`;
  const power = `LPAD(CHAR_LENGTH(${unsigned}) - CHAR_LENGTH(${digits}) - 1, 2, '0')`;
  const point = `IF(CHAR_LENGTH(${digits}) > 1, '.', '')`;
  const counted = `CONCAT(IF(?? < 0, '-', ''), LEFT(${digits}, 1), ${point}, SUBSTRING(${digits}, 2), 'e-', ${power})`;
  const large = `WHEN ${size} >= 1e15 THEN REPLACE(${text}, 'e', 'e+') WHEN ${size} >= 1e-4 OR ${size} = 0 THEN ${text}`;
  const small = `WHEN ${text} LIKE '%e-_' THEN REPLACE(${text}, 'e-', 'e-0') WHEN ${text} LIKE '%e%' THEN ${text}`;
  return `CASE ${large} ${small} ELSE ${counted} END`;
}

/**
 * Without an index MySQL sorts texts only by the first `max_sort_length` bytes of their collation weights, but compares all of them. To
 * get the same order, we sort and compare long texts by a prefix whose weights fit: a character has up to 16 bytes.
 */
export const sortedBytes = 4096;
export const sortedCharacters = 255;

/** Whether values may be longer than the beginning that we sort by. */
export const isLong = ({ type }: Column): boolean =>
  (type.kind === 'text' || type.kind === 'binary') && (type.length === null || type.length > sortedCharacters);

/** SQL that sorts by a column. */
export const sorted = (column: Column): string => (isLong(column) ? `LEFT(??, ${sortedCharacters})` : '??');

/** SQL that sorts by a column with zero dates as NULL, for which no index helps. (NULLIF loses fractional digits in MySQL 5.6.) */
export const withoutZero = (column: Column): string =>
  hasZeroDate(column) ? `IF(?? = '${zeroDate(column)}', NULL, ??)` : sorted(column);
