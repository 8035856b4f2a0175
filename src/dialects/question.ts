/** Compiles questions (engine-independent queries, `model/question.ts`) to SQL: the part that is the same on every engine. */
import type { ColumnSort, Sample } from '../model/plan.ts';
import {
  columnsNeeded,
  type Order,
  type Output,
  type Question,
  type Source,
  type TableSource,
} from '../model/question.ts';
import { type Column, isText } from '../model/table.ts';
import { aliased, type Counting, source } from './aggregate.ts';
import { type ExpressionPrinter, isConstant } from './expression.ts';
import { type Expression, flat, id, type Knex, type Operand, of, raw } from './knex.ts';
import { page, select, where, withoutRepeats } from './sql.ts';

/** The engine-specific parts. */
export interface Asking {
  readonly counting: Counting;
  /** @param query compiles the subqueries that are used as values */
  printer(query: (nth: number) => Knex.QueryBuilder): ExpressionPrinter;
  /** Adds to the ORDER BY of a query. */
  sort(query: Knex.QueryBuilder, by: ColumnSort): void;
  /** SQL (`??` is the column) that orders texts which are equal by collation. */
  exact(column: Column): string;
  /** ORDER BY for a computed value. */
  order(value: Operand, isText: boolean, by: Pick<Order, 'direction' | 'nulls'>): Expression;
}

/** Implements `GroupDialect.ask`. The rows have the question's outputs, without names. */
export function ask(engine: Asking, question: Question, sample: Sample | null): Knex.QueryBuilder {
  return printed(engine, question, sample, ({ of }, printer) => printer.output(of));
}

/** The rows of a subquery, with names by which the outer query uses its outputs. */
const inner = (engine: Asking, question: Question, sample: Sample | null): Knex.QueryBuilder =>
  printed(engine, question, sample, ({ column, of }, printer) =>
    aliased(of.is === 'column' ? shown(engine, of.column, printer, question) : printer.print(of), column.name),
  );

/** The plain column. But in a grouped query, some engines can only select what is in GROUP BY, so there it is the GROUP BY expression. */
function shown({ counting }: Asking, column: Column, printer: ExpressionPrinter, { groups }: Question): Operand {
  return groups === null || counting.showsAny ? id(column) : printer.key({ is: 'column', column, type: column.type });
}

function printed(
  engine: Asking,
  question: Question,
  sample: Sample | null,
  output: (output: Output, printer: ExpressionPrinter) => Operand,
): Knex.QueryBuilder {
  const { knex } = engine.counting;
  const printer = engine.printer((nth) => {
    const query = question.queries[nth];
    if (query === undefined) throw new TypeError('no such query');
    return inner(engine, query, null);
  });
  const query = rows(engine, question, sample, printer);
  if (question.where !== null) where(knex, query, [raw('??', [printer.print(question.where)])]);
  const keys = (question.groups ?? []).map((one) => printer.key(one));
  if (keys.length > 0) query.groupByRaw(...flat(knex, raw('??', [keys])));
  if (question.having !== null)
    query.havingRaw(...flat(knex, raw('??', [printer.having(question.having, question.groups ?? [])])));
  for (const one of question.sort) order(engine, query, one, question, printer);
  select(
    knex,
    query,
    question.outputs.map((one) => output(one, printer)),
  );
  const { limit, offset } = question;
  return limit === null ? query.offset(offset, { skipBinding: true }) : page(query, limit, offset);
}

function order(
  engine: Asking,
  query: Knex.QueryBuilder,
  by: Order,
  { from, groups }: Question,
  printer: ExpressionPrinter,
) {
  const { by: e, direction, nulls } = by;
  // Sorting by a constant has no effect, and MySQL would take `(3)` for the third output.
  if (isConstant(e)) return;
  const { knex, showsAny } = engine.counting;
  if (e.is !== 'column' || (groups !== null && !showsAny)) {
    query.orderByRaw(...flat(knex, engine.order(printer.key(e), e.is !== 'column' && isText(e.type), by)));
    return;
  }
  engine.sort(query, { by: e.column, direction, nulls });
  // Texts that are equal by collation may be separate groups: without a fixed order, a group could appear on two pages.
  const tie = engine.exact(e.column);
  if ((groups !== null || from.is === 'query') && tie !== '??')
    query.orderByRaw(...flat(knex, raw('??', [of(e.column, tie)])));
}

function rows(
  engine: Asking,
  question: Question,
  sample: Sample | null,
  printer: ExpressionPrinter,
): Knex.QueryBuilder {
  const { counting } = engine;
  const { knex } = counting;
  const { from } = question;
  if (from.is === 'table' && from.isFenced === true)
    return knex.from(knex.raw(...flat(knex, beside(engine, from, question))));
  if (from.is === 'table') return source(counting, from, columnsNeeded(question, from), sample, from.as);
  if (from.is === 'query') return knex.from(inner(engine, from.of, sample).as(from.as));
  return knex.from(knex.raw(...flat(knex, joined(engine, from, question, printer))));
}

/** A source in a join. A table with a condition becomes a subquery, in which the condition only knows the table's own columns. */
function joined(engine: Asking, from: Source, question: Question, printer: ExpressionPrinter): Expression {
  switch (from.is) {
    case 'table':
      return beside(engine, from, question);
    case 'query':
      return raw(`? as ${from.as}`, [inner(engine, from.of, null)]);
    case 'join': {
      const [left, right] = [from.left, from.right].map((one) => joined(engine, one, question, printer));
      const on = printer.print(from.on);
      return raw(`?? ${from.keepsLeft ? 'left' : 'inner'} join ?? on ??`, [left ?? '', right ?? '', on]);
    }
  }
}

/** A table in a join, with its alias. */
const beside = (engine: Asking, from: TableSource, question: Question): Expression =>
  raw(`?? as ${from.as}`, [table(engine, from, question)]);

function table({ counting }: Asking, from: TableSource, question: Question): Operand {
  const { knex, conditions } = counting;
  const matches = conditions(from.where, from.searches, from.table);
  if (matches.length === 0) return counting.from(from.table);
  const columns = withoutRepeats(columnsNeeded(question, from));
  const rows = select(knex, where(knex, knex.from(counting.from(from.table)), matches), columns.map(id));
  // The planner does not move outer conditions into a subquery with a limit, so they can't reveal rows that the row filter hides.
  return raw('?', [from.isFenced === true ? page(rows, Number.MAX_SAFE_INTEGER) : rows]);
}
