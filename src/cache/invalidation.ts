/** Derives from the catalogue which generation counters an answer depends on, and which ones a write bumps. Pure. */
import type { Effects, Relation } from '../model/catalog.ts';

/** The counters of one table. */
export interface Dependencies {
  /** The counters in the key of every entry that reads the table: a bump of any of them invalidates the entry. */
  readonly dependsOn: readonly string[];
  /** The counter that is bumped for no other table; null for a view whose definition we may not read. */
  readonly own: string | null;
  /** The counters that a write to the table bumps. */
  readonly invalidates: readonly string[];
  /** Why a write bumps the counter of the whole server; null if the catalogue proves which tables the write affects. */
  readonly unproved: string | null;
}

/** The counter that is in the key of every entry of a server. */
export const serverCounter = (server: string): string => `${server} all`;

/** A write that affects more tables than this bumps the server-wide counter instead, because that is cheaper. */
const maxTouched = 20_000;

/**
 * Collects everything that a write to `table` can change: down through cascades, partitions and the base tables of a view, then up to the
 * views and parent tables that include them. A trigger on any of these can write anywhere, so it bumps the server-wide counter. An entry
 * over a view whose definition we may not read depends on a counter that every write bumps.
 * @param known the effects that each connection to this server has read: one user may see tables that are hidden from another
 * @param narrowed the tables that the operator says a write can change when we cannot tell ourselves; null means any table
 */
export function dependenciesOf(
  table: Relation,
  known: readonly IndexedEffects[],
  narrowed: readonly Relation[] | null,
): Dependencies {
  const server = known[0]?.server ?? '';
  const written = follow([table], 'changes', known);
  const reasons = [...written].flatMap(([name, { name: of }]) =>
    reasonsOf(name, known, 'mayChangeAnything').map((why) =>
      name === nameOf(table) ? why : `it is written together with "${of}", and there: ${why}`,
    ),
  );
  const unproved = reasons[0] ?? null;
  const start = [...written.values(), ...(unproved === null ? [] : (narrowed ?? []))];
  const touched = follow(start, 'shows', known);
  const all = (unproved !== null && narrowed === null) || touched.size > maxTouched;
  const isOpaque = [...follow([table], 'below', known).keys()].some(
    (name) => reasonsOf(name, known, 'mayShowAnything').length > 0,
  );
  const own = `${server} ${nameOf(table)}`;
  // Writes that may change any table bump the counter `all`. Every write bumps the counter `any`.
  return {
    dependsOn: [serverCounter(server), isOpaque ? `${server} any` : own],
    own: isOpaque ? null : own,
    invalidates: [
      ...(touched.size > maxTouched ? [] : [...touched.keys()].map((name) => `${server} ${name}`)),
      `${server} any`,
      ...(all ? [serverCounter(server)] : []),
    ],
    unproved,
  };
}

/** These tables and views, their base tables, and every table that a write to one of them can change. */
export const relatedTo = (relations: readonly Relation[], known: readonly IndexedEffects[]): readonly Relation[] => [
  ...follow(relations, ['changes', 'below'], known).values(),
];

/**
 * Returns a function that maps the tables changed by other clients to the counters to bump: the tables' own, and those of views over them.
 * @param known as for `dependenciesOf`
 * @param namesCascades whether the feed itself names the tables that foreign keys change
 */
export function countersOfChange(
  known: readonly IndexedEffects[],
  namesCascades: boolean,
): (tables: readonly Relation[]) => readonly string[] {
  const server = known[0]?.server ?? '';
  return (tables) => {
    const changed = namesCascades ? tables : follow(tables, 'changes', known).values();
    const shown = follow([...changed], 'shows', known);
    return [...[...shown.keys()].map((name) => `${server} ${name}`), `${server} any`];
  };
}

/**
 * Why a commit to this table, or to a base table of this view, may leave the commit marker unchanged; null if it always changes.
 * @param known as for `dependenciesOf`
 * @param ofAllTables whether the marker changes with tables of every storage engine, not only InnoDB
 */
export function whyUnseen(table: Relation, known: readonly IndexedEffects[], ofAllTables: boolean): string | null {
  const shown = follow([table], 'below', known);
  for (const name of shown.keys()) {
    const why = reasonsOf(name, known, 'elsewhere');
    // We treat a view whose definition we may not read as InnoDB: other storage engines are rare.
    if (!ofAllTables) why.push(...reasonsOf(name, known, 'outsideInnodb'));
    if (why[0] === undefined) continue;
    return name === nameOf(table) ? why[0] : `it shows "${shown.get(name)?.name}", and there: ${why[0]}`;
  }
  return null;
}

/** All relations that can be reached over these edges, including the start. */
function follow(
  start: readonly Relation[],
  edges: Edges | readonly Edges[],
  known: readonly IndexedEffects[],
): ReadonlyMap<string, Relation> {
  const next = known.flatMap(({ byTable }) => [edges].flat().map((of) => byTable[of]));
  const found = new Map<string, Relation>();
  const queue = [...start];
  for (let table = queue.pop(); table !== undefined; table = queue.pop()) {
    const name = nameOf(table);
    if (found.has(name)) continue;
    found.set(name, table);
    // One by one: `push(...all)` overflows the stack for a table with very many views.
    for (const ends of next) for (const end of ends.get(name) ?? []) queue.push(end);
  }
  return found;
}

const reasonsOf = (name: string, known: readonly IndexedEffects[], of: Reasons): string[] =>
  known.flatMap(({ byTable }) => byTable[of].get(name) ?? []);

type Edges = 'changes' | 'shows' | 'below';
type Reasons = 'mayChangeAnything' | 'mayShowAnything' | 'elsewhere' | 'outsideInnodb';
type ByTable = Readonly<Record<Edges, ReadonlyMap<string, readonly Relation[]>>> &
  Readonly<Record<Reasons, ReadonlyMap<string, readonly string[]>>>;

/** Effects with an index by table name: every resource looks up its tables, and a catalogue may have thousands of views. */
export interface IndexedEffects extends Effects {
  readonly byTable: ByTable;
}

export function indexed(effects: Effects): IndexedEffects {
  const { changes, shows } = effects;
  const reasons = (of: Reasons) => grouped(effects[of].map(({ table, why }) => [table, why]));
  const byTable = {
    changes: grouped(changes.map(({ from, to }) => [from, to])),
    shows: grouped(shows.map(({ from, to }) => [from, to])),
    below: grouped(shows.map(({ from, to }) => [to, from])),
    mayChangeAnything: reasons('mayChangeAnything'),
    mayShowAnything: reasons('mayShowAnything'),
    elsewhere: reasons('elsewhere'),
    outsideInnodb: reasons('outsideInnodb'),
  };
  return { ...effects, byTable };
}

function grouped<T>(pairs: readonly (readonly [Relation, T])[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const [table, value] of pairs) {
    const group = groups.get(nameOf(table));
    if (group === undefined) groups.set(nameOf(table), [value]);
    else group.push(value);
  }
  return groups;
}

const nameOf = ({ database, schema, name }: Relation): string => JSON.stringify([database, schema, name]);
