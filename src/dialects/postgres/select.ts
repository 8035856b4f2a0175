import {
  type Bound,
  type Column,
  isRank,
  type Read,
  type Search,
  type Server,
  type Table,
  type Where,
} from '../../plan.ts';
import { type Bind, condition } from '../sql.ts';
import { id, isFlag, literal } from './column.ts';
import { rank, searched } from './search.ts';

/** ` WHERE …`, or nothing. */
export function where(filter: Where, searches: readonly Search[], table: Table, server: Server, bind: Bind): string {
  const filtered = condition(filter, (comparison) => {
    const column = id(comparison.column);
    return comparison.op === 'null' ? `${column} IS NULL` : among(comparison.column, comparison.values, bind);
  });
  const found = searches.map((search) => searched(search, table, server, bind));
  const all = filtered === null ? found : [filtered, ...found];
  return all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`;
}

/**
 * Equality that uses the index. Where the column's own `=` is looser than bytes (nondeterministic collation, citext),
 * it finds the candidates and a comparison in collation "C" narrows them.
 */
function among(column: Column, values: readonly Bound[], bind: Bind): string {
  const [first, ...others] = values;
  if (first === undefined) return 'FALSE';
  if (isFlag(column))
    return `(${values.map((value) => `${id(column)} ${value === 'true' ? '<>' : '='} 0`).join(' OR ')})`;
  // There is no array of arrays.
  if (column.type.kind === 'array')
    return `${id(column)} IN (${values.map((value) => bind(literal(column, value))).join(', ')})`;
  const operand = () => (others.length === 0 ? bind(literal(column, first)) : `ANY(${bind(array(column, values))})`);
  const loose = `${id(column)} = ${operand()}`;
  return column.equality === 'folds' ? `(${loose} AND ${id(column)}::text COLLATE "C" = ${operand()})` : loose;
}

/** An array literal; the server reads its elements as the column's type. */
function array(column: Column, values: readonly Bound[]): string {
  return `{${values.map((value) => `"${literal(column, value).replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}

/** ` ORDER BY …`, or nothing. The server's own order of NULLs (last for asc, first for desc) needs no words. */
export function order({ sort, columns, table }: Read, server: Server, bind: Bind): string {
  const parts = sort.map(({ by, direction, nulls }) => {
    const usual = (direction === 'asc') === (nulls === 'last');
    const descending = direction === 'desc' ? ' DESC' : '';
    if (isRank(by))
      return `${columns.includes(by) ? columns.indexOf(by) + 1 : rank(by.search, table, server, bind)}${descending}`;
    return `${id(by)}${descending}${usual ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
  });
  return parts.length === 0 ? '' : ` ORDER BY ${parts.join(', ')}`;
}
