/** Turns a SELECT into a question: looks up its names, types its expressions, and checks that each clause allows what it has. */

import { columnsOf } from '../../model/plan.ts';
import { type Expr, int8, type Order, type Output, partsOf, type Question, type Source } from '../../model/question.ts';
import { expressionKey } from '../../model/read-key.ts';
import { type Select, type SelectOutput, type SelectSource, type SqlExpr, SqlFault } from '../../model/select.ts';
import type { Column, Table } from '../../model/table.ts';
import { truncate } from '../../values/truncate.ts';
import { defaultColumns, wireType } from '../query/columns.ts';
import { columnValue, typedOutput } from '../question/typed.ts';
import { Cost } from './cost.ts';
import { isGroupable } from './measure.ts';
import { type NamedSource, Scope } from './scope.ts';
import { ExpressionTyper, hasAggregate } from './type-expression.ts';
import { inGroups, inRecords } from './typing.ts';

export const maxOutputs = 200;

/** The tables of a SELECT by the names that it uses, and a counter for the names of sources in the statement. */
interface Names {
  readonly tables: ReadonlyMap<string, Table>;
  next(): string;
  readonly cost: Cost;
}

/** The question of a SELECT. @param tables by the names in it. Throws a `SqlFault` for errors that only the tables show. */
export function questionOf(select: Select, tables: ReadonlyMap<string, Table>): Question {
  let count = 0;
  const question = typed(select, { tables, next: () => `t${count++}`, cost: new Cost() });
  return { ...question, outputs: withDifferentNames(question.outputs) };
}

/** Adds a number to a repeated name, as CKAN does. */
function withDifferentNames(outputs: readonly Output[]): readonly Output[] {
  const taken = new Set<string>();
  return outputs.map(({ column, of }) => {
    let label = column.label;
    for (let nth = 1; taken.has(label); nth++) label = `${column.label}_${nth}`;
    taken.add(label);
    // Computed numbers may be larger than an int4.
    const type = column.type.kind === 'int' && column.type.max === int8.max ? int8 : column.type;
    return { of, column: { ...column, type, label } };
  });
}

function typed(select: Select, names: Names): Question {
  const { source, named } = sourceOf(select.from, names);
  const scope = new Scope(named);
  const typer = new ExpressionTyper(scope, names.cost, (inner) => typed(inner, names));
  const outputs = outputsOf(select, scope, typer);
  const where = select.where && typer.condition(select.where, inRecords('WHERE'));
  const groups = select.groups.map((one) => groupOf(one, outputs, scope, typer));
  const having = select.having && typer.condition(select.having, inGroups('HAVING'));
  const constant = select.sort.find(({ of }) => ['text', 'flag', 'null'].includes(of.is))?.of;
  if (constant !== undefined) throw new SqlFault('ORDER BY needs a field or a number of an output', constant.at);
  const sort = select.sort.map(
    ({ of, descending, nullsFirst }): Order => ({
      by: outputOf(of, outputs, scope, 'output first')?.of ?? typer.value(of, inGroups('ORDER BY')),
      direction: descending ? 'desc' : 'asc',
      nulls: nullsFirst ? 'first' : 'last',
    }),
  );
  const all = [...outputs.map(({ of }) => of), ...sort.map(({ by }) => by)];
  const isGrouped = groups.length > 0 || having !== null || all.some(hasAggregate);
  if (isGrouped) mustBeOfGroups([...all, ...(having === null ? [] : [having])], groups, select);
  const { limit, offset } = select;
  const question = {
    from: source,
    where,
    groups: isGrouped ? groups : null,
    outputs,
    having,
    sort,
    limit,
    offset,
    queries: typer.queries,
  };
  names.cost.check(question, select.at);
  const answer = select.distinct ? distinct(question, names, select.at) : question;
  names.cost.isAlike(answer, question);
  return answer;
}

