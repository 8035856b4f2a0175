import { invalid } from '../../model/errors.ts';
import { isRank, type Shown, type Sort } from '../../model/plan.ts';
import { type Column, isComparable, type Table } from '../../model/table.ts';
import { short } from '../../values/truncate.ts';
import { column } from './columns.ts';
import { hint } from './hint.ts';

/**
 * Sort clauses → a total order: the clauses, then the table's tie-break (docs/data-types.md). NULLs are placed as in
 * PostgreSQL (last for asc, first for desc) unless the clause says otherwise. Throws a 409 that quotes an invalid clause.
 * @param ties the tie-break between records that the clauses leave equal
 */
export function sort(clauses: readonly string[], table: Table, ties = table.order.by): readonly Sort[] {
  return total(
    clauses.map((clause) => parse(clause, table)),
    ties,
  );
}

function total(asked: readonly ByColumn[], ties: readonly Column[]): readonly Sort[] {
  // A repeated column does not change the order, but a server would compare it each time.
  const order = new Map<string, ByColumn>();
  for (const one of [...asked, ...ties.map(ascending)]) if (!order.has(one.by.name)) order.set(one.by.name, one);
  return [...order.values()];
}

/** The order of distinct records: only shown columns can sort them. Throws a 409 for any other. */
export function distinctSort(clauses: readonly string[], columns: readonly Shown[], table: Table): readonly Sort[] {
  const shown = columns.flatMap((one) => (isRank(one) ? [] : [one]));
  const names = new Set(shown.map(({ name }) => name));
  const asked = clauses.map((clause) => parse(clause, table));
  const hidden = asked.findIndex(({ by }) => !names.has(by.name));
  if (hidden < 0) return total(asked, shown);
  throw invalid({
    sort: [`must be one of the fields asked for, with distinct, got: "${short(clauses[hidden]?.trim() ?? '')}"`],
  });
}

type ByColumn = Sort & { readonly by: Column };

function parse(clause: string, table: Table): ByColumn {
  const bad = (meant = '') => invalid({ sort: [`invalid value "${short(clause.trim())}"${meant}`] });
  const whole = column(table, clause);
  if (whole !== undefined) return ascending(orderable(whole, bad));
  const { rest, word: last } = cut(clause, 'first', 'last');
  const { rest: before, word: marker } = last === null ? { rest: clause, word: null } : cut(rest, 'nulls');
  const { rest: name, word: given } = cut(marker === null ? clause : before, 'asc', 'desc');
  const named = column(table, name);
  if (named === undefined) throw bad(hint(name, table) || (given === null ? direct(clause) : ''));
  const direction = given === 'desc' ? 'desc' : 'asc';
  const nulls = marker === null ? (direction === 'asc' ? 'last' : 'first') : last;
  return { by: orderable(named, bad), direction, nulls: nulls === 'first' ? 'first' : 'last' };
}

/** Help for a clause that may be meant as a field and its direction. */
const direct = (clause: string): string =>
  /\s|^(asc|desc)$/i.test(clause.trim()) ? ', must be a field, or a field with asc or desc behind it' : '';

/** Cuts one of these words off the end. No regular expression: a run of blanks would take it quadratic time. */
function cut(clause: string, ...words: readonly string[]): { readonly rest: string; readonly word: string | null } {
  const trimmed = clause.trimEnd();
  const word = words.find((one) => trimmed.toLowerCase().endsWith(one));
  const rest = trimmed.slice(0, trimmed.length - (word?.length ?? 0));
  return word === undefined || !/\s$/.test(rest.slice(-1))
    ? { rest: clause, word: null }
    : { rest: rest.trimEnd(), word };
}

function ascending(of: Column): ByColumn {
  return { by: of, direction: 'asc', nulls: 'last' };
}

/** JSON and types without an order cannot be sorted; PostgreSQL would fail, MySQL would sort by the text. */
function orderable(of: Column, bad: () => Error): Column {
  if (!isComparable(of.type)) throw bad();
  return of;
}
