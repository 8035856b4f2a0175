import type { Expr } from '../../model/question.ts';
import type { SqlExpr } from '../../model/select.ts';
import type { Type } from '../../model/table.ts';

/** Where an expression stands: in a condition on records, or in a clause that may be about groups. */
export interface Place {
  readonly clause: string;
  readonly aggregates: boolean;
}
export const inRecords = (clause: string): Place => ({ clause, aggregates: false });
export const inGroups = (clause: string): Place => ({ clause, aggregates: true });

/** Types expressions, each in its place. All methods throw a `SqlFault` for unsupported SQL. */
export interface Typing {
  value(e: SqlExpr, place: Place): Expr;
  /** An expression, in which a text or NULL without a type has this type. */
  as(e: SqlExpr, type: Type, place: Place): Expr;
  /** Values that have one type, as in CASE. */
  alike(
    es: readonly SqlExpr[],
    what: string,
    place: Place,
    at: number,
  ): { readonly of: readonly Expr[]; readonly type: Type };
}
