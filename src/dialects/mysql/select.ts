import type { Comparison, Search, Where } from '../../model/plan.ts';
import { type Column, hasZeroDate, type Table } from '../../model/table.ts';
import type { BoundValue } from '../../model/value.ts';
import { type Expression, id, list, raw, type Value } from '../knex.ts';
import { condition, sign } from '../sql.ts';
import { literal, zeroDate } from './column.ts';
import { folded, shownLike } from './contains.ts';
import { amongDocuments } from './documents.ts';
import { searched } from './search.ts';

/** Compiles a filter and searches to conditions, all of which must hold. */
export function conditions(filter: Where, searches: readonly Search[], table: Table): readonly Expression[] {
  const filterCondition = condition(filter, compared);
  const wordConditions = searches.map((search) => searched(search, table));
  return filterCondition === null ? wordConditions : [filterCondition, ...wordConditions];
}

/** One comparison of a filter. */
export function compared(comparison: Comparison): Expression {
  const { column } = comparison;
  const name = id(column);
  switch (comparison.op) {
    case 'null':
      return isNull(column);
    case 'in':
      return among(column, comparison.values);
    case 'like':
      return comparison.pattern.isWellFormed()
        ? shownLike(column, comparison.folds ? folded : exactly, comparison.pattern)
        : raw('FALSE');
    default: {
      const side = `?? ${sign[comparison.op]} ${candidate(column)}`;
      const value = literal(column, comparison.value);
      // Excludes zero dates: they sort below all others, but the API shows them as null. A TIMESTAMP always needs this condition, because
      // MySQL 8 and newer treats a value below its range as if it were above.
      const finds = comparison.op === 'lt' || comparison.op === 'lte' || /^timestamp/.test(column.native);
      return finds && hasZeroDate(column)
        ? raw(`(?? > '${zeroDate(column)}' AND ${side})`, [name, name, value])
        : raw(side, [name, value]);
    }
  }
}

/** Includes zero dates (`0000-00-00`), because the API shows them as null. */
function isNull(column: Column): Expression {
  const name = id(column);
  return hasZeroDate(column)
    ? raw(`(?? IS NULL OR ?? = '${zeroDate(column)}')`, [name, name])
    : raw('?? IS NULL', [name]);
}

const exactly = (text: string): string => `CONVERT(${text} USING utf8mb4) COLLATE utf8mb4_bin`;

/**
 * Equality that can use an index. MySQL's collations ignore case, accents or trailing blanks, so the plain comparison finds candidates,
 * and a comparison of bytes excludes false matches. (`COLLATE utf8mb4_bin` would ignore trailing blanks; bytes alone would scan.)
 */
function among(column: Column, values: readonly BoundValue[]): Expression {
  if (values.length === 0) return raw('FALSE');
  const name = id(column);
  if (column.type.kind === 'json') return amongDocuments(column, values);
  const among = values.length === 1 ? '= ?' : 'IN (?)';
  const each = (one: string, given: (value: BoundValue) => readonly Value[]) =>
    list(one, values.flatMap(given), values.length);
  const candidates =
    column.equality === 'engine' && isConverted(column)
      ? each(unlost(column), (value) => [literal(column, value), value, literal(column, value)])
      : each(candidate(column), (value) => [literal(column, value)]);
  if (column.equality !== 'folds') return raw(`?? ${among}`, [name, candidates]);
  return narrowed(
    column,
    among,
    candidates,
    each('CAST(? AS BINARY)', (value) => [value]),
  );
}

const narrowed = (column: Column, among: '= ?' | 'IN (?)', candidates: Value, bytes: Value): Expression =>
  raw(`(?? ${among} AND CAST(CONVERT(?? USING utf8mb4) AS BINARY) ${among})`, [
    ...[id(column), candidates],
    ...[id(column), bytes],
  ]);

/** Compares byte by byte, even if the column's type has changed since we read the catalogue. `plain`: the value as the client sent it. */
export const isExactly = (column: Column, literal: Value, plain: Value): Expression =>
  narrowed(column, '= ?', raw(candidate(column), [literal]), raw('CAST(? AS BINARY)', [plain]));

/**
 * SQL for a value (`?`) to compare with a column. We convert it to the column's smaller character set ourselves: a character that the set
 * lacks becomes `?`, instead of raising error 1267. The comparison of bytes then excludes false matches.
 */
export function candidate(column: Column): string {
  return isConverted(column) ? `CONVERT(? USING ${column.charset}) COLLATE ${column.collation}` : '?';
}

const isConverted = ({ charset, collation }: Column): boolean =>
  charset !== null && charset !== 'utf8mb4' && collation !== null;

/**
 * SQL for a value in the column's character set; NULL if that set lacks one of its characters, for which MySQL would write a question
 * mark and so match stored question marks. Only queries that don't also compare the bytes need this.
 */
function unlost(column: Column): string {
  const isLossless = `CAST(CONVERT(${candidate(column)} USING utf8mb4) AS BINARY) = CAST(? AS BINARY)`;
  return `IF(${isLossless}, ${candidate(column)}, NULL)`;
}
