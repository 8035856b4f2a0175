/** Asks the server's query planner about the statements that our own calls would send. */
import * as actions from '../../actions/index.ts';
import { hasIndex, measures, type Plans, type ResourceFacts } from '../../advise/facts.ts';
import { boundsOf } from '../../app/bounds.ts';
import type { Settings } from '../../config/assemble.ts';
import { type Ask, explain } from '../../execute/advice.ts';
import type { PlanFacts } from '../../model/advice.ts';
import { Refusal } from '../../model/errors.ts';
import type { Read } from '../../model/plan.ts';
import type { Column, Table } from '../../model/table.ts';
import type { JsonObject } from '../../model/value.ts';
import type { Connected } from '../../tables/served.ts';

/** Returns a function that runs one statement on a connected database. */
export const askIn =
  ({ database }: Connected): Ask =>
  (statement) =>
    database.use((session) => session.run(statement));

/** A search word that hardly any record has, and that no full-text index ignores as too short or too common. */
const rareWord = 'gatewayadvice';

/** Runs EXPLAIN for typical calls: `q` over all columns, `q` in each text column, and pages sorted by each number or time. */
export async function plansOf(
  { id, table, catalogTable }: Pick<ResourceFacts, 'id' | 'table' | 'catalogTable'>,
  connected: Connected,
  settings: Settings,
): Promise<Plans> {
  const { dialect } = connected;
  const ask = askIn(connected);
  const readFor = (parameters: JsonObject): Read | null => readOf({ resource_id: id, ...parameters }, table, settings);
  const explainCount = async (parameters: JsonObject) => {
    const read = readFor(parameters);
    return read === null ? null : explain(ask, dialect, dialect.count(read));
  };
  const explainPage = async (sort: string) => {
    const read = readFor({ sort: [sort] });
    return read === null ? null : explain(ask, dialect, dialect.search(read));
  };
  const q = await explainCount({ q: rareWord });
  const texts =
    q?.readsAll === true ? table.columns.filter(({ type, label }) => type.kind === 'text' && label !== '_id') : [];
  const columns = measures(table);
  const isNullable = (column: Column) => column.nullable && !dialect.advisor.indexesSortNulls;
  return {
    q,
    qOf: await plansBy(texts, (column) => explainCount({ q: { [column.label]: rareWord } })),
    sorted: await plansBy(
      columns.filter((column) => hasIndex(catalogTable, column.name)),
      (column) => explainPage(column.label),
    ),
    sortedAsIndexed: await plansBy(
      columns.filter((column) => !hasIndex(catalogTable, column.name)),
      (column) => explainPage(isNullable(column) ? `${column.label} nulls first` : column.label),
    ),
  };
}

async function plansBy(
  columns: readonly Column[],
  ask: (column: Column) => Promise<PlanFacts | null>,
): Promise<ReadonlyMap<string, PlanFacts>> {
  const plans = new Map<string, PlanFacts>();
  for (const column of columns) {
    const plan = await ask(column);
    if (plan !== null) plans.set(column.name, plan);
  }
  return plans;
}

/** The read that a search with these parameters would execute; null if the configured limits refuse it. */
function readOf(parameters: JsonObject, table: Table, settings: Settings): Read | null {
  const bounds = boundsOf(settings, '');
  const access = { read: 'public', write: 'none', deleteAll: false, aggregate: true, sql: false } as const;
  try {
    const plan = actions.datastore_search.start(parameters, bounds).plan({ id: table.resource, access, table }, null);
    return 'effect' in plan && plan.effect === 'read' ? plan : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
