/** A column in SQL: its name, its values, its text. */
import type { Statement } from '../../model/rows.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Bound } from '../../model/value.ts';
import { type Bind, statement as write } from '../sql.ts';

/** Quotes an identifier. Names come from the catalogue and are never parsed. */
export function quote(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}
export const id = (column: Column): string => quote(column.name);
/** NULL of the column's type. */
export const typeOnly = (column: Column): string => `CASE WHEN FALSE THEN ${id(column)} END`;
export const from = (table: Table): string => `${quote(table.schema ?? 'public')}.${quote(table.name)}`;
export const statement = (body: (bind: Bind) => string): Statement => write('numbered', body);

/** The text the server reads a value from; parameters are untyped and take the type of the column beside them. */
export function literal(column: Column, bound: Bound): string {
  if (typeof bound !== 'string') return `\\x${Buffer.from(bound).toString('hex')}`;
  return isFlag(column) ? String(Number(bound === 'true')) : bound;
}

/** An integer that the configuration declares to be true or false. */
export const isFlag = (column: Column): boolean =>
  column.type.kind === 'bool' && /^(smallint|integer|bigint)$/.test(column.native);

/** The text we show of a value (`values/encode.ts`), as SQL: `q` looks in it. */
export function shown(column: Column): string {
  const name = id(column);
  switch (column.type.kind) {
    case 'text':
      return column.native === 'text' ? name : `${name}::text`;
    case 'timestamp':
      if (column.type.least === 0) return `regexp_replace(${name}::text, ' ', 'T')`;
      if (!column.type.zoned) return shownTimestamp(name);
      return `regexp_replace(regexp_replace(${name}::text, ' ', 'T'), '([+-]\\d\\d)$', '\\1:00')`;
    case 'bool':
      return isFlag(column) ? `(${name} <> 0)::text` : `${name}::text`;
    case 'array':
      return `to_json(${name})::text`;
    default:
      return `${name}::text`;
  }
}

/** At least three digits, more where there are more. Regular expressions cost most of a dump, and are left to the odd ones. */
function shownTimestamp(name: string): string {
  const [text, iso] = [`${name}::text`, `replace(${name}::text, ' ', 'T')`];
  const odd = [
    `CASE WHEN NOT isfinite(${name}) THEN ${text}`,
    `WHEN ${name}::timestamp(0) = ${name} THEN regexp_replace(${text}, '^(\\S+) (\\S+)', '\\1T\\2.000')`,
    `ELSE regexp_replace(regexp_replace(${text}, '^(\\S+) (\\S+)', '\\1T\\200'), '(\\.\\d{3}\\d*?)0+( BC)?$', '\\1\\2') END`,
  ];
  return [
    `CASE WHEN ${name} < '0001-01-01' OR ${name} >= '10000-01-01' THEN ${odd.join(' ')}`,
    `WHEN ${name}::timestamp(0) = ${name} THEN replace(${text} || '.000', ' ', 'T')`,
    `WHEN ${name}::timestamp(3) = ${name} THEN rpad(${iso}, 23, '0') ELSE ${iso} END`,
  ].join(' ');
}
