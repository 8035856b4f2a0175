/**
 * A SELECT as a client wrote it: only the parts that `datastore_search_sql` supports, before names are looked up and types are known. `at`
 * is where a part begins in the text, in bytes of UTF-8 from 0. Pure.
 */
export interface Select {
  readonly at: number;
  readonly from: SelectSource;
  readonly distinct: boolean;
  readonly outputs: readonly SelectOutput[];
  readonly where: SqlExpr | null;
  readonly groups: readonly SqlExpr[];
  readonly having: SqlExpr | null;
  readonly sort: readonly SelectSort[];
  /** Null: no limit. */
  readonly limit: number | null;
  readonly offset: number;
}

/** The FROM clause. A name that WITH defines is replaced by its query. */
export type SelectSource =
  | { readonly is: 'table'; readonly at: number; readonly name: string; readonly alias: string }
  | { readonly is: 'query'; readonly at: number; readonly of: Select; readonly alias: string | null }
  | {
      readonly is: 'join';
      readonly at: number;
      /** Whether rows on the left without a match are kept (LEFT JOIN). */
      readonly keepsLeft: boolean;
      readonly left: SelectSource;
      readonly right: SelectSource;
      readonly on: SqlExpr;
    };

export type SelectOutput =
  /** `*`, or `source.*`. */
  | { readonly is: 'all'; readonly at: number; readonly source: string | null }
  /** `name`: the name after AS; null without one. */
  | { readonly is: 'one'; readonly at: number; readonly name: string | null; readonly of: SqlExpr };

export interface SelectSort {
  readonly of: SqlExpr;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof comparisons)[number];

/** The same comparison with its sides exchanged. */
export const turned = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

export const arithmetics = ['+', '-', '*', '/', '%'] as const;
export type Arithmetic = (typeof arithmetics)[number];

/** IS TRUE, IS NOT FALSE and so on; `null` is IS UNKNOWN. */
export interface TruthTest {
  readonly value: boolean | null;
  readonly not: boolean;
}

export type SqlExpr = { readonly at: number } & (
  | { readonly is: 'name'; readonly source: string | null; readonly name: string }
  /** `digits`: all of them, without an exponent, such as `-12.50`. */
  | { readonly is: 'number'; readonly digits: string }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'flag'; readonly value: boolean }
  | { readonly is: 'null' }
  | { readonly is: 'and' | 'or'; readonly of: readonly SqlExpr[] }
  | { readonly is: 'not' | 'negative'; readonly of: SqlExpr }
  | { readonly is: 'nullTest'; readonly not: boolean; readonly of: SqlExpr }
  | { readonly is: 'truthTest'; readonly test: TruthTest; readonly of: SqlExpr }
  | { readonly is: 'compare'; readonly op: Comparison; readonly left: SqlExpr; readonly right: SqlExpr }
  | { readonly is: 'arithmetic'; readonly op: Arithmetic; readonly left: SqlExpr; readonly right: SqlExpr }
  /** The operator `||`. */
  | { readonly is: 'join texts'; readonly left: SqlExpr; readonly right: SqlExpr }
  | { readonly is: 'in'; readonly not: boolean; readonly of: SqlExpr; readonly list: readonly SqlExpr[] }
  | {
      readonly is: 'like';
      readonly not: boolean;
      readonly folds: boolean;
      readonly of: SqlExpr;
      readonly pattern: SqlExpr;
    }
  /** `CASE x WHEN y` is read as `CASE WHEN x = y`. */
  | {
      readonly is: 'case';
      readonly whens: readonly { readonly when: SqlExpr; readonly value: SqlExpr }[];
      readonly otherwise: SqlExpr | null;
    }
  /** `to`: the name of a type as PostgreSQL's parser gives it, such as `int4`. */
  | { readonly is: 'cast'; readonly to: string; readonly modifiers: readonly number[]; readonly of: SqlExpr }
  | {
      readonly is: 'call';
      /** The function's name, in lower case if it was not quoted. */
      readonly fn: string;
      readonly args: readonly SqlExpr[];
      /** Whether the call is `count(*)`. */
      readonly ofAll: boolean;
      readonly distinct: boolean;
      readonly filter: SqlExpr | null;
    }
  /** `now()`, CURRENT_TIMESTAMP and CURRENT_DATE. */
  | { readonly is: 'now'; readonly shows: 'time' | 'date' }
  /** A span of time: `months` and `seconds` may be negative. */
  | { readonly is: 'interval'; readonly months: number; readonly seconds: number }
  /** A subquery in parentheses as a value. */
  | { readonly is: 'query'; readonly of: Select }
);

/** The parts of a time that `extract` returns. */
export const timeParts = ['year', 'quarter', 'month', 'week', 'day', 'dow', 'isodow', 'doy', 'hour', 'minute'] as const;
export type TimePart = (typeof timeParts)[number];

/** An error in a client's SQL, with its position; null if the error concerns the whole text. */
export class SqlFault extends Error {
  /** The error's position, in bytes of UTF-8 from 0. */
  readonly at: number | null;

  constructor(text: string, at: number | null) {
    super(text);
    this.at = at;
  }
}
