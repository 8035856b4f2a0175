/** Prints a question; the part that is the same on every engine. */
import type { Sample } from '../model/plan.ts';
import { type Aggregation, columnsOfOutputs, type Grouping, outputsOf, type Question } from '../model/question.ts';
import type { Column } from '../model/table.ts';
import { aliased, type Counting, source } from './aggregate.ts';
import { type Expression, id, type Knex, type Operand, of, raw, word } from './knex.ts';
import { page, select, where } from './sql.ts';

/** A measure of a column, in place of a number of records. */
export type MeasureOfColumn = Extract<Aggregation, { readonly column: Column }>;

/** The engine-specific parts. */
export interface Asking {
  readonly counting: Counting;
  /** SQL for what the values of a group have in common, and SQL for the value that it shows; null if that is the same. */
  group(of: Grouping): { readonly key: Operand; readonly shown: Operand | null };
  /** SQL for a measure, and SQL in which `??` is the column: the argument, which is each `??` of the measure. */
  measure(of: MeasureOfColumn): readonly [measure: string, argument: string];
  /** Adds to the ORDER BY of a query. */
  sort(query: Knex.QueryBuilder, by: Question['sort'][number]): void;
}

/**
 * Implements `GroupDialect.ask`. The groups are a subquery `g`, so that the condition and the order of the question use the names of
 * its outputs: no engine compares an expression with another one that only looks the same.
 */
export function ask(engine: Asking, question: Question, sample: Sample | null): Knex.QueryBuilder {
  const { knex, conditions, output } = engine.counting;
  const { groups, having, sort, limit, offset, from } = question;
  const query = where(knex, knex.from(grouped(engine, question, sample).as('g')), conditions(having, [], from.table));
  for (const one of sort) engine.sort(query, one);
  for (const { column, of } of groups) if (engine.group(of).shown !== null) query.orderBy(word(keyOf(column)));
  const outputs = outputsOf(question).map(({ column }) => of(column, output(column)));
  return page(select(knex, query, [...outputs, raw('t')]), limit + 1, offset);
}

/** The name of a group's key, where it is not the value that is shown. */
const keyOf = ({ name }: Column): string => `k${name}`;

/** All groups. The keys come first, because GROUP BY names them by their position. */
function grouped(engine: Asking, question: Question, sample: Sample | null): Knex.QueryBuilder {
  const { counting } = engine;
  const { groups, measures, from, where: filter, searches } = question;
  const records = source(counting, { ...from, where: filter, searches }, columnsOfOutputs(question), sample);
  const printed = groups.map(({ column, of }) => ({ column, ...engine.group(of) }));
  const outputs = [
    ...printed.map(({ column, key, shown }) => aliased(key, shown === null ? column.name : keyOf(column))),
    ...printed.flatMap(({ column, shown }) => (shown === null ? [] : [aliased(shown, column.name)])),
    ...measures.map(({ column, of }) => aliased(measure(engine, of, question), column.name)),
    raw(`${total(question, counting)} AS t`),
  ];
  const query = select(counting.knex, records, outputs);
  return groups.length === 0 ? query : query.groupByRaw(groups.map((_, nth) => nth + 1).join(', '));
}

/** The number of records in all groups, also in those that the question leaves out. */
const total = ({ groups }: Question, { hasWindows }: Counting): string =>
  groups.length === 0 ? 'COUNT(*)' : hasWindows ? 'SUM(COUNT(*)) OVER ()' : 'NULL';

function measure({ counting, measure }: Asking, of: Aggregation, { from }: Question): Expression {
  const [sql, argument] = of.fn === 'count' ? ['COUNT(??)', of.filter === null ? '*' : '1'] : measure(of);
  const column = of.column === null ? [] : Array(argument.split('??').length - 1).fill(id(of.column));
  const [filter] = of.filter === null ? [] : counting.conditions(of.filter, [], from.table);
  const value = raw(argument, column);
  const filtered = filter === undefined ? value : raw('CASE WHEN ? THEN ?? END', [filter, value]);
  return raw(sql, Array(sql.split('??').length - 1).fill(filtered));
}
