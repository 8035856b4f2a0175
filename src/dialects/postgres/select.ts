import type { Server } from '../../model/catalog.ts';
import type { Comparison, Search, Where } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Bound } from '../../model/value.ts';
import { type Bind, condition, sign } from '../sql.ts';
import { amongArrays, arrayRange } from './arrays.ts';
import { id, isFlag, literal, shown } from './column.ts';
import { amongDocuments } from './documents.ts';
import { foldable, searched } from './search.ts';

/** What a record must meet, each a condition. */
export function conditions(
  filter: Where,
  searches: readonly Search[],
  table: Table,
  server: Server,
  bind: Bind,
): readonly string[] {
  const filtered = condition(filter, (comparison) => compared(comparison, server, bind));
  const found = searches.map((search) => searched(search, table, server, bind));
  return filtered === null ? found : [filtered, ...found];
}

function compared(comparison: Comparison, server: Server, bind: Bind): string {
  const { column } = comparison;
  switch (comparison.op) {
    case 'null':
      return `${id(column)} IS NULL`;
    case 'in':
      return among(column, comparison.values, server, bind);
    case 'like':
      return like(comparison, server, bind);
    default: {
      if (column.type.kind === 'array')
        return arrayRange(column, comparison.op, literal(column, comparison.value), bind);
      // A parameter beside a column of type name would be one, and cut.
      const type = column.native === 'name' ? '::text' : '';
      return `${id(column)} ${sign[comparison.op]} ${bind(literal(column, comparison.value))}${type}`;
    }
  }
}

/** No text has a NUL or half a character. A nondeterministic collation has no LIKE before PostgreSQL 18. */
function like({ column, pattern, folds }: Extract<Comparison, { op: 'like' }>, server: Server, bind: Bind): string {
  if (!pattern.isWellFormed() || pattern.includes('\0')) return 'FALSE';
  if (folds) return `${foldable(column, server)} ILIKE ${bind(pattern)} ESCAPE '|'`;
  const exact = column.equality === 'exact' ? shown(column) : `${shown(column)} COLLATE "C"`;
  return `${exact} LIKE ${bind(pattern)} ESCAPE '|'`;
}

/**
 * Equality that uses the index. Where the column's own `=` is looser than bytes (nondeterministic collation, citext),
 * it finds the candidates and a comparison in collation "C" narrows them.
 */
function among(column: Column, values: readonly Bound[], server: Server, bind: Bind): string {
  const [first, ...others] = values;
  if (first === undefined) return 'FALSE';
  if (isFlag(column))
    return `(${values.map((value) => `${id(column)} ${value === 'true' ? '<>' : '='} 0`).join(' OR ')})`;
  // There is no array of arrays.
  if (column.type.kind === 'array')
    return amongArrays(
      column,
      values.map((value) => literal(column, value)),
      bind,
    );
  if (column.type.kind === 'json' && !column.type.binary)
    return amongDocuments(column, bind(array(column, values)), server);
  const operand = () => (others.length === 0 ? bind(literal(column, first)) : `ANY(${bind(array(column, values))})`);
  const loose = `${id(column)} = ${operand()}`;
  return column.equality === 'folds' ? `(${loose} AND ${id(column)}::text COLLATE "C" = ${operand()})` : loose;
}

/** An array literal; the server reads its elements as the column's type. */
function array(column: Column, values: readonly Bound[]): string {
  return `{${values.map((value) => `"${literal(column, value).replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}
