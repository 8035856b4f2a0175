import { invalid } from '../errors.ts';
import type { Column, Sort, Table } from '../plan.ts';
import { column, isComparable } from './columns.ts';

/**
 * Sort clauses → a total order: what was asked, then the key as tie-break (design part 6, Order). NULLs stand where
 * PostgreSQL puts them (last for asc, first for desc) unless the clause says otherwise.
 * Throws a 409 that quotes the clause it cannot read.
 */
export function sort(clauses: readonly string[], table: Table): readonly Sort[] {
  const asked = clauses.map((clause) => parse(clause, table));
  const tieBreak = table.key.filter((part) => !asked.some((one) => one.column.name === part.name));
  return [...asked, ...tieBreak.map((part) => ascending(part))];
}

function parse(clause: string, table: Table): Sort {
  const bad = () => invalid({ sort: [`invalid value "${clause.trim()}"`] });
  const whole = column(table, clause);
  if (whole !== undefined) return ascending(orderable(whole, bad));
  const match = /^([\s\S]+?)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?\s*$/i.exec(clause);
  const named = match === null ? undefined : column(table, match[1] ?? '');
  if (match === null || named === undefined) throw bad();
  const direction = match[2]?.toLowerCase() === 'desc' ? 'desc' : 'asc';
  const nulls = match[3]?.toLowerCase() ?? (direction === 'asc' ? 'last' : 'first');
  return { column: orderable(named, bad), direction, nulls: nulls === 'first' ? 'first' : 'last' };
}

function ascending(of: Column): Sort {
  return { column: of, direction: 'asc', nulls: 'last' };
}

/** JSON and types without an order cannot be sorted; PostgreSQL would fail, MySQL would sort by the text. */
function orderable(of: Column, bad: () => Error): Column {
  if (!isComparable(of.type)) throw bad();
  return of;
}
