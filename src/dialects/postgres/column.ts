/** Columns in SQL: their names, values and texts. */
import type { Values } from '../../model/dialect/edit.ts';
import type { Statement } from '../../model/rows.ts';
import { type Column, isFlag, type Table, type Type } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { builder, compiled, type Expression, id, type Knex, type Operand, of, raw, template, word } from '../knex.ts';

/** Quotes an identifier. Names come from the catalogue and are never parsed. */
export function quote(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}
export const knex = builder('pg', quote);

export const from = (table: Table): string => `${word(table.schema ?? 'public')}.${word(table.name)}`;
/** An output that has the columns' types, but only NULLs. It is one expression, because a raw per column of a wide table would be slow. */
export const typesOnly = (columns: readonly Column[]): Expression =>
  raw(columns.map(() => 'CASE WHEN FALSE THEN ?? END').join(', ') || 'NULL', columns.map(id));
export const statement = (query: Knex.QueryBuilder | Knex.Raw): Statement => compiled(knex, query, 'numbered');
/**
 * A query's text for COPY, which takes no parameters. A quoted value, like a parameter, has no type yet, and takes its column's type. Both
 * characters that could end it are doubled, whatever `standard_conforming_strings` says
 * (https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-STRINGS-ESCAPE). U+0000 is refused, as in a parameter.
 */
export const inlined = (query: Knex.QueryBuilder): string => compiled(knex, query, quotedValue).text;

function quotedValue(value: BoundValue | null): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return `E'\\\\x${Buffer.from(value).toString('hex')}'`;
  return `E'${value.replace(/['\\\0]/g, (char) => (char === '\0' ? '\\000' : char + char))}'`;
}

/** Compiles a query with slots once. */
export const filled = (query: Knex.QueryBuilder): ((row: Values) => Statement) => template(knex, query, 'numbered');
/** Compiles a query with slots into a prepared statement, which each session parses once. */
export function prepared(query: Knex.QueryBuilder): (row: Values) => Statement {
  const fill = filled(query);
  return (row) => ({ ...fill(row), template: fill });
}

/** A value as text for the server to parse. Parameters have no type, and take the type of the column they are compared with. */
export function literal(column: Column, bound: BoundValue): string {
  if (typeof bound !== 'string') return `\\x${Buffer.from(bound).toString('hex')}`;
  return isFlag(column) ? String(Number(bound === 'true')) : bound;
}

/** An array literal of these values; the server parses each as the array's element type. */
export function arrayLiteral(literals: readonly (string | null)[]): string {
  const elements = literals.map((one) =>
    one === null ? 'NULL' : `"${/[\\"]/.test(one) ? one.replace(/[\\"]/g, '\\$&') : one}"`,
  );
  return `{${elements.join(',')}}`;
}

/** The text that the API shows (the same as `values/encode.ts` produces), as SQL over `??`, the column. Word searches match against it. */
export function shown(column: Column): string {
  switch (column.type.kind) {
    case 'text':
      return column.native === 'text' ? '??' : '??::text';
    case 'timestamp':
      if (column.type.least === 0) return "regexp_replace(??::text, ' ', 'T')";
      if (!column.type.zoned) return shownTimestamp;
      return "regexp_replace(regexp_replace(??::text, ' ', 'T'), '([+-]\\d\\d)( BC)\\?$', '\\1:00\\2')";
    case 'bool':
      return isFlag(column) ? "CASE ?? WHEN 0 THEN 'false' WHEN 1 THEN 'true' END" : '??::text';
    case 'array':
      return `to_json(${array(column)}${isPadded(column.type) ? '::text[]' : ''})::text`;
    case 'opaque':
      // A cast to text would append `/32` or `/128` to a single address.
      return column.type.wire === 'inet' ? 'textin(inet_out(??))' : '??::text';
    default:
      return '??::text';
  }
}

const array = ({ type }: Column): string =>
  type.kind === 'array' && type.vector !== undefined ? `??::${type.vector}` : '??';
/** Whether the type is CHAR(n), or an array of it: a cast to text strips the padding. */
const isPadded = (type: Type): boolean =>
  type.kind === 'array' ? isPadded(type.of) : type.kind === 'text' && type.padded;
/** An array column as an operand: `int2vector` and `oidvector` need a cast to a real array. */
export const arrayOperand = (column: Column): Operand => of(column, array(column));

/** The API shows at least three fractional digits. Regular expressions take most of a dump's time, so only unusual values use them. */
const [text, iso] = ['??::text', "replace(??::text, ' ', 'T')"];
const oddTimestamp = [
  `CASE WHEN NOT isfinite(??) THEN ${text}`,
  `WHEN ??::timestamp(0) = ?? THEN regexp_replace(${text}, '^(\\S+) (\\S+)', '\\1T\\2.000')`,
  `ELSE regexp_replace(regexp_replace(${text}, '^(\\S+) (\\S+)', '\\1T\\200'), '(\\.\\d{3}\\d*\\?)0+( BC)\\?$', '\\1\\2') END`,
];
const shownTimestamp = [
  `CASE WHEN ?? < '0001-01-01' OR ?? >= '10000-01-01' THEN ${oddTimestamp.join(' ')}`,
  `WHEN ??::timestamp(0) = ?? THEN replace(${text} || '.000', ' ', 'T')`,
  `WHEN ??::timestamp(3) = ?? THEN rpad(${iso}, 23, '0') ELSE ${iso} END`,
].join(' ');
