import type { PlanFacts, ServerFacts } from '../model/advice.ts';
import type { TableName } from '../model/catalog.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Answer, Statement } from '../model/rows.ts';
import { inTurn } from '../values/in-turn.ts';
import { PoolTimeout } from './connection/session.ts';

/** Runs one statement. */
export type Ask = (statement: Statement) => Promise<Answer>;

/** Reads the facts about a server. A query that the user has no right to, or that takes too long, passes null to the dialect. */
export async function readServerFacts(
  ask: Ask,
  dialect: Dialect,
  tables: readonly TableName[],
  large: readonly TableName[],
): Promise<ServerFacts> {
  const { advisor } = dialect;
  const queries = advisor.queries(tables, large);
  return advisor.facts(await inTurn(queries, (query) => ask(query).catch(nullIfRefused(dialect))));
}

/** How the planner would run a statement; null where it does not say. Executes nothing. */
export async function explain(ask: Ask, dialect: Dialect, statement: Statement): Promise<PlanFacts | null> {
  const asked = dialect.advisor.explain({ text: statement.text, values: statement.values });
  const answer = await ask(asked).catch(nullIfRefused(dialect));
  return answer === null ? null : dialect.advisor.plan(answer);
}

/** Without a connection there is no advice; whatever else a server refuses is one fact less. */
const nullIfRefused = (dialect: Dialect) => (error: unknown) => {
  const { kind } = dialect.classifyError(error);
  if (kind === 'connection' || kind === 'busy' || error instanceof PoolTimeout) throw error;
  return null;
};
