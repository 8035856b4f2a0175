/** The vocabulary of questions: typed queries with computed values, groups and joins, before any SQL. Pure. */
import { columnsOf, type Search, type Sort, type Where } from './plan.ts';
import type { Arithmetic, Comparison, TimePart, TruthTest } from './select.ts';
import type { Column, Table, Type } from './table.ts';

/** The calendar units by which a call may group dates and timestamps. */
export const steps = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;
export type Step = (typeof steps)[number];

/** Functions of one value, or of several (`coalesce`, `substring`), that are the same on every engine. */
export type FunctionName =
  | 'lower'
  | 'upper'
  | 'length'
  | 'trim'
  | 'substring'
  | 'coalesce'
  | 'abs'
  | 'round'
  | 'floor'
  | 'ceil';

/**
 * Computes one value from all records of a group that match `filter`, without the NULLs. If `of` is null, `count` counts records;
 * `distinct` counts different values; `total` counts the records of all groups.
 */
export interface Aggregation {
  readonly is: 'aggregate';
  readonly type: Type;
  readonly fn: 'count' | 'total' | 'sum' | 'avg' | 'min' | 'max' | 'distinct' | 'deviation';
  readonly of: Expr | null;
  readonly filter: Expr | null;
}

export const int8: Extract<Type, { kind: 'int' }> = {
  kind: 'int',
  wire: 'int8',
  min: -(2n ** 63n),
  max: 2n ** 63n - 1n,
};

/** PostgreSQL's int4. We compute it as an int8, but its sum stays an int8, not a numeric, so that `sum(x) / 2` is a whole number. */
export const int4: Extract<Type, { kind: 'int' }> = { ...int8, wire: 'int4' };

/** The number of records. */
export const countOfAll: Aggregation = { is: 'aggregate', fn: 'count', of: null, filter: null, type: int8 };

/** A value that a question computes for each record or group. Its type is the same on every engine. */
export type Expr =
  | Aggregation
  | ({ readonly type: Type } & (
      | { readonly is: 'column'; readonly column: Column }
      /** A constant as text: digits, `true`, or a date as the API shows it. */
      | { readonly is: 'value'; readonly value: string | null }
      /** A condition on columns of one table, as the filters of a search compare them. */
      | { readonly is: 'filter'; readonly where: Where }
      | { readonly is: 'and' | 'or'; readonly of: readonly Expr[] }
      | { readonly is: 'not' | 'negative'; readonly of: Expr }
      | { readonly is: 'nullTest'; readonly not: boolean; readonly of: Expr }
      | { readonly is: 'truthTest'; readonly test: TruthTest; readonly of: Expr }
      | { readonly is: 'compare'; readonly op: Comparison; readonly left: Expr; readonly right: Expr }
      /** `pattern`: as in a filter, with `|` as the escape character. */
      | { readonly is: 'like'; readonly of: Expr; readonly pattern: string; readonly folds: boolean }
      | { readonly is: 'arithmetic'; readonly op: Arithmetic; readonly left: Expr; readonly right: Expr }
      /** Joined texts. `skipsNull`: NULLs are left out; if not, the result is NULL. */
      | { readonly is: 'concat'; readonly skipsNull: boolean; readonly of: readonly Expr[] }
      | {
          readonly is: 'case';
          readonly whens: readonly { readonly when: Expr; readonly value: Expr }[];
          readonly otherwise: Expr | null;
        }
      | { readonly is: 'cast'; readonly of: Expr }
      | { readonly is: 'call'; readonly fn: FunctionName; readonly of: readonly Expr[] }
      /** The beginning of the calendar unit that holds a time, in UTC. */
      | { readonly is: 'truncate'; readonly every: Step; readonly of: Expr }
      | { readonly is: 'extract'; readonly part: TimePart; readonly of: Expr }
      /** A time as text by a format, a list of `parts` and texts between them. */
      | { readonly is: 'format'; readonly format: readonly FormatPart[]; readonly of: Expr }
      /** A time plus `months` and `seconds`. */
      | { readonly is: 'shift'; readonly months: number; readonly seconds: number; readonly of: Expr }
      | { readonly is: 'now' }
      /** The largest multiple of `width`, a decimal above zero, that is not above the value. */
      | { readonly is: 'floor'; readonly width: string; readonly of: Expr }
      /** The value of the question's `queries[nth]`; NULL if that query has no record. */
      | { readonly is: 'query'; readonly nth: number }
    ));

