import {
  type Column,
  type Comparison,
  columnsOf,
  isRank,
  type RangeOp,
  type Read,
  type Statement,
  type Where,
} from '../plan.ts';

/** Gives the placeholder of a value. Call it where the placeholder stands: MySQL's `?` go by order. */
export type Bind = (value: string | Uint8Array | null) => string;

/** Writes a statement; values never enter its text. */
export function statement(placeholder: (nth: number) => string, write: (bind: Bind) => string): Statement {
  const values: (string | Uint8Array | null)[] = [];
  const text = write((value) => placeholder(values.push(value)));
  return { text, values };
}

/** A condition as SQL, comparisons by `compare`; null where it lets everything through. */
export function condition(where: Where, compare: (comparison: Comparison) => string): string | null {
  switch (where.op) {
    case 'all':
    case 'any':
      break;
    case 'not': {
      const of = condition(where.of, compare);
      // NOT would keep what a NULL leaves open.
      return of === null ? 'FALSE' : `(${of} IS NOT TRUE)`;
    }
    default:
      return compare(where);
  }
  const parts = where.of.map((part) => condition(part, compare));
  const known = parts.filter((part) => part !== null);
  if (where.op === 'any')
    return known.length < parts.length ? null : known.length === 0 ? 'FALSE' : `(${known.join(' OR ')})`;
  return known.length === 0 ? null : known.length === 1 ? (known[0] ?? null) : `(${known.join(' AND ')})`;
}

export const sign: Readonly<Record<RangeOp, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
/** ` WHERE …` of conditions that all must hold, or nothing. */
export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** The columns that a search compares but does not show: its answer must tell their types all the same. */
export function unshown(read: Read): readonly Column[] {
  const shown = ofTable(read).map(({ name }) => name);
  const compared = read.after === null ? [] : read.sort.flatMap(({ by }) => (isRank(by) ? [] : [by]));
  return [...columnsOf(read.where), ...compared].filter(({ name }) => !shown.includes(name));
}

/** The columns it shows that the table has. */
export function ofTable({ columns }: Read): readonly Column[] {
  return columns.flatMap((one) => (isRank(one) ? [] : [one]));
}
