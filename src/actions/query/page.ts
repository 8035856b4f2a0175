/** Which page of a search: its columns, its order, and where it begins. */
import { invalid } from '../../model/errors.ts';
import { type ColumnSort, isRank, type Rank, type Shown, type Sort } from '../../model/plan.ts';
import { type Column, isComparable, type Table } from '../../model/table.ts';
import { show } from '../../values/show.ts';
import { truncate } from '../../values/truncate.ts';
import type { Bounds } from '../action.ts';
import type { Params } from '../params.ts';
import { column, type Fields, unquote } from './columns.ts';
import { hint } from './hint.ts';

/** Reads `offset`, and complains if it is negative or above `limits.maxOffset`. */
export function readOffset(params: Params, bounds: Bounds): number {
  const raw = params.raw('offset');
  if (typeof raw === 'string' && /^\s*-\d+\s*$/.test(raw))
    params.complain('offset', `invalid value "${truncate(raw.trim())}"`);
  else if (typeof raw === 'number' && raw < 0) params.complain('offset', `invalid value "${raw}"`);
  else {
    const offset = params.natural('offset', 0);
    if (bounds.maxOffset === null || offset <= bounds.maxOffset) return offset;
    params.complain(
      'offset',
      `must be at most ${bounds.maxOffset}, got: ${offset}; narrow the search with filters instead`,
    );
  }
  return 0;
}

/** Reads `after`, which replaces `offset`; null if absent. */
export function readAfter(params: Params): string | null {
  const raw = params.raw('after');
  if (raw === undefined || raw === '') return null;
  if (typeof raw !== 'string') params.complain('after', `must be the text of a next_page, got: ${show(raw)}`);
  const offset = params.raw('offset');
  if (offset !== undefined && offset !== 0 && offset !== '0' && offset !== '')
    params.complain('offset', `must be absent beside after, got: ${show(offset)}`);
  return typeof raw === 'string' ? raw : null;
}

/** `fields` → columns and ranks, in the order of the call. Throws a 409 that quotes the first unknown name. */
export function select(names: readonly string[], table: Table, ranks: readonly Rank[]): readonly Shown[] {
  return names.map((name) => {
    const rank = (label: string) => ranks.find((one) => one.label === label);
    const found = column(table, name) ?? rank(name) ?? rank(unquote(name));
    if (found !== undefined) return found;
    const meant = hint(name, table) || (/\s/.test(name.trim()) ? ', must be one field: commas separate several' : '');
    throw invalid({ fields: [`invalid value "${truncate(name.trim())}"${meant}`] });
  });
}

/**
 * Sort clauses → a total order: the clauses, then the table's tie-break. NULLs are placed as in PostgreSQL (last for asc, first for desc)
 * unless the clause says otherwise. Throws a 409 that quotes an invalid clause.
 * @param ties the columns that order records with equal values in all clauses
 */
export const sort = (clauses: readonly string[], table: Table, ties = table.order.by): readonly Sort[] =>
  orderOf(clauses, table, ties);

/** Like `sort`, but for the outputs of a question. */
export function orderOf(clauses: readonly string[], table: Fields, ties: readonly Column[]): readonly ColumnSort[] {
  return total(
    clauses.map((clause) => parse(clause, table)),
    ties,
  );
}

function total(parsed: readonly ColumnSort[], ties: readonly Column[]): readonly ColumnSort[] {
  // A repeated column would not change the order, but the server would compare it again.
  const order = new Map<string, ColumnSort>();
  for (const one of [...parsed, ...ties.map(ascending)]) if (!order.has(one.by.name)) order.set(one.by.name, one);
  return [...order.values()];
}

/** The order of distinct records, which can only be sorted by selected columns. Throws a 409 for any other column. */
export function distinctSort(clauses: readonly string[], columns: readonly Shown[], table: Table): readonly Sort[] {
  const shown = columns.flatMap((one) => (isRank(one) ? [] : [one]));
  const names = new Set(shown.map(({ name }) => name));
  const parsed = clauses.map((clause) => parse(clause, table));
  const hidden = parsed.findIndex(({ by }) => !names.has(by.name));
  if (hidden < 0) return total(parsed, shown);
  throw invalid({
    sort: [`must be one of the fields asked for, with distinct, got: "${truncate(clauses[hidden]?.trim() ?? '')}"`],
  });
}

function parse(clause: string, table: Fields): ColumnSort {
  const bad = (suggestion = '') => invalid({ sort: [`invalid value "${truncate(clause.trim())}"${suggestion}`] });
  const wholeClause = column(table, clause);
  if (wholeClause !== undefined) return ascending(orderable(wholeClause, bad));
  const { rest, word: last } = cut(clause, 'first', 'last');
  const { rest: before, word: marker } = last === null ? { rest: clause, word: null } : cut(rest, 'nulls');
  const { rest: name, word: directionWord } = cut(marker === null ? clause : before, 'asc', 'desc');
  const byColumn = column(table, name);
  if (byColumn === undefined) throw bad(hint(name, table) || (directionWord === null ? directionHint(clause) : ''));
  const direction = directionWord === 'desc' ? 'desc' : 'asc';
  const nulls = marker === null ? (direction === 'asc' ? 'last' : 'first') : last;
  return { by: orderable(byColumn, bad), direction, nulls: nulls === 'first' ? 'first' : 'last' };
}

/** A hint for an invalid clause that looks like a field with a direction. */
const directionHint = (clause: string): string =>
  /\s|^(asc|desc)$/i.test(clause.trim()) ? ', must be a field, or a field with asc or desc behind it' : '';

/** Cuts one of these words off the end of a clause, without a regular expression: on many blanks it would take quadratic time. */
function cut(clause: string, ...words: readonly string[]): { readonly rest: string; readonly word: string | null } {
  const trimmed = clause.trimEnd();
  const word = words.find((one) => trimmed.toLowerCase().endsWith(one));
  const rest = trimmed.slice(0, trimmed.length - (word?.length ?? 0));
  return word === undefined || !/\s$/.test(rest.slice(-1))
    ? { rest: clause, word: null }
    : { rest: rest.trimEnd(), word };
}

function ascending(of: Column): ColumnSort {
  return { by: of, direction: 'asc', nulls: 'last' };
}

/** Refuses a column of JSON or of a type without an order: PostgreSQL would fail, and MySQL would sort by the text. */
function orderable(of: Column, bad: () => Error): Column {
  if (!isComparable(of.type)) throw bad();
  return of;
}
