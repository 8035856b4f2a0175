/** What all plans have in common. Pure. */
import type { Aggregate, Delete, Describe, Read, Shown, Where, Write } from './plan.ts';
import { type Ask, columnsShown, conditionsOf, tablesOf } from './question.ts';

export type Plan = Read | Write | Delete | Describe | Aggregate | Ask;

/** The columns and ranks whose values the answer to a plan shows. */
export function shownOf(plan: Read | Aggregate | Ask): readonly Shown[] {
  if (plan.effect === 'read') return plan.columns;
  if (plan.effect === 'aggregate') return [plan.column];
  const { question } = plan;
  return tablesOf(question).flatMap((source) => columnsShown(question, source));
}

/** The conditions of the call's filters, joined; null if the plan has none. */
export function filterOf(plan: Plan): Where | null {
  if (plan.effect === 'aggregate') return plan.records.where;
  if (plan.effect === 'ask') return { op: 'all', of: conditionsOf(plan.question) };
  return 'where' in plan ? plan.where : null;
}
