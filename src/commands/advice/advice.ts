/** Reads the facts that advice needs. Searches are only EXPLAINed, never executed. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Advice,
  type Facts,
  isLarge,
  isNarrow,
  type Plans,
  type PoolFacts,
  type ResourceFacts,
  type RuleName,
} from '../../advise/facts.ts';
import { advise } from '../../advise/index.ts';
import type { Settings } from '../../config/assemble.ts';
import type { Finding } from '../../config/complaints.ts';
import { readServerFacts } from '../../execute/advice.ts';
import type { Need, WriteMark } from '../../model/advice.ts';
import type { SurveyedTable, TableName } from '../../model/catalog.ts';
import { privacyIn, tableKey } from '../../propose/privacy-in.ts';
import { tableIn } from '../../tables/exposure.ts';
import { neededGrants } from '../../tables/rights.ts';
import type { Connected, DatabaseSnapshot, Resolved } from '../../tables/served.ts';
import { whyUnavailable } from '../../tables/snapshot.ts';
import { askIn, plansOf } from './advice-plans.ts';

/** A configuration, together with its databases' catalogues. */
export interface Checked {
  readonly settings: Settings;
  readonly snapshots: ReadonlyMap<string, DatabaseSnapshot>;
  readonly resources: readonly Resolved[];
  /** All tables of each database; databases whose tables can't be listed are left out. */
  readonly tables: ReadonlyMap<string, readonly SurveyedTable[]>;
}

/** The advice, and an error for each database that we could not read facts from. */
export interface Advised {
  readonly advice: readonly Advice[];
  readonly unread: readonly Finding[];
}

/** Advice about all databases. Never throws. @param only the only rule to apply; null for all rules */
export async function adviseOn(checked: Checked, only: RuleName | null): Promise<Advised> {
  const all = await Promise.all(
    [...checked.snapshots.values()].map(async (snapshot): Promise<Advised> => {
      try {
        const facts = await factsOf(snapshot, checked, only === null || only === 'writers');
        return { advice: facts === null ? [] : advise(facts, only), unread: [] };
      } catch (cause) {
        const why = whyUnavailable(checked.settings, snapshot.name, cause);
        return { advice: [], unread: [{ path: ['databases', snapshot.name], says: `has no advice: ${why}` }] };
      }
    }),
  );
  return { advice: all.flatMap(({ advice }) => advice), unread: all.flatMap(({ unread }) => unread) };
}

async function factsOf(snapshot: DatabaseSnapshot, checked: Checked, asksForWriters: boolean): Promise<Facts | null> {
  const { connected, catalog, name } = snapshot;
  const tables = checked.tables.get(name);
  if (connected === null || catalog === null || tables === undefined) return null;
  const surveyed = new Map(tables.map((table) => [tableKey(table), table]));
  const mine = checked.resources.filter(({ settings }) => settings.database === name);
  const withoutPlans = mine.flatMap((resource) => factsWithoutPlans(resource, snapshot, surveyed, checked.resources));
  const isCached = withoutPlans.some(({ ttl }) => ttl > 0);
  const findWritten = asksForWriters && isCached && connected.database.isRemote ? await watchWrites(connected) : null;
  const names = withoutPlans.map(({ catalogTable }) => catalogTable);
  const redefinable = withoutPlans.filter(isRedefinable).map(({ catalogTable }) => catalogTable);
  const facts = await readServerFacts(askIn(connected), connected.dialect, names, redefinable);
  const settings = checked.settings.databases.get(name);
  // An embedded database always has one user and one session, so advice about them would be pointless.
  const server = connected.database.isRemote ? facts : { ...facts, powers: [], connections: null };
  const resources: ResourceFacts[] = [];
  for (const one of withoutPlans)
    resources.push({ ...one, plans: isLarge(one) ? await plansOf(one, connected, checked.settings) : noPlans });
  return {
    ...{ database: name, server, resources, user: catalog.user, pool: poolOf(snapshot, checked) },
    changed: findWritten === null ? [] : await findWritten(),
    limits: { ...checked.settings.limits, statementTimeout: settings?.statementTimeout ?? 0 },
    indexesSortNulls: connected.dialect.advisor.indexesSortNulls,
  };
}

/** Milliseconds between two readings of a table's write mark, which is a text that changes with every write to the table. */
const watchMs = 5000;

/** Reads the tables' write marks now. The returned function reads them again 5 s later, and returns the tables written in between. */
async function watchWrites(connected: Connected): Promise<() => Promise<readonly TableName[]>> {
  const { advisor } = connected.dialect;
  const readMarks = async () => advisor.written(await askIn(connected)(advisor.writes));
  const since = performance.now();
  const before = await readMarks();
  return async () => {
    await sleep(Math.max(0, watchMs - (performance.now() - since)));
    const same = (a: WriteMark, b: WriteMark) => tableKey(a.table) === tableKey(b.table) && a.mark === b.mark;
    const after = await readMarks();
    return after.filter((one) => !before.some((other) => same(one, other))).map(({ table }) => table);
  };
}

