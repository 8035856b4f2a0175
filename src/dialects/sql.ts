import { type Comparison, columnsOf, isRank, type RangeOp, type Read, type Where } from '../plan.ts';
import type { Statement } from '../rows.ts';
import type { Column } from '../table.ts';

/** Gives the placeholder of a value. Call it where the placeholder stands: MySQL's `?` go by order. */
export type Bind = (value: string | Uint8Array | null) => string;

/** Writes a statement; values never enter its text. */
export function statement(placeholder: (nth: number) => string, write: (bind: Bind) => string): Statement {
  const values: (string | Uint8Array | null)[] = [];
  const text = write((value) => placeholder(values.push(value)));
  return { text, values };
}

/**
 * A condition as SQL, comparisons by `compare`; null where it lets everything through. That is asked first: a comparison
 * that is written binds its values, and left out again it would leave them to the next.
 */
export function condition(where: Where, compare: (comparison: Comparison) => string): string | null {
  return isOpen(where) ? null : written(where, compare);
}

function written(where: Where, compare: (comparison: Comparison) => string): string {
  switch (where.op) {
    case 'all':
    case 'any': {
      const parts = where.of.filter((part) => !isOpen(part)).map((part) => written(part, compare));
      if (parts.length === 0) return 'FALSE';
      return parts.length === 1 && where.op === 'all'
        ? parts.join()
        : `(${parts.join(where.op === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'not':
      // NOT would keep what a NULL leaves open.
      return isOpen(where.of) ? 'FALSE' : `(${written(where.of, compare)} IS NOT TRUE)`;
    default:
      return compare(where);
  }
}

function isOpen(where: Where): boolean {
  if (where.op === 'all') return where.of.every(isOpen);
  return where.op === 'any' && where.of.some(isOpen);
}

export const sign: Readonly<Record<RangeOp, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
/** ` WHERE …` of conditions that all must hold, or nothing. */
export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** ` LIMIT … OFFSET …`, or nothing where all are wanted: counting a million records takes a tenth of the time of a download. */
export function page({ limit, offset }: Read): string {
  return limit === Number.MAX_SAFE_INTEGER && offset === 0 ? '' : ` LIMIT ${limit} OFFSET ${offset}`;
}

/** The columns that a search compares but does not show: its answer must tell their types all the same. */
export function unshown(read: Read): readonly Column[] {
  const shown = ofTable(read).map(({ name }) => name);
  const compared = read.after === null ? [] : read.sort.flatMap(({ by }) => (isRank(by) ? [] : [by]));
  return [...columnsOf(read.where), ...compared].filter(({ name }) => !shown.includes(name));
}

/** Each column of the table once, under whatever names it is shown. */
export function once(columns: readonly Column[]): readonly Column[] {
  return columns.filter((column, at) => columns.findIndex(({ name }) => name === column.name) === at);
}

/** The type of a column, also where the records come from a subquery that does not select it. */
export const typeIn = (read: Read, typeOnly: string, from: string): string =>
  read.distinct ? `(SELECT ${typeOnly} FROM ${from} LIMIT 0)` : typeOnly;

/** The columns it shows that the table has. */
export function ofTable({ columns }: Read): readonly Column[] {
  return columns.flatMap((one) => (isRank(one) ? [] : [one]));
}