export type FormatPart = { readonly part: 'YYYY' | 'MM' | 'DD' | 'HH24' | 'MI' | 'SS' } | { readonly text: string };

/** An expression, and its column in the answer or in the enclosing question. */
export interface Output {
  readonly column: Column;
  readonly of: Expr;
}

/** Where the records come from. The columns of a source name its `as` in their `source`; `as` is null if there is only one source. */
export type Source =
  | TableSource
  | { readonly is: 'query'; readonly as: string; readonly of: Question }
  | {
      readonly is: 'join';
      /** Whether records on the left without a match are kept. */
      readonly keepsLeft: boolean;
      readonly left: Source;
      readonly right: Source;
      readonly on: Expr;
    };

/** The records of a table that match a condition and all searches. */
export interface TableSource {
  readonly is: 'table';
  readonly as: string | null;
  readonly table: Table;
  readonly where: Where;
  readonly searches: readonly Search[];
  /**
   * Set if the client's expressions must not run on records that `where` leaves out, because an error would reveal something about them.
   * (The planner may evaluate a client's condition before the row filter.)
   */
  readonly isFenced?: boolean;
}

export interface Order extends Omit<Sort, 'by'> {
  readonly by: Expr;
}

export interface Question {
  readonly from: Source;
  readonly where: Expr | null;
  /** Null: no groups, one record for each record of the source. Empty: all records are one group, even if there are no records. */
  readonly groups: readonly Expr[] | null;
  readonly outputs: readonly Output[];
  readonly having: Expr | null;
  readonly sort: readonly Order[];
  readonly limit: number | null;
  readonly offset: number;
  /** Scalar subqueries: questions with one record and one output, whose value an expression takes. */
  readonly queries: readonly Question[];
}

/** The plan of a question. */
export interface Ask {
  readonly effect: 'ask';
  /** The table of the call's resource; with joins, of the first resource. */
  readonly table: Table;
  readonly question: Question;
  /** Whether the last output is the number of records in all groups, and a sample will do if all records take too long. */
  readonly counts: boolean;
}

/** The expressions directly inside this one. */
export function partsOf(e: Expr): readonly Expr[] {
  switch (e.is) {
    case 'column':
    case 'value':
    case 'filter':
    case 'now':
    case 'query':
      return [];
    case 'compare':
    case 'arithmetic':
      return [e.left, e.right];
    case 'case':
      return [...e.whens.flatMap(({ when, value }) => [when, value]), ...(e.otherwise === null ? [] : [e.otherwise])];
    case 'aggregate':
      return [e.of, e.filter].filter((one) => one !== null);
    default:
      return 'length' in e.of ? e.of : [e.of];
  }
}

/** Whether the expression or one inside it matches. Does not descend into subqueries. */
export const some = (e: Expr, matches: (one: Expr) => boolean): boolean =>
  matches(e) || partsOf(e).some((part) => some(part, matches));

/** Whether a condition on records may fail for some of them, for example because a number is out of range. */
export const mayFail = (question: Question): boolean =>
  questionsIn(question).some(({ from, where }) => [...joinsIn(from), ...(where === null ? [] : [where])].some(isRisky));

const risky: readonly Expr['is'][] = [
  'arithmetic',
  'negative',
  'cast',
  'call',
  'shift',
  'truncate',
  'extract',
  'format',
  'floor',
];
const isRisky = (e: Expr): boolean => some(e, ({ is }) => risky.includes(is));

/** The tables of a question and of the questions inside it. */
export const tablesOf = (question: Question): readonly TableSource[] =>
  questionsIn(question).flatMap(({ from }) => sourcesIn(from).filter((one) => one.is === 'table'));

