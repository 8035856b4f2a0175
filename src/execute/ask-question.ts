import type { Counted } from '../model/counts.ts';
import type { GroupDialect } from '../model/dialect/group.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import { columnsOf } from '../model/plan.ts';
import { type Ask, columnsOfOutputs, type Question } from '../model/question.ts';
import type { Guarded } from '../model/row-filter.ts';
import type { Answer } from '../model/rows.ts';
import type { Sessions } from './connection/call-sessions.ts';
import { type AggregateBounds, type Budgeted, withinBudget } from './within-budget.ts';

/** The answer to a question: one row more than its limit if there are more groups. */
export interface Asked extends Counted {
  readonly cells: Answer['cells'];
}

/**
 * Asks a question about all records, or a sample of them.
 * @param isSlow whether the question timed out recently: then only samples are asked
 */
export function askQuestion(
  database: Sessions,
  dialect: GroupDialect & ReadDialect & SessionDialect,
  { table, question, rows }: Guarded<Ask>,
  bounds: AggregateBounds,
  isSlow: boolean,
): Promise<Budgeted<Asked>> {
  const columns = [...columnsOfOutputs(question), ...columnsOf(question.where)];
  const counting = { table, columns, searches: question.searches, rows, isLarge: isSlow };
  return withinBudget(database, dialect, counting, bounds, async (run, sample) => {
    const { cells } = await run(dialect.ask(question, sample));
    // No row tells it if no group is on the page.
    const total = cells[0]?.at(-1) ?? (await run(dialect.ask(countOf(question), sample))).cells[0]?.at(-1);
    return { cells, total: Number(total), sample };
  });
}

/** The question for the number of records in all groups. */
function countOf(question: Question): Question {
  const everything = { op: 'all', of: [] } as const;
  return { ...question, groups: [], measures: [], having: everything, sort: [], limit: 0, offset: 0 };
}
