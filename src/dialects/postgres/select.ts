import type { Bound, Column, Search, Server, Sort, Statement, Table, Where } from '../../plan.ts';
import { type Bind, condition, contains, statement as write } from '../sql.ts';

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
const isFlag = (column: Column): boolean =>
  column.type.kind === 'bool' && /^(smallint|integer|bigint)$/.test(column.native);

/** ` WHERE …`, or nothing. */
export function where(filter: Where, search: Search | null, table: Table, server: Server, bind: Bind): string {
  const filtered = condition(filter, (comparison) => {
    const column = id(comparison.column);
    return comparison.op === 'null' ? `${column} IS NULL` : among(comparison.column, comparison.values, bind);
  });
  const searched =
    search === null
      ? null
      : search.by === 'native'
        ? native(search, table, server, bind)
        : like(search, table, server, bind);
  const both = [filtered, searched].filter((part) => part !== null);
  return both.length === 0 ? '' : ` WHERE ${both.join(' AND ')}`;
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

function like(search: Search, table: Table, server: Server, bind: Bind): string {
  const { columns } = table.search;
  if (columns.length === 0) return 'FALSE';
  const words = search.words.filter((word) => word.isWellFormed() && !word.includes('\0'));
  if (words.length < search.words.length) return 'FALSE';
  return words
    .map(
      (word) =>
        `(${columns.map((column) => `${foldable(column, server)} ILIKE ${bind(contains(word))} ESCAPE '|'`).join(' OR ')})`,
    )
    .join(' AND ');
}

/**
 * Full text by the language's configuration; stop words fall out, and a query of nothing else finds nothing. In mode
 * `auto` a stop word sends the whole `q` to LIKE: only the server knows them, and its planner folds the CASE away.
 */
function native(search: Search, table: Table, server: Server, bind: Bind): string {
  const { index, columns, language, mode } = table.search;
  if (columns.length === 0 || search.words.some((word) => !word.isWellFormed() || word.includes('\0'))) return 'FALSE';
  const config = bind(language);
  const vector =
    index?.expression ??
    `to_tsvector(${config}::regconfig, concat_ws(' ', ${columns.map((column) => foldable(column, server)).join(', ')}))`;
  const queries = search.words.map(
    (word) => `${/\s/.test(word) ? 'phraseto' : 'plainto'}_tsquery(${config}::regconfig, ${bind(word)})`,
  );
  const found = `${vector} @@ (${queries.join(' && ')})`;
  if (mode !== 'auto') return found;
  return `CASE WHEN ${queries.map((query) => `numnode(${query}) > 0`).join(' AND ')} THEN ${found} ELSE ${like(search, table, server, bind)} END`;
}

/** The shown text of a column, in a collation whose case folding knows every alphabet. */
function foldable(column: Column, server: Server): string {
  if (column.type.kind !== 'text') return shown(column);
  if (server.foldCollation !== null) return `(${shown(column)} COLLATE pg_catalog.${server.foldCollation})`;
  // These fold ASCII only, and a nondeterministic collation has no LIKE before PostgreSQL 18.
  const unfit = ['C', 'POSIX', 'ucs_basic'].includes(column.collation ?? '') || column.equality === 'folds';
  return unfit ? `(${shown(column)} COLLATE pg_catalog."default")` : shown(column);
}

/** The text we show of a value (`encode.ts`), as SQL: `q` looks in it. */
function shown(column: Column): string {
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

/** ` ORDER BY …`, or nothing. The server's own order of NULLs (last for asc, first for desc) needs no words. */
export function order(sort: readonly Sort[]): string {
  const parts = sort.map(({ column, direction, nulls }) => {
    const usual = (direction === 'asc') === (nulls === 'last');
    return `${id(column)}${direction === 'desc' ? ' DESC' : ''}${usual ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
  });
  return parts.length === 0 ? '' : ` ORDER BY ${parts.join(', ')}`;
}