/** The source of a SELECT, and the names that it defines. */
function sourceOf(
  from: SelectSource,
  names: Names,
): { readonly source: Source; readonly named: readonly NamedSource[] } {
  switch (from.is) {
    case 'table': {
      const table = names.tables.get(from.name);
      if (table === undefined) throw new TypeError('a table that was not looked up');
      const as = names.next();
      const own = (columns: readonly Column[]) => columns.map((column) => ({ ...column, source: as }));
      const named = {
        alias: from.alias,
        columns: own(table.columns),
        // Computed on demand: few SELECTs use `*`, and a table may have a thousand columns.
        get shown() {
          return own(defaultColumns(table));
        },
      };
      return { source: { is: 'table', as, table, where: { op: 'all', of: [] }, searches: [] }, named: [named] };
    }
    case 'query': {
      const of = typed(from.of, names);
      const labels = of.outputs.map(({ column }) => column.label);
      const twice = labels.find((label, nth) => labels.indexOf(label) !== nth);
      if (twice !== undefined)
        throw new SqlFault(`the subquery has the output "${truncate(twice)}" twice: name one by AS`, from.at);
      const as = names.next();
      const columns = of.outputs.map(({ column }) => ({ ...column, source: as }));
      return { source: { is: 'query', as, of }, named: [{ alias: from.alias, columns, shown: columns }] };
    }
    case 'join': {
      const [left, right] = [sourceOf(from.left, names), sourceOf(from.right, names)];
      const named = [...left.named, ...(from.keepsLeft ? right.named.map(orNull) : right.named)];
      const aliases = named.map(({ alias }) => alias);
      const twice = aliases.find((alias, nth) => alias !== null && aliases.indexOf(alias) !== nth);
      if (twice != null) throw new SqlFault(`"${truncate(twice)}" stands twice in FROM: name one by AS`, from.at);
      const typer = new ExpressionTyper(new Scope(named), names.cost, () => {
        throw new SqlFault('a subquery is not supported in ON', from.on.at);
      });
      const on = typer.condition(from.on, inRecords('ON'));
      if (!hasEquality(on, left.named, right.named))
        throw new SqlFault(
          'ON must compare a field of each side by =, as without it all records would be joined with all',
          from.on.at,
        );
      return { source: { is: 'join', keepsLeft: from.keepsLeft, left: left.source, right: right.source, on }, named };
    }
  }
}

/** The right side of a LEFT JOIN: where no record matches, all of its columns are NULL. */
function orNull({ alias, columns, shown }: NamedSource): NamedSource {
  const nullable = (all: readonly Column[]) => all.map((column) => ({ ...column, nullable: true }));
  return { alias, columns: nullable(columns), shown: nullable(shown) };
}

/** Whether a join's condition requires that a column on the left equals one on the right. */
function hasEquality(on: Expr, left: readonly NamedSource[], right: readonly NamedSource[]): boolean {
  if (on.is === 'and') return on.of.some((part) => hasEquality(part, left, right));
  if (on.is !== 'compare' || on.op !== '=') return false;
  const isOf = (e: Expr, sources: readonly NamedSource[]) =>
    e.is === 'column' && sources.some(({ columns }) => columns.some(({ source }) => source === e.column.source));
  return (isOf(on.left, left) && isOf(on.right, right)) || (isOf(on.left, right) && isOf(on.right, left));
}

function outputsOf({ outputs, at }: Select, scope: Scope, typer: ExpressionTyper): readonly Output[] {
  const all = outputs.flatMap((one) =>
    one.is === 'all'
      ? scope.all(one.source, one.at).map((column) => ({ label: column.label, of: columnValue(column) }))
      : [{ label: one.name ?? nameOf(one.of), of: typer.value(one.of, inGroups('SELECT')) }],
  );
  if (all.length > maxOutputs) throw new SqlFault(`at most ${maxOutputs} outputs, got: ${all.length}`, at);
  return all.map(({ label, of }, nth) => typedOutput(of, nth, label));
}

/** The name of an output without AS, as PostgreSQL makes it. */
const nameOf = (e: SqlExpr): string => ownName(e) ?? (e.is === 'cast' ? e.to : e.is === 'case' ? 'case' : '?column?');