/** The question, and all questions inside it. */
function questionsIn(question: Question): readonly Question[] {
  const inside = sourcesIn(question.from).flatMap((one) => (one.is === 'query' ? [one.of] : []));
  return [question, ...[...inside, ...question.queries].flatMap(questionsIn)];
}

const sourcesIn = (from: Source): readonly Exclude<Source, { is: 'join' }>[] =>
  from.is === 'join' ? [...sourcesIn(from.left), ...sourcesIn(from.right)] : [from];

const joinsIn = (from: Source): readonly Expr[] =>
  from.is === 'join' ? [from.on, ...joinsIn(from.left), ...joinsIn(from.right)] : [];

function expressionsOf({ from, where, groups, outputs, having, sort }: Question): readonly Expr[] {
  const conditions = [where, having].filter((one) => one !== null);
  return [
    ...joinsIn(from),
    ...outputs.map(({ of }) => of),
    ...conditions,
    ...(groups ?? []),
    ...sort.map((one) => one.by),
  ];
}

/** The conditions on table columns: the call's and, once the plan is guarded, the row filters'. */
export function conditionsOf(question: Question): readonly Where[] {
  const sources = tablesOf(question);
  const tables = new Set(sources.map(({ as }) => as));
  const filters = allExpressions(question).flatMap(filtersIn);
  return [
    ...sources.map(({ where }) => where),
    ...filters.filter((where) => columnsOf(where).some((column) => tables.has(sourceOf(column)))),
  ];
}

const allExpressions = (question: Question): readonly Expr[] => questionsIn(question).flatMap(expressionsOf);

const sourceOf = ({ source }: Column): string | null => source ?? null;

const filtersIn = (e: Expr): readonly Where[] => (e.is === 'filter' ? [e.where] : partsOf(e).flatMap(filtersIn));

const columnsIn = (e: Expr): readonly Column[] => (e.is === 'column' ? [e.column] : partsOf(e).flatMap(columnsIn));

/** The columns of a table that the question shows or computes with; a column may appear several times. */
export const columnsShown = (question: Question, source: TableSource): readonly Column[] =>
  ofTable(allExpressions(question).flatMap(columnsIn), source);

/** The columns that belong to this source, without `source`, as its table has them. */
const ofTable = (columns: readonly Column[], { as }: TableSource): readonly Column[] =>
  columns.flatMap(({ source, ...column }) => ((source ?? null) === as ? [column] : []));

/** The columns of a table that the question needs, including those it only filters by; a column may appear several times. */
export const columnsNeeded = (question: Question, source: TableSource): readonly Column[] => [
  ...ofTable(columnsUsed(question), source),
  ...columnsOf(source.where),
];

const columnsUsed = (question: Question): readonly Column[] =>
  allExpressions(question).flatMap((e) => [...columnsIn(e), ...filtersIn(e).flatMap(columnsOf)]);

/** The columns that the question needs, by table, even if several subqueries read the same table. */
export function columnsOfTables(question: Question): ReadonlyMap<Table, readonly Column[]> {
  const sources = tablesOf(question);
  const tables = new Map(sources.map(({ as, table }) => [as, table]));
  const columns = new Map(sources.map(({ table }): [Table, Map<string, Column>] => [table, new Map()]));
  for (const { table, where } of sources)
    for (const column of columnsOf(where)) columns.get(table)?.set(column.name, column);
  for (const { source = null, ...column } of columnsUsed(question)) {
    const table = tables.get(source);
    if (table !== undefined) columns.get(table)?.set(column.name, column);
  }
  return new Map([...columns].map(([table, used]) => [table, [...used.values()]]));
}

/** The same question with every table replaced. */
export function withTables(question: Question, replace: (source: TableSource) => TableSource): Question {
  const again = (one: Question): Question => withTables(one, replace);
  const from = (source: Source): Source => {
    if (source.is === 'table') return replace(source);
    if (source.is === 'query') return { ...source, of: again(source.of) };
    return { ...source, left: from(source.left), right: from(source.right) };
  };
  return { ...question, from: from(question.from), queries: question.queries.map(again) };
}
