/** The vocabulary of questions: what to compute from the records of a table, typed, and before any SQL. Pure. */
import { type ColumnSort, columnsOf, type Search, type Where } from './plan.ts';
import type { Column, Table, Type } from './table.ts';

/** The calendar units by which a call may group dates and timestamps. */
export const steps = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;
export type Step = (typeof steps)[number];

/** The type of a value, which is the same on every engine. */
interface Typed {
  readonly type: Type;
}

/** What the records of a group have in common. */
export type Grouping = Typed & { readonly column: Column } & (
    | { readonly is: 'column' }
    /** The beginning of the calendar unit that holds the value, in UTC. */
    | { readonly is: 'truncate'; readonly every: Step }
    /** The largest multiple of `width`, a decimal above zero, that is not above the value. */
    | { readonly is: 'floor'; readonly width: string }
  );

/** A value computed from all records of a group that match `filter`. NULLs are left out; `count` without a column counts records. */
export type Aggregation = Typed & { readonly is: 'aggregate'; readonly filter: Where | null } & (
    | { readonly fn: 'count'; readonly column: null }
    | { readonly fn: 'sum' | 'avg' | 'min' | 'max' | 'distinct'; readonly column: Column }
  );

export type Expr = Grouping | Aggregation;

/** An expression with the column that it makes in the answer, which `having` and `sort` of the question refer to. */
export interface Output<E extends Expr = Expr> {
  readonly column: Column;
  readonly of: E;
}

export interface Source {
  readonly is: 'table';
  readonly table: Table;
}

export interface Question {
  readonly from: Source;
  readonly where: Where;
  readonly searches: readonly Search[];
  /** Without any, all records are one group, even if there are none. */
  readonly groups: readonly Output<Grouping>[];
  readonly measures: readonly Output<Aggregation>[];
  /** A condition on columns of outputs. */
  readonly having: Where;
  /** By columns of outputs. */
  readonly sort: readonly ColumnSort[];
  readonly limit: number;
  readonly offset: number;
}

/** The plan of a question. */
export interface Ask {
  readonly effect: 'ask';
  readonly table: Table;
  readonly question: Question;
}

export const outputsOf = ({ groups, measures }: Question): readonly Output[] => [...groups, ...measures];

/** The conditions on columns of the table: of the whole question, and of its measures. */
export const conditionsOf = ({ where, measures }: Question): Where => ({
  op: 'all',
  of: [where, ...measures.flatMap(({ of }) => of.filter ?? [])],
});

/** The columns of the table that the outputs need; a column may be there twice. */
export const columnsOfOutputs = (question: Question): readonly Column[] => [
  ...outputsOf(question).flatMap(({ of }) => of.column ?? []),
  ...question.measures.flatMap(({ of }) => (of.filter === null ? [] : columnsOf(of.filter))),
];