/** Whether a rule may suggest an ALTER TABLE for a column, for which we need the table's definition. */
const isRedefinable = (one: Pick<ResourceFacts, 'rows' | 'kind' | 'write' | 'catalogTable'>): boolean =>
  isLarge(one) ||
  (one.write !== 'none' && one.catalogTable.kind === 'table' && one.catalogTable.columns.some(isNarrow));

const noPlans: Plans = { q: null, qOf: new Map(), sorted: new Map(), sortedAsIndexed: new Map() };

/** A resource's facts, without its searches' query plans; empty if the resource can't be served. */
function factsWithoutPlans(
  { id, table, settings }: Resolved,
  snapshot: DatabaseSnapshot,
  surveyed: ReadonlyMap<string, SurveyedTable>,
  all: readonly Resolved[],
): readonly Omit<ResourceFacts, 'plans'>[] {
  const catalogTable = tableIn(settings, snapshot);
  if (typeof table === 'string' || catalogTable === null) return [];
  const isShown = (name: string) => table.columns.some((column) => column.name === name);
  const hidden = catalogTable.kind === 'view' ? hiddenBelow(catalogTable, snapshot, all) : [];
  const { is: kind = catalogTable.kind, rows = null, notes } = surveyed.get(tableKey(catalogTable)) ?? {};
  return [
    {
      ...{
        id,
        table,
        catalogTable,
        kind,
        rows,
        read: settings.access.read,
        write: settings.access.write,
        ttl: settings.cache.ttl,
      },
      mentioned: new Set(settings.columns.keys()),
      personal: catalogTable.columns
        .filter(({ name }) => isShown(name) && (settings.columns.get(name)?.hidden ?? null) === null)
        .filter((column) => privacyIn(catalogTable, column, { notes }) !== null)
        .map(({ name }) => name),
      below: hidden,
      needs: {
        table: catalogTable,
        grants: neededGrants(settings, catalogTable, table, snapshot.catalog ?? {}),
        mentioned: [...settings.columns.keys()],
        below: catalogTable.kind === 'view' ? readsBelow(surveyed, snapshot) : [],
        withheld: hidden.map((one) => one.table),
      },
    },
  ];
}

/** Makes a function that tells whether a view reads a table or view of its database, directly or through other views. */
function isBelow(view: TableName, { effects }: DatabaseSnapshot): (table: TableName) => boolean {
  const below = new Set([tableKey(view)]);
  const here = (effects?.shows ?? []).filter(({ from, to }) => from.database === to.database);
  for (let size = 0; size < below.size; ) {
    size = below.size;
    for (const { from, to } of here) if (below.has(tableKey(to))) below.add(tableKey(from));
  }
  below.delete(tableKey(view));
  return (table) => below.has(tableKey(table));
}

/** For each view of the database, the tables and views of the same database that it reads. */
function readsBelow(surveyed: ReadonlyMap<string, SurveyedTable>, { effects }: DatabaseSnapshot): Need['below'] {
  return (effects?.shows ?? []).flatMap(({ from, to }) => {
    const [view, reads] = [surveyed.get(tableKey(to)), surveyed.get(tableKey(from))];
    if (from.database !== to.database || view?.is !== 'view' || reads === undefined) return [];
    return [{ view, reads }];
  });
}

/** A view's base tables, with those of their columns that other resources hide but this view may show. */
function hiddenBelow(view: TableName, snapshot: DatabaseSnapshot, all: readonly Resolved[]): ResourceFacts['below'] {
  const tables = (snapshot.catalog?.tables ?? []).filter(({ kind }) => kind === 'table');
  return tables.filter(isBelow(view, snapshot)).flatMap((found) => {
    const shows = all.filter(
      ({ settings }) => settings.database === snapshot.name && tableIn(settings, snapshot) === found,
    );
    const hidden = found.columns
      .map(({ name }) => name)
      .filter((name) => shows.some(({ settings }) => settings.columns.get(name)?.hidden === true));
    return hidden.length === 0 ? [] : [{ table: found, hidden }];
  });
}

/** The databases on one server, with the number of connections that all our pools together may open there. */
function poolOf({ effects }: DatabaseSnapshot, { settings, snapshots }: Checked): PoolFacts {
  const sharing = [...snapshots.values()].filter((one) => one.effects?.server === effects?.server);
  const databases = sharing.map(({ name }) => name);
  const connections = databases.map(
    (name) => (settings.databases.get(name)?.pool.max ?? 0) + settings.limits.dumpsPerDatabase,
  );
  return { databases, connections: connections.reduce((sum, one) => sum + one, 0) };
}
