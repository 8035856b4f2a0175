/** The tables of a SELECT. Pure. */
import type { Select, SelectSource, SqlExpr } from './select.ts';

/** The names of all tables of a SELECT and its subqueries, without duplicates. Tables in FROM come before tables in other clauses. */
export function tablesOf(select: Select): readonly string[] {
  return [...new Set(tablesIn(select))];
}

const tablesIn = (select: Select): readonly string[] => [
  ...tablesOfSource(select.from),
  ...expressionsOf(select).flatMap(tablesOfValue),
];

const expressionsOf = (select: Select): readonly SqlExpr[] => [
  ...select.outputs.flatMap((output) => (output.is === 'one' ? [output.of] : [])),
  ...(select.where === null ? [] : [select.where]),
  ...select.groups,
  ...(select.having === null ? [] : [select.having]),
  ...select.sort.map((sort) => sort.of),
];

/** Whether the answer depends on the time. */
export const readsClock = (select: Select): boolean =>
  sourceReadsClock(select.from) || expressionsOf(select).some(valueReadsClock);

function sourceReadsClock(source: SelectSource): boolean {
  if (source.is === 'table') return false;
  if (source.is === 'query') return readsClock(source.of);
  return sourceReadsClock(source.left) || sourceReadsClock(source.right) || valueReadsClock(source.on);
}

const valueReadsClock = (value: SqlExpr): boolean =>
  value.is === 'now' || (value.is === 'query' ? readsClock(value.of) : partsOf(value).some(valueReadsClock));

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

/** The expressions that an expression consists of; none for a subquery, whose names have a scope of their own. */
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
