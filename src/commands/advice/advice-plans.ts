/** Asks the planner about our own statements, as the action plans them and the dialect writes them. */
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

export const asking =
  ({ database }: Connected): Ask =>
  (statement) =>
    database.use((session) => session.run(statement));

/** A word that hardly any record has, and that every full-text index holds. */
const word = 'gatewayadvice';

export async function plansOf(
  { id, table, found }: Pick<ResourceFacts, 'id' | 'table' | 'found'>,
  connected: Connected,
  settings: Settings,
): Promise<Plans> {
  const { dialect } = connected;
  const ask = asking(connected);
  const planned = (asked: JsonObject): Read | null => readOf({ resource_id: id, ...asked }, table, settings);
  const counted = async (asked: JsonObject) => {
    const read = planned(asked);
    return read === null ? null : explain(ask, dialect, dialect.count(read));
  };
  const page = async (sort: string) => {
    const read = planned({ sort: [sort] });
    return read === null ? null : explain(ask, dialect, dialect.search(read));
  };
  const q = await counted({ q: word });
  const texts =
    q?.readsAll === true ? table.columns.filter(({ type, label }) => type.kind === 'text' && label !== '_id') : [];
  const columns = measures(table);
  const isNullable = (column: Column) => column.nullable && !dialect.advisor.indexesSortNulls;
  return {
    q,
    qOf: await plansBy(texts, (column) => counted({ q: { [column.label]: word } })),
    sorted: await plansBy(
      columns.filter((column) => hasIndex(found, column.name)),
      (column) => page(column.label),
    ),
    sortedAsIndexed: await plansBy(
      columns.filter((column) => !hasIndex(found, column.name)),
      (column) => page(isNullable(column) ? `${column.label} nulls first` : column.label),
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

/** The plan of a search, as a call would make it; null for a call that the limits of the file refuse. */
function readOf(asked: JsonObject, table: Table, settings: Settings): Read | null {
  const bounds = boundsOf(settings, '');
  const access = { read: 'public', write: 'none', deleteAll: false, aggregate: true } as const;
  try {
    const plan = actions.datastore_search.start(asked, bounds).plan({ id: table.resource, access, table }, null);
    return 'effect' in plan && plan.effect === 'read' ? plan : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
