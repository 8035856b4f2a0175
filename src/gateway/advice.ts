/** Reads the facts that advice needs, with our own statements explained and never executed. */
import * as actions from '../actions/index.ts';
import {
  type Advice,
  type Facts,
  hasIndex,
  isLarge,
  isNarrow,
  measures,
  type Plans,
  type PoolFacts,
  type ResourceFacts,
} from '../advise/facts.ts';
import { advise, type RuleName } from '../advise/index.ts';
import type { Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import { type Ask, explain, readServerFacts } from '../execute/advice.ts';
import type { PlanFacts } from '../model/advice.ts';
import type { SurveyedTable } from '../model/catalog.ts';
import type { Read } from '../model/plan.ts';
import type { Column, Table } from '../model/table.ts';
import type { JsonObject } from '../model/value.ts';
import { privacyIn, tableKey } from '../propose/proposal.ts';
import { boundsOf } from './bounds.ts';
import { tableIn } from './exposure.ts';
import type { Connected, DatabaseSnapshot, Resolved } from './gateway.ts';
import { neededGrants } from './rights.ts';
import { whyUnavailable } from './snapshot.ts';

/** A configuration with its databases as they were read. */
export interface Checked {
  readonly settings: Settings;
  readonly snapshots: ReadonlyMap<string, DatabaseSnapshot>;
  readonly resources: readonly Resolved[];
  /** All tables, by database; a database whose tables cannot be listed is not there. */
  readonly tables: ReadonlyMap<string, readonly SurveyedTable[]>;
}

/** Advice, and the databases that did not give the facts for it. */
export interface Advised {
  readonly advice: readonly Advice[];
  readonly unread: readonly Finding[];
}

/** @param only advice of this rule; null: of all */
export async function adviseOn(checked: Checked, only: RuleName | null): Promise<Advised> {
  const all = await Promise.all(
    [...checked.snapshots.values()].map(async (snapshot): Promise<Advised> => {
      try {
        const facts = await factsOf(snapshot, checked);
        return { advice: facts === null ? [] : advise(facts, only), unread: [] };
      } catch (cause) {
        const why = whyUnavailable(checked.settings, snapshot.name, cause);
        return { advice: [], unread: [{ path: ['databases', snapshot.name], says: `has no advice: ${why}` }] };
      }
    }),
  );
  return { advice: all.flatMap(({ advice }) => advice), unread: all.flatMap(({ unread }) => unread) };
}

async function factsOf(snapshot: DatabaseSnapshot, checked: Checked): Promise<Facts | null> {
  const { connected, catalog, name } = snapshot;
  const tables = checked.tables.get(name);
  if (connected === null || catalog === null || tables === undefined) return null;
  const surveyed = new Map(tables.map((table) => [tableKey(table), table]));
  const mine = checked.resources.filter(({ settings }) => settings.database === name);
  const bare = mine.flatMap((resource) => bareFacts(resource, snapshot, surveyed, checked.resources));
  const names = bare.map(({ found }) => found);
  const redefined = bare.filter(isRedefinable).map(({ found }) => found);
  const facts = await readServerFacts(asking(connected), connected.dialect, names, redefined);
  // An embedded database has one user and one session, and nobody can change that.
  const server = connected.database.isRemote ? facts : { ...facts, powers: [], connections: null };
  const resources: ResourceFacts[] = [];
  for (const one of bare)
    resources.push({ ...one, plans: isLarge(one) ? await plansOf(one, connected, checked.settings) : noPlans });
  return {
    ...{ database: name, server, resources, user: catalog.user, pool: poolOf(snapshot, checked) },
    limits: checked.settings.limits,
    indexesSortNulls: connected.dialect.advisor.indexesSortNulls,
  };
}

/** Whether a rule may change a column of the table. */
const isRedefinable = (one: Pick<ResourceFacts, 'rows' | 'is' | 'write' | 'found'>): boolean =>
  isLarge(one) || (one.write === 'token' && one.found.kind === 'table' && one.found.columns.some(isNarrow));

const noPlans: Plans = { q: null, qOf: new Map(), sorted: new Map(), sortedAsIndexed: new Map() };

function bareFacts(
  { id, table, settings }: Resolved,
  snapshot: DatabaseSnapshot,
  surveyed: ReadonlyMap<string, SurveyedTable>,
  all: readonly Resolved[],
): readonly Omit<ResourceFacts, 'plans'>[] {
  const found = tableIn(settings, snapshot);
  if (typeof table === 'string' || found === null) return [];
  const isShown = (name: string) => table.columns.some((column) => column.name === name);
  const { is = found.kind, rows = null } = surveyed.get(tableKey(found)) ?? {};
  const { mode, index } = table.search;
  return [
    {
      ...{ id, table, found, is, rows, read: settings.access.read, write: settings.access.write },
      mentioned: new Set(settings.columns.keys()),
      personal: found.columns
        .filter((column) => isShown(column.name) && privacyIn(found, column) === 'personal')
        .map(({ name }) => name),
      below: found.kind === 'view' ? hiddenBelow(settings.table, settings.schema, snapshot, all) : [],
      needs: {
        table: found,
        grants: neededGrants(settings, found, table),
        mentioned: [...settings.columns.keys()],
        usesStopWords: mode === 'auto' && index !== null,
      },
    },
  ];
}

/** The tables that a view reads, also through other views, with their columns that resources hide. */
function hiddenBelow(
  view: string,
  schema: string | null,
  { name: database, effects, catalog }: DatabaseSnapshot,
  all: readonly Resolved[],
): ResourceFacts['below'] {
  const key = (table: { readonly schema: string | null; readonly name: string }) => tableKey(table);
  const below = new Set([key({ schema, name: view })]);
  const here = (effects?.shows ?? []).filter(({ from, to }) => from.database === to.database);
  for (let size = 0; size < below.size; ) {
    size = below.size;
    for (const { from, to } of here) if (below.has(key(to))) below.add(key(from));
  }
  return (catalog?.tables ?? [])
    .filter((found) => found.kind === 'table' && below.has(key(found)))
    .flatMap((found) => {
      const shows = all.filter(
        ({ settings }) =>
          settings.database === database && key({ schema: settings.schema, name: settings.table }) === key(found),
      );
      const hidden = found.columns
        .map(({ name }) => name)
        .filter((name) => shows.some(({ settings }) => settings.columns.get(name)?.hidden === true));
      return hidden.length === 0 ? [] : [{ table: found, hidden }];
    });
}

/** The databases of one server share its connections. */
function poolOf({ effects }: DatabaseSnapshot, { settings, snapshots }: Checked): PoolFacts {
  const sharing = [...snapshots.values()].filter((one) => one.effects?.server === effects?.server);
  const databases = sharing.map(({ name }) => name);
  const connections = databases.map(
    (name) => (settings.databases.get(name)?.pool.max ?? 0) + settings.limits.dumpsPerDatabase,
  );
  return { databases, connections: connections.reduce((sum, one) => sum + one, 0) };
}

const asking =
  ({ database }: Connected): Ask =>
  (statement) =>
    database.use((session) => session.run(statement));

/** A word that hardly any record has, and that every full-text index holds. */
const word = 'gatewayadvice';

async function plansOf(
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

/** The plan of a search, as a call would make it. */
function readOf(asked: JsonObject, table: Table, settings: Settings): Read | null {
  const bounds = boundsOf(settings, '');
  const access = { read: 'public', write: 'none', deleteAll: false } as const;
  const plan = actions.datastore_search.start(asked, bounds).plan({ id: table.resource, access, table }, null);
  return 'effect' in plan && plan.effect === 'read' ? plan : null;
}
