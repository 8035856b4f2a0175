/** A column in SQL: its name, its values, its text. */
import type { Bound, Column, Statement, Table } from '../../plan.ts';
import { type Bind, statement as write } from '../sql.ts';

/** Quotes an identifier. Names come from the catalogue and are never parsed. */
export function quote(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}
export const id = (column: Column): string => quote(column.name);
/** NULL of the column's type. */
export const typeOnly = (column: Column): string => `CASE WHEN FALSE THEN ${id(column)} END`;
export const from = (table: Table): string => `${quote(table.schema ?? 'public')}.${quote(table.name)}`;
export const statement = (body: (bind: Bind) => string): Statement => write((nth) => `$${nth}`, body);

/** The text the server reads a value from; parameters are untyped and take the type of the column beside them. */
export function literal(column: Column, bound: Bound): string {
  if (typeof bound !== 'string') return `\\x${Buffer.from(bound).toString('hex')}`;
  return isFlag(column) ? String(Number(bound === 'true')) : bound;
}

/** An integer that the configuration declares to be true or false. */
export const isFlag = (column: Column): boolean =>
  column.type.kind === 'bool' && /^(smallint|integer|bigint)$/.test(column.native);

/** The text we show of a value (`encode.ts`), as SQL: `q` looks in it. */
export function shown(column: Column): string {
  const name = id(column);
  switch (column.type.kind) {
    case 'text':
      return column.native === 'text' ? name : `${name}::text`;
    case 'timestamp': {
      const text = `regexp_replace(${name}::text, ' ', 'T')`;
      if (column.type.zoned) return `regexp_replace(${text}, '([+-]\\d\\d)$', '\\1:00')`;
      const fraction = `CASE WHEN ${name}::text LIKE '%.%' THEN '00' ELSE '.000' END`;
      return `regexp_replace(${text} || ${fraction}, '(\\.\\d{3}\\d*?)0+$', '\\1')`;
    }
    case 'bool':
      return isFlag(column) ? `(${name} <> 0)::text` : `${name}::text`;
    case 'array':
      return `to_json(${name})::text`;
    default:
      return `${name}::text`;
  }
}
