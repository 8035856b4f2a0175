import type { PlanFacts, ServerFacts } from '../model/advice.ts';
import type { TableName } from '../model/catalog.ts';
import type { CatalogDialect } from '../model/dialect/catalog.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import type { Answer, Statement } from '../model/rows.ts';
import { inTurn } from '../values/in-turn.ts';
import { PoolTimeout } from './connection/session.ts';

export type Ask = (statement: Statement) => Promise<Answer>;

/** Reads the facts about a server. The dialect gets null for a query that the user may not run, or that takes too long. */
export async function readServerFacts(
  ask: Ask,
  dialect: CatalogDialect & SessionDialect,
  tables: readonly TableName[],
  large: readonly TableName[],
): Promise<ServerFacts> {
  const { advisor } = dialect;
  const queries = advisor.queries(tables, large);
  return advisor.facts(await inTurn(queries, (query) => ask(query).catch(nullIfRefused(dialect))));
}

/** Asks the planner how it would run a statement, without executing it; null if the server refuses. */
export async function explain(
  ask: Ask,
  dialect: CatalogDialect & SessionDialect,
  statement: Statement,
): Promise<PlanFacts | null> {
  const question = dialect.advisor.explain({ text: statement.text, values: statement.values });
  const answer = await ask(question).catch(nullIfRefused(dialect));
  return answer === null ? null : dialect.advisor.plan(answer);
}

/** Rethrows errors of the connection, without which no advice is possible. After any other error, only this fact is unknown. */
const nullIfRefused = (dialect: SessionDialect) => (error: unknown) => {
  const { kind } = dialect.classifyError(error);
  if (kind === 'connection' || kind === 'busy' || error instanceof PoolTimeout) throw error;
  return null;
};
