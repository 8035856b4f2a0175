/** The tables of a SELECT. Pure. */
import type { Select, SelectSource, SqlExpr } from './select.ts';

/** The names of all tables of a SELECT and its subqueries, without duplicates. Those of FROM come before those of other clauses. */
export function tablesOf(select: Select): readonly string[] {
  return [...new Set(tablesIn(select))];
}

function tablesIn(select: Select): readonly string[] {
  const values = [
    ...select.outputs.flatMap((output) => (output.is === 'one' ? [output.of] : [])),
    ...(select.where === null ? [] : [select.where]),
    ...select.groups,
    ...(select.having === null ? [] : [select.having]),
    ...select.sort.map((sort) => sort.of),
  ];
  return [...tablesOfSource(select.from), ...values.flatMap(tablesOfValue)];
}

function tablesOfSource(source: SelectSource): readonly string[] {
  switch (source.is) {
    case 'table':
      return [source.name];
    case 'query':
      return tablesIn(source.of);
    case 'join':
      return [...tablesOfSource(source.left), ...tablesOfSource(source.right), ...tablesOfValue(source.on)];
  }
}

const tablesOfValue = (value: SqlExpr): readonly string[] =>
  value.is === 'query' ? tablesIn(value.of) : partsOf(value).flatMap(tablesOfValue);

/** The expressions that an expression consists of; none for a query, which has names of its own. */
export function partsOf(value: SqlExpr): readonly SqlExpr[] {
  switch (value.is) {
    case 'and':
    case 'or':
      return value.of;
    case 'not':
    case 'negative':
    case 'nullTest':
    case 'truthTest':
    case 'cast':
      return [value.of];
    case 'compare':
    case 'arithmetic':
    case 'join texts':
      return [value.left, value.right];
    case 'in':
      return [value.of, ...value.list];
    case 'like':
      return [value.of, value.pattern];
    case 'case':
      return [
        ...value.whens.flatMap(({ when, value: then }) => [when, then]),
        ...(value.otherwise === null ? [] : [value.otherwise]),
      ];
    case 'call':
      return value.filter === null ? value.args : [...value.args, value.filter];
    case 'name':
    case 'number':
    case 'text':
    case 'flag':
    case 'null':
    case 'now':
    case 'interval':
    case 'query':
      return [];
  }
}
