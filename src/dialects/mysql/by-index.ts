/**
 * Pages in an order that no index has as a whole. MySQL sorts NULLs differently from us, and walks an index in one direction for all its
 * columns, so it would sort the whole table. Instead, an index on the first column finds the few records that may be on the page.
 */
import { isRank, type Read, type Sort } from '../../model/plan.ts';
import { type Column, hasZeroDate, mayBeNull, type Table, type Type } from '../../model/table.ts';
import { Expression, flat, id, type Knex, raw } from '../knex.ts';
import { orderBy, page, select, where } from '../sql.ts';
import { from, isLong, knex, zeroDate } from './column.ts';
import { after, isCounted, isNullOrZero, isUsual, order } from './order.ts';

/** Deeper pages use the plain statement, because we look up each record up to the end of the page by its key. */
const maxRecords = 10_000;
/** Longer conditions are left to the plain statement, too, because each subquery repeats them. */
const maxConditionCharacters = 20_000;

type ByColumn = Sort & { readonly by: Column };

/** A part of the records: either those whose first sort column has a value, or those in which it is NULL or a zero date. */
interface Range {
  readonly read: Read;
  readonly conditions: readonly Expression[];
}

/**
 * A subquery for the records of a page and few others; null if the plain statement is as fast.
 * @param filters conditions on the records
 * @returns the rows, and the order in which to sort them
 */
export function byIndex(
  read: Read,
  filters: readonly Expression[],
): { readonly rows: Knex.QueryBuilder; readonly sort: Read['sort'] } | null {
  const { table, limit, offset, distinct, searches } = read;
  const [first, ...rest] = read.sort.filter((one): one is ByColumn => !isRank(one.by));
  // If few records contain the words, walking an index to find them takes longer than sorting the hits of a scan.
  if (distinct || searches.length > 0 || first === undefined || rest.length + 1 < read.sort.length) return null;
  if (limit + offset > maxRecords || !isSimple(table) || !isServed(first, rest, table)) return null;
  if (filters.reduce((sum, one) => sum + lengthOf(one), 0) > maxConditionCharacters) return null;
  const isMixed = rest.some(({ direction }) => direction !== first.direction);
  if (!isMixed && (!mayBeNull(first.by) || (isUsual(first) && !isNullOrZero(first.by)))) return null;
  const ranges = rangesOf(read, first, rest);
  const [range] = ranges;
  const isWalk = ({ read: { sort } }: Range) => !isMixed || sort.length === rest.length;
  if (ranges.length === 1 && range !== undefined && isWalk(range)) {
    const matching = [...filters, ...range.conditions, ...after(range.read)];
    return { rows: where(knex, knex.from(from(table)), matching), sort: range.read.sort };
  }
  const keys = ranges.flatMap((one) => {
    const matching = [...filters, ...one.conditions, ...after(one.read)];
    return isWalk(one) ? [firstKeys(one.read, matching)] : tiedKeys(one.read, matching, first, rest);
  });
  const keyRows = keys.length === 1 ? raw('?', keys) : raw(`(${keys.map(() => '?').join(' UNION ')})`, keys);
  const isSameKey = raw(table.key.map((_, nth) => `?? = \`${alias} ${nth}\``).join(' AND '), table.key.map(id));
  // Without STRAIGHT_JOIN the optimizer might start from the table instead of the few keys.
  const rows = raw(`? AS \`${alias}s\` STRAIGHT_JOIN ?? ON ?`, [keyRows, from(table), isSameKey]);
  return { rows: knex.from(knex.raw(...flat(knex, rows))), sort: read.sort };
}

function lengthOf(one: unknown): number {
  if (typeof one === 'string' || one instanceof Uint8Array) return one.length;
  return one instanceof Expression
    ? one.bindings.reduce<number>((sum, part) => sum + lengthOf(part), one.sql.length)
    : 1;
}

/** All our aliases begin with this. */
const alias = 'page key';
const isOurs = (name: string): boolean =>
  name
    .normalize('NFKD')
    .replace(/\P{ASCII}/gu, '')
    .toLowerCase()
    .startsWith(alias);

