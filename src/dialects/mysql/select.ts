import type { Comparison, Search, Where } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { Bound } from '../../model/value.ts';
import { type Bind, condition, sign } from '../sql.ts';
import { id, literal, shown, zeroDate } from './column.ts';
import { amongDocuments } from './documents.ts';
import { folded, searched } from './search.ts';

/** What a record must meet, each a condition. */
export function conditions(filter: Where, searches: readonly Search[], table: Table, bind: Bind): readonly string[] {
  const filtered = condition(filter, (comparison) => compared(comparison, bind));
  const found = searches.map((search) => searched(search, table, bind));
  return filtered === null ? found : [filtered, ...found];
}

function compared(comparison: Comparison, bind: Bind): string {
  const { column } = comparison;
  switch (comparison.op) {
    case 'null':
      return isNull(column);
    case 'in':
      return among(column, comparison.values, bind);
    case 'like':
      return like(comparison, bind);
    default: {
      const side = `${id(column)} ${sign[comparison.op]} ${candidate(column, comparison.value, bind)}`;
      // A zero date is below all others; and what is below every TIMESTAMP, MySQL 8 and newer finds it above.
      const finds = comparison.op === 'lt' || comparison.op === 'lte' || /^timestamp/.test(column.native);
      return finds && hasZero(column) ? `(${id(column)} > '${zeroDate(column)}' AND ${side})` : side;
    }
  }
}

/** A zero date is shown as null, so it is one. */
function isNull(column: Column): string {
  const name = id(column);
  return hasZero(column) ? `(${name} IS NULL OR ${name} = '${zeroDate(column)}')` : `${name} IS NULL`;
}
const hasZero = ({ type: { kind } }: Column): boolean => kind === 'date' || kind === 'timestamp';

function like({ column, pattern, folds }: Extract<Comparison, { op: 'like' }>, bind: Bind): string {
  if (!pattern.isWellFormed()) return 'FALSE';
  const fold = folds ? folded : exactly;
  return `${fold(shown(column))} LIKE ${fold(bind(pattern))} ESCAPE '|'`;
}
const exactly = (text: string): string => `CONVERT(${text} USING utf8mb4) COLLATE utf8mb4_bin`;

/**
 * Equality that uses the index. Every collation here is looser than bytes (case, accents, trailing blanks), so the plain
 * comparison finds the candidates and one of bytes narrows them. (`COLLATE utf8mb4_bin` would ignore trailing blanks, and
 * bytes alone would scan.)
 */
function among(column: Column, values: readonly Bound[], bind: Bind): string {
  if (values.length === 0) return 'FALSE';
  if (column.type.kind === 'bool')
    return `(${values.map((value) => `${id(column)} ${value === 'true' ? '<>' : '='} 0`).join(' OR ')})`;
  if (column.type.kind === 'json') return amongDocuments(column, values, bind);
  const list = (item: (value: Bound) => string) =>
    values.length === 1 ? `= ${item(values[0] ?? '')}` : `IN (${values.map(item).join(', ')})`;
  const item = column.equality === 'engine' ? unlost : candidate;
  const candidates = `${id(column)} ${list((value) => item(column, value, bind))}`;
  if (column.equality !== 'folds') return candidates;
  const bytes = `CAST(CONVERT(${id(column)} USING utf8mb4) AS BINARY) ${list((value) => `CAST(${bind(value)} AS BINARY)`)}`;
  return `(${candidates} AND ${bytes})`;
}

/**
 * A text beside a column of a smaller character set is converted by us, lossily: a text the set cannot hold would
 * otherwise be error 1267, and so finds candidates that the bytes then refuse.
 */
export function candidate(column: Column, value: Bound, bind: Bind): string {
  const written = literal(column, value, bind);
  if (column.charset === null || column.charset === 'utf8mb4' || column.collation === null) return written;
  return `CONVERT(${written} USING ${column.charset}) COLLATE ${column.collation}`;
}

/** A candidate that nothing narrows; NULL for a text that the conversion lost, which would find a `?`. */
function unlost(column: Column, value: Bound, bind: Bind): string {
  const written = candidate(column, value, bind);
  if (!written.startsWith('CONVERT')) return written;
  const kept = `CAST(CONVERT(${written} USING utf8mb4) AS BINARY) = CAST(${bind(value)} AS BINARY)`;
  return `IF(${kept}, ${candidate(column, value, bind)}, NULL)`;
}