/** An expression's own name. A cast of it takes over that name, and so does a CASE with it in ELSE. */
function ownName(e: SqlExpr): string | null {
  if (e.is === 'name') return e.name;
  if (e.is === 'call') return e.fn;
  if (e.is === 'cast') return ownName(e.of);
  if (e.is === 'case') return e.otherwise && ownName(e.otherwise);
  if (e.is === 'now') return e.shows === 'date' ? 'current_date' : 'now';
  if (e.is !== 'query') return null;
  const [first]: readonly SelectOutput[] = e.of.outputs;
  return first?.is === 'one' ? (first.name ?? nameOf(first.of)) : null;
}

/** The output that a number or name in ORDER BY or GROUP BY refers to; null if none. */
function outputOf(
  e: SqlExpr,
  outputs: readonly Output[],
  scope: Scope,
  preference: 'output first' | 'field first',
): Output | null {
  if (e.is === 'number') {
    const output = /^\d+$/.test(e.digits) ? outputs[Number(e.digits) - 1] : undefined;
    if (output === undefined) throw new SqlFault(`there is no output ${e.digits}`, e.at);
    return output;
  }
  if (e.is !== 'name' || e.source !== null || (preference === 'field first' && scope.has(e.name))) return null;
  const [found, another] = outputs.filter(({ column }) => column.label === e.name);
  if (another !== undefined && found !== undefined && expressionKey(another.of) !== expressionKey(found.of))
    throw new SqlFault(`there are several outputs "${truncate(e.name)}"`, e.at);
  return found ?? null;
}

function groupOf(e: SqlExpr, outputs: readonly Output[], scope: Scope, typer: ExpressionTyper): Expr {
  const of = outputOf(e, outputs, scope, 'field first')?.of ?? typer.value(e, inRecords('GROUP BY'));
  if (hasAggregate(of)) throw new SqlFault('GROUP BY has records, not groups: an aggregate is not allowed here', e.at);
  if (!hasColumn(of)) throw new SqlFault('GROUP BY needs a field or a number of an output', e.at);
  if (!isGroupable(of)) throw new SqlFault(`a value of type ${wireType(of.type)} has no groups`, e.at);
  return of;
}

const hasColumn = (e: Expr): boolean => e.is === 'column' || e.is === 'filter' || partsOf(e).some(hasColumn);

/** Refuses a column outside of aggregates that is not in GROUP BY, because a group has no single value for it. */
function mustBeOfGroups(all: readonly Expr[], groups: readonly Expr[], { at }: Select): void {
  const keys = new Set(groups.map(expressionKey));
  const check = (e: Expr): void => {
    if (e.is === 'aggregate' || keys.has(expressionKey(e))) return;
    const columns = e.is === 'column' ? [e.column] : e.is === 'filter' ? columnsOf(e.where) : [];
    const alone = columns.find((column) => !keys.has(expressionKey(columnValue(column))));
    if (alone !== undefined)
      throw new SqlFault(`"${truncate(alone.label)}" must be in GROUP BY, or in an aggregate`, at);
    partsOf(e).forEach(check);
  };
  all.forEach(check);
}

/** Turns DISTINCT into groups by all outputs. */
function distinct(question: Question, names: Names, at: number): Question {
  const { outputs, sort, limit, offset, ...of } = question;
  const wrong = outputs.find((one) => !isGroupable(one.of));
  if (wrong !== undefined) throw new SqlFault(`DISTINCT: a value of type ${wireType(wrong.of.type)} has no groups`, at);
  const keys = outputs.map((one) => expressionKey(one.of));
  const places = sort.map(({ by }) => keys.indexOf(expressionKey(by)));
  if (places.includes(-1)) throw new SqlFault('ORDER BY of SELECT DISTINCT takes only outputs', at);
  const isPlain = question.groups === null && outputs.every((one) => hasColumn(one.of));
  if (isPlain) return { ...question, groups: outputs.map((one) => one.of) };
  const as = names.next();
  const columns = outputs.map(({ column }) => columnValue({ ...column, source: as }));
  return {
    from: { is: 'query', as, of: { ...of, outputs, sort: [], limit: null, offset: 0 } },
    ...{ where: null, having: null, queries: [], limit, offset },
    groups: columns,
    outputs: outputs.map(({ column }, nth) => ({ column, of: columns[nth] ?? columnValue(column) })),
    sort: sort.flatMap((one, nth) => ({ ...one, by: columns[places[nth] ?? 0] ?? one.by })),
  };
}
