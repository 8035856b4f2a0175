import type { Server } from '../../model/catalog.ts';
import type { Comparison, RangeOp, Search, Where } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { type Expression, id, of, raw, type Value } from '../knex.ts';
import { condition, sign } from '../sql.ts';
import { amongArrays, arrayRange } from './arrays.ts';
import { arrayLiteral, literal, shown } from './column.ts';
import { foldable } from './contains.ts';
import { amongDocuments } from './documents.ts';
import { isStorable } from './encoding.ts';
import { searched } from './search.ts';

/** Compiles a filter and searches to conditions, all of which must hold. */
export function conditions(
  filter: Where,
  searches: readonly Search[],
  table: Table,
  server: Server,
): readonly Expression[] {
  const filterCondition = condition(filter, (comparison) => compared(comparison, server));
  const wordConditions = searches.map((search) => searched(search, table, server));
  return filterCondition === null ? wordConditions : [filterCondition, ...wordConditions];
}

/** One comparison of a filter. */
export function compared(comparison: Comparison, server: Server): Expression {
  const { column } = comparison;
  switch (comparison.op) {
    case 'null':
      return raw('?? IS NULL', [id(column)]);
    case 'in':
      return among(
        column,
        comparison.values.filter((value) => typeof value !== 'string' || isStorable(value, server)),
        server,
      );
    case 'like':
      return like(comparison, server);
    default: {
      if (!isStorable(String(comparison.value), server)) return beyondEncoding(comparison, server);
      if (column.type.kind === 'array') return arrayRange(column, comparison.op, literal(column, comparison.value));
      // Without the cast, a parameter that is compared with a `name` column would become a `name`, and be cut.
      const type = column.native === 'name' ? '::text' : '';
      return raw(`?? ${sign[comparison.op]} ?${type}`, [id(column), literal(column, comparison.value)]);
    }
  }
}

/** Compares with a value that contains a character which the database's encoding lacks. We sort it above every character of the encoding. */
function beyondEncoding({ column, op, value }: Extract<Comparison, { op: RangeOp }>, server: Server): Expression {
  if (column.type.kind !== 'text') return raw('FALSE');
  let before = '';
  for (const one of String(value)) {
    if (!isStorable(one, server)) break;
    before += one;
  }
  const begins = like({ op: 'like', column, pattern: `${before.replace(/[|%_]/g, '|$&')}%`, folds: false }, server);
  const [joint, nor] = op === 'lt' || op === 'lte' ? ['OR', ''] : ['AND', ' NOT'];
  return raw(`(?? ${sign[op]} ? ${joint}${nor} ?)`, [id(column), before, begins]);
}

/** Before PostgreSQL 18 a nondeterministic collation has no LIKE, so we compare in "C". */
function like({ column, pattern, folds }: Extract<Comparison, { op: 'like' }>, server: Server): Expression {
  if (!isStorable(pattern, server)) return raw('FALSE');
  if (folds) return raw("?? ILIKE ? ESCAPE '|'", [foldable(column, server), pattern]);
  const exact = column.equality === 'exact' ? shown(column) : `${shown(column)} COLLATE "C"`;
  return raw("?? LIKE ? ESCAPE '|'", [of(column, exact), pattern]);
}

/**
 * Equality that can use an index. Where the column's own `=` is looser than bytes (nondeterministic collation, citext), it finds
 * candidates, and a comparison in collation "C" excludes false matches.
 */
function among(column: Column, values: readonly BoundValue[], server: Server): Expression {
  const [first, ...others] = values;
  const name = id(column);
  if (first === undefined) return raw('FALSE');
  const literals = values.map((value) => literal(column, value));
  // PostgreSQL has no arrays of arrays, so several arrays can't be one parameter.
  if (column.type.kind === 'array') return amongArrays(column, literals);
  if (column.type.kind === 'json' && !column.type.binary) return amongDocuments(column, arrayLiteral(literals), server);
  const [mark, operand] =
    others.length === 0 ? (['?', literal(column, first)] as const) : (['ANY(?)', arrayLiteral(literals)] as const);
  return column.equality === 'folds' ? narrowed(column, mark, operand) : raw(`?? = ${mark}`, [name, operand]);
}

const narrowed = (column: Column, mark: '?' | 'ANY(?)', value: Value): Expression =>
  raw(`(?? = ${mark} AND ??::text COLLATE "C" = ${mark})`, [id(column), value, id(column), value]);

/** Compares byte by byte, even if the column's type has changed since the catalogue was read. */
export const isExactly = (column: Column, value: Value): Expression => narrowed(column, '?', value);
