/** Plans that read records → queries of knex. */
import type { Server } from '../../model/catalog.ts';
import { isRank, type Read } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import { cursorColumns } from '../after.ts';
import { type Expression, id, type Knex, type Operand, raw } from '../knex.ts';
import { ofTable, once, page, select, unshown, where } from '../sql.ts';
import { from, knex, typesOnly } from './column.ts';
import { distinct } from './distinct.ts';
import { after, order } from './order.ts';
import { rank } from './search.ts';
import { conditions } from './select.ts';

export function search(read: Read, server: Server, withTotal = false): Knex.QueryBuilder {
  const shown = read.columns.map((one) => (isRank(one) ? rank(one.search, read.table, server) : id(one)));
  const total = withTotal ? [raw('?', [count(read, server)])] : [];
  return selected(read, [...shown, ...cursorColumns(read).map(id), ...typesIn(read, unshown(read)), ...total], server);
}

/** One page of records in their order, with these outputs; counting a million of all records would take a tenth of a download's time. */
export function selected(read: Read, outputs: readonly Operand[], server: Server): Knex.QueryBuilder {
  const rows = source(read, [...found(read, server), ...after(read)]);
  const sorted = order(select(knex, rows, outputs), read, server);
  const isAll = read.limit === Number.MAX_SAFE_INTEGER && read.offset === 0;
  return isAll ? sorted : page(sorted, read.limit, read.offset);
}

export const count = (read: Read, server: Server): Knex.QueryBuilder => source(read, found(read, server)).count();

export const estimate = (read: Read, server: Server): Knex.Raw =>
  knex.raw('EXPLAIN (FORMAT JSON) ??', [select(knex, source(read, found(read, server)), [raw('1')])]);

/** The types of columns, and no record. */
export const check = (table: Table, columns: readonly Column[]): Knex.QueryBuilder =>
  page(select(knex, knex.from(from(table)), [typesOnly(columns)]), 0);

const found = ({ where, searches, table }: Read, server: Server) => conditions(where, searches, table, server);

/** The records that match; of those that show the same one. */
function source(read: Read, matching: readonly Expression[]): Knex.QueryBuilder {
  const rows = where(knex, knex.from(from(read.table)), matching);
  return read.distinct ? knex.from(distinct(rows, once(ofTable(read))).as('d')) : rows;
}

/** The types of columns, also where the records come from a subquery that does not select them. */
function typesIn({ distinct, table }: Read, columns: readonly Column[]): readonly Operand[] {
  if (columns.length === 0) return [];
  return distinct ? columns.map((column) => raw('?', [check(table, [column])])) : [typesOnly(columns)];
}
