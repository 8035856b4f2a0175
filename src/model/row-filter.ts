/** The rows that a caller may see and write, and plans that keep to them. Pure. */
import type { Plan } from './any-plan.ts';
import type { Aggregate, Delete, Describe, Rank, Read, Search, Shown, Where, Write, WriteRecord } from './plan.ts';
import { type Ask, mayFail, withTables } from './question.ts';
import type { Column, Table } from './table.ts';
import type { BoundValue } from './value.ts';

/** Which rows of a resource a caller may see and write. Made by `tables/row-rules.ts` alone. */
export class RowFilter {
  /** The filter that lets every row through. */
  static readonly all = new RowFilter(null, null);
  /** A condition for the rows inside; null: every row. */
  readonly where: Where | null;
  /** A part of the cache key, the same for equal filters. Null: every row. */
  readonly key: string | null;
  /** The filters of a join's tables, by resource; null if there is only one table. */
  readonly #ofTables: ReadonlyMap<string, RowFilter> | null;

  constructor(where: Where | null, key: string | null, ofTables: ReadonlyMap<string, RowFilter> | null = null) {
    this.where = where;
    this.key = key;
    this.#ofTables = ofTables;
  }

  /** The filters of several tables, by resource. The first one belongs to the plan's own table. */
  static joined(filters: ReadonlyMap<string, RowFilter>): RowFilter {
    const [first = RowFilter.all] = filters.values();
    const keys = [...filters].map(([resource, { key }]) => [resource, key]);
    return new RowFilter(first.where, JSON.stringify(keys), filters);
  }

  /** The filter for one of the tables. */
  of({ resource }: Table): RowFilter {
    if (this.#ofTables === null) return this;
    const filter = this.#ofTables.get(resource);
    if (filter === undefined) throw new TypeError('a table without a permission');
    return filter;
  }

  /** The rows that match the condition and are inside. */
  within(condition: Where): Where {
    return this.where === null ? condition : { op: 'all', of: [this.where, condition] };
  }
}

declare const isGuarded: unique symbol;

interface Guard {
  readonly [isGuarded]: true;
  readonly rows: RowFilter;
}

/** A plan that keeps to the rows of its caller. Only `guard` makes one, and nothing else is run on a database. */
export type Guarded<P extends Plan = Plan> = P extends Plan ? P & Guard & Parts<P> : never;

/** The reads inside a plan. */
type Parts<P> = P extends Describe
  ? { readonly count: (Read & Guard) | null }
  : P extends Aggregate
    ? { readonly records: Read & Guard }
    : unknown;

/** Restricts a plan to the rows inside. If the filter leaves out no rows, the database gets the same statements. */
export function guard<P extends Plan>(plan: P, rows: RowFilter): Guarded<P> {
  return { ...narrow(plan, rows), rows } as unknown as Guarded<P>;
}

function narrow(plan: Plan, rows: RowFilter): Plan {
  switch (plan.effect) {
    case 'read':
      return narrowRead(plan, rows);
    case 'aggregate':
      return { ...plan, records: guard(plan.records, rows) } satisfies Aggregate;
    case 'ask':
      return narrowAsk(plan, rows);
    case 'describe':
      return { ...plan, count: plan.count && guard(plan.count, rows) } satisfies Describe;
    case 'delete':
      return { ...plan, where: rows.within(plan.where) } satisfies Delete;
    case 'write':
      return { ...plan, records: completeRecords(plan, rows.where) } satisfies Write;
  }
}

function narrowAsk(plan: Ask, rows: RowFilter): Ask {
  const isRisky = !plan.counts && mayFail(plan.question);
  const question = withTables(plan.question, (one) => {
    const inside = rows.of(one.table);
    return { ...one, where: inside.within(one.where), isFenced: isRisky && inside.where !== null };
  });
  return { ...plan, question };
}

function narrowRead(plan: Read, rows: RowFilter): Read {
  if (rows.where === null) return plan;
  const own = (search: Search): Search => ({ ...search, ranksAlone: true });
  const ranked = <T extends Shown>(shown: T): T | Rank =>
    'search' in shown ? { ...shown, search: own(shown.search) } : shown;
  return {
    ...plan,
    where: rows.within(plan.where),
    columns: plan.columns.map(ranked),
    searches: plan.searches.map(own),
    sort: plan.sort.map((one) => ({ ...one, by: ranked(one.by) })),
  };
}

/** If the filter fixes a column to one value, new records get it unless the client sends one: the client may not even see the column. */
function completeRecords({ records, method }: Write, where: Where | null): readonly WriteRecord[] {
  const fixed = where === null || method === 'update' ? [] : fixedColumns(where);
  if (fixed.length === 0) return records;
  // Records with the same columns share one array, so they have to share the new array, too.
  const shapes = new Map<readonly Column[], { readonly columns: readonly Column[]; readonly more: readonly Fixed[] }>();
  return records.map((record) => {
    const { columns, values } = record;
    let shape = shapes.get(columns);
    if (shape === undefined) {
      const more = fixed.filter(({ column }) => columns.every(({ name }) => name !== column.name));
      shape = { columns: [...columns, ...more.map(({ column }) => column)], more };
      shapes.set(columns, shape);
    }
    if (shape.more.length === 0) return record;
    return { ...record, columns: shape.columns, values: [...values, ...shape.more.map(({ value }) => value)] };
  });
}

interface Fixed {
  readonly column: Column;
  readonly value: BoundValue;
}

/** The columns that the filter fixes to one value, and that can be written. */
function fixedColumns(where: Where): readonly Fixed[] {
  const all = singleValues(where);
  return all.filter(
    ({ column }, at) => !column.readOnly && all.findIndex((one) => one.column.name === column.name) === at,
  );
}

function singleValues(where: Where): readonly Fixed[] {
  if (where.op === 'all') return where.of.flatMap(singleValues);
  const [value, ...others] = where.op === 'in' ? where.values : [];
  return where.op === 'in' && value !== undefined && others.length === 0 ? [{ column: where.column, value }] : [];
}
