import type { Counted } from '../model/counts.ts';
import type { GroupDialect } from '../model/dialect/group.ts';
import type { ReadDialect } from '../model/dialect/read.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import { type Ask, columnsOfTables, countOfAll, type Question, tablesOf } from '../model/question.ts';
import type { Guarded } from '../model/row-filter.ts';
import type { Answer } from '../model/rows.ts';
import type { Sessions } from './connection/call-sessions.ts';
import { type AggregateBounds, type Budgeted, withinBudget } from './within-budget.ts';

/** The answer to a question. It has one row more than the question's limit if there are more groups. */
export interface Asked extends Counted {
  readonly cells: Answer['cells'];
}

/**
 * Asks a question (`model/question.ts`) about all records, or about a sample if its plan allows that.
 * @param isSlow whether the question timed out recently: then we only try samples
 */
export function askQuestion(
  database: Sessions,
  dialect: GroupDialect & ReadDialect & SessionDialect,
  { question, counts, rows }: Guarded<Ask>,
  bounds: AggregateBounds,
  isSlow: boolean,
): Promise<Budgeted<Asked>> {
  const sources = tablesOf(question);
  const reads = [...columnsOfTables(question)].map(([table, columns]) => ({ table, columns }));
  const searches = sources.flatMap((source) => source.searches);
  const counting = { reads, searches, rows, isLarge: isSlow, canSample: counts };
  return withinBudget(database, dialect, counting, bounds, async (run, sample) => {
    const { cells } = await run(dialect.ask(question, sample));
    if (!counts) return { cells, total: cells.length, sample };
    // Each row carries the total. If no group is on the page, there is no row, so count the groups separately.
    const total = cells[0]?.at(-1) ?? (await run(dialect.ask(countOf(question), sample))).cells[0]?.at(-1);
    return { cells, total: Number(total), sample };
  });
}

/** A question that counts the records in all groups. */
function countOf({ from }: Question): Question {
  if (from.is !== 'query') throw new TypeError('no groups to count');
  const total = from.of.outputs.slice(-1).map(({ column }) => ({ column, of: countOfAll }));
  return { ...from.of, groups: [], outputs: total };
}
