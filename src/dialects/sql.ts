import { type Comparison, columnsOf, isRank, type RangeOp, type Read, type Where } from '../model/plan.ts';
import type { Statement } from '../model/rows.ts';
import type { Column } from '../model/table.ts';

/**
 * Gives a mark of a value, to stand in the text for its placeholder. A mark that is left out of the text binds nothing, so that a
 * condition may be dropped after it was written.
 */
export type Bind = (value: string | Uint8Array | null) => string;

/** How an engine writes placeholders: `$1`, which may stand at several places, or `?`, whose values go by the order of the text. */
export type Placeholders = 'numbered' | 'ordered';

/**
 * A mark is this character and the number of the value in two more; an insert may have sixty thousand of them. Neither an
 * identifier nor any other part of a statement can hold the character.
 */
const beginning = '\0';
const perUnit = 0x4000;
const markOf = (nth: number): string =>
  beginning + String.fromCharCode(1 + Math.floor(nth / perUnit), 1 + (nth % perUnit));

/** Writes a statement; values never enter its text. */
export function statement(placeholders: Placeholders, write: (bind: Bind) => string): Statement {
  const bound: (string | Uint8Array | null)[] = [];
  const marked = write((value) => markOf(bound.push(value) - 1));
  const values: (string | Uint8Array | null)[] = [];
  const numbers = new Int32Array(bound.length);
  let text = '';
  let end = 0;
  for (let at = marked.indexOf(beginning); at !== -1; at = marked.indexOf(beginning, end)) {
    const nth = (marked.charCodeAt(at + 1) - 1) * perUnit + marked.charCodeAt(at + 2) - 1;
    text += marked.slice(end, at);
    end = at + 3;
    if (placeholders === 'ordered' || numbers[nth] === 0) numbers[nth] = values.push(bound[nth] ?? null);
    text += placeholders === 'ordered' ? '?' : `$${numbers[nth]}`;
  }
  return { text: text + marked.slice(end), values };
}

/** A condition as SQL, comparisons by `compare`; null where it lets everything through. */
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