/** Whether the key identifies each record, and no name looks like our aliases. InnoDB only: it appends the key to each index. */
const isSimple = ({ key, keyIs, transactional, columns, name }: Table): boolean =>
  transactional &&
  keyIs === 'proved' &&
  key.every((column) => !column.nullable && !isCounted(column)) &&
  ![name, ...[...columns, ...key].map((column) => column.name)].some(isOurs);

/** Whether an index begins with the column and goes on in the sort order, so that it also sorts ties. */
function isServed({ by }: ByColumn, rest: readonly ByColumn[], { about, key }: Table): boolean {
  const isOne = rest.every(
    (one) => one.direction === rest[0]?.direction && (!mayBeNull(one.by) || (isUsual(one) && !isNullOrZero(one.by))),
  );
  const isPlain = ![by, ...rest.map((one) => one.by)].some((column) => isLong(column) || isCounted(column));
  const names = [by, ...rest.map((one) => one.by)].map(({ name }) => name);
  const gives = (columns: readonly string[]) => names.every((name, nth) => columns[nth] === name);
  return (
    isOne &&
    isPlain &&
    about.indexes.some(({ columns, ordered }) => ordered && gives([...columns, ...key.map(({ name }) => name)]))
  );
}

/** The ranges in sort order, from the cursor on. Zero dates get their own range: we show them as null, but MySQL sorts them after NULL. */
function rangesOf(read: Read, first: ByColumn, rest: readonly ByColumn[]): readonly Range[] {
  if (!mayBeNull(first.by)) return [{ read, conditions: [] }];
  const { after: cursor } = read;
  const isAmongNulls = cursor !== null && cursor[0] === null;
  const isAmongValues = cursor !== null && !isAmongNulls;
  const name = id(first.by);
  const zero = hasZeroDate(first.by) ? zeroDate(first.by) : null;
  const by = { ...first.by, nullable: false, type: withoutZero(first.by.type) };
  const values: Range = {
    read: { ...read, sort: [{ ...first, by }, ...rest], after: isAmongValues ? cursor : null },
    conditions: [raw(zero === null ? '?? IS NOT NULL' : `?? > '${zero}'`, [name])],
  };
  const nulls = [...(first.by.nullable ? ['IS NULL'] : []), ...(zero === null ? [] : [`= '${zero}'`])].map(
    (isNull): Range => ({
      read: { ...read, sort: rest, after: isAmongNulls ? cursor.slice(1) : null },
      conditions: [raw(`?? ${isNull}`, [name])],
    }),
  );
  if (first.nulls === 'first') return isAmongValues ? [values] : [...nulls, values];
  return isAmongNulls ? nulls : [values, ...nulls];
}

function withoutZero(type: Type): Type {
  if (type.kind !== 'date' && type.kind !== 'timestamp') return type;
  const { zero: _, ...others } = type;
  return others;
}

/** The keys of the first records of a range. */
function firstKeys(read: Read, matching: readonly Expression[]): Knex.QueryBuilder {
  const { table, limit, offset } = read;
  return page(order(select(knex, where(knex, knex.from(from(table)), matching), keysOf(table)), read), limit + offset);
}

/**
 * The keys of a range's first records if the index sorts only by the first column. The first query takes that many keys in index order;
 * among records tied with the last one, it may have taken the wrong keys. So a second one adds the first keys with that last value (none
 * if the range has fewer records).
 */
function tiedKeys(
  read: Read,
  matching: readonly Expression[],
  first: ByColumn,
  rest: readonly ByColumn[],
): readonly Knex.QueryBuilder[] {
  const { table, limit, offset } = read;
  const sorted = (outputs: Parameters<typeof select>[2]) =>
    orderBy(knex, select(knex, where(knex, knex.from(from(table)), matching), outputs), id(first.by), first.direction);
  const last = page(sorted([id(first.by)]), 1, limit + offset - 1);
  const isLast = raw('?? = ?', [id(first.by), last]);
  return [page(sorted(keysOf(table)), limit + offset), firstKeys({ ...read, sort: rest }, [...matching, isLast])];
}

const keysOf = ({ key }: Table): readonly Expression[] =>
  key.map((column, nth) => raw(`?? AS \`${alias} ${nth}\``, [id(column)]));
