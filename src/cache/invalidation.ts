/** Pure. Derives from the catalogues which counters a table's answers depend on, and which counters a write to it bumps. */
import type { Effects, Relation } from '../model/catalog.ts';

/** The counters of one table. */
export interface Dependencies {
  /** An answer over the table is invalid once one of these is bumped. */
  readonly dependsOn: readonly string[];
  /** A write to the table bumps these. */
  readonly invalidates: readonly string[];
  /** Why a write bumps the counter of the whole server; null where the catalogue proves which tables it affects. */
  readonly unproved: string | null;
}

/** The counter of all answers over a server. */
export const allOf = (server: string): string => `${server} all`;

/** A write that touches more tables than this invalidates all answers over the server: each of its counters would be counted. */
const mostTouched = 20_000;

/**
 * Follows a write to `table` through cascades, partitions and the tables below a view. From there it goes to the views and
 * parents that show them. An unproved effect (a trigger on any of them) bumps the counter of the server, which every answer
 * depends on. A table whose sources cannot be read (a view's definition) depends on a counter that every write bumps.
 * @param known the effects read by all connections to this server: one user may see tables that another has no right to
 * @param narrowed the operator's list of tables that an unproved write may affect; null: every table
 */
export function dependenciesOf(
  table: Relation,
  known: readonly OrderedEffects[],
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
  const all = (unproved !== null && narrowed === null) || touched.size > mostTouched;
  const isOpaque = [...follow([table], 'below', known).keys()].some(
    (name) => reasonsOf(name, known, 'mayShowAnything').length > 0,
  );
  // `all`: bumped by writes that may change any table of the server. `any`: bumped by every write.
  return {
    dependsOn: [allOf(server), isOpaque ? `${server} any` : `${server} ${nameOf(table)}`],
    invalidates: [
      ...(touched.size > mostTouched ? [] : [...touched.keys()].map((name) => `${server} ${name}`)),
      `${server} any`,
      ...(all ? [allOf(server)] : []),
    ],
    unproved,
  };
}

/** These relations, the tables whose rows they show, and all that a write to one of those changes. */
export const relatedTo = (relations: readonly Relation[], known: readonly OrderedEffects[]): readonly Relation[] => [
  ...follow(relations, ['changes', 'below'], known).values(),
];

/**
 * The counters of all answers that show rows of tables which others have changed.
 * @param known as for `dependenciesOf`
 * @param namesCascades whether tables that foreign keys change are among them
 */
export function countersOfChange(
  known: readonly OrderedEffects[],
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
 * Why a commit to a table, or to one below it, may leave the server's token unchanged; null: it does not.
 * @param known as for `dependenciesOf`
 * @param ofAllTables whether the token changes with tables of every engine
 */
export function unseenBy(table: Relation, known: readonly OrderedEffects[], ofAllTables: boolean): string | null {
  const shown = follow([table], 'below', known);
  for (const name of shown.keys()) {
    const why = reasonsOf(name, known, 'elsewhere');
    // A view that cannot be read shows InnoDB almost always.
    if (!ofAllTables) why.push(...reasonsOf(name, known, 'outsideInnodb'));
    if (why[0] === undefined) continue;
    return name === nameOf(table) ? why[0] : `it shows "${shown.get(name)?.name}", and there: ${why[0]}`;
  }
  return null;
}

/** All relations that edges lead to, including the start. */
function follow(
  start: readonly Relation[],
  edges: Edges | readonly Edges[],
  known: readonly OrderedEffects[],
): ReadonlyMap<string, Relation> {
  const next = known.flatMap(({ byTable }) => [edges].flat().map((of) => byTable[of]));
  const found = new Map<string, Relation>();
  const queue = [...start];
  for (let table = queue.pop(); table !== undefined; table = queue.pop()) {
    const name = nameOf(table);
    if (found.has(name)) continue;
    found.set(name, table);
    // One by one: a table may have more views than a call may have arguments.
    for (const ends of next) for (const end of ends.get(name) ?? []) queue.push(end);
  }
  return found;
}

const reasonsOf = (name: string, known: readonly OrderedEffects[], of: Reasons): string[] =>
  known.flatMap(({ byTable }) => byTable[of].get(name) ?? []);

type Edges = 'changes' | 'shows' | 'below';
type Reasons = 'mayChangeAnything' | 'mayShowAnything' | 'elsewhere' | 'outsideInnodb';
type ByTable = Readonly<Record<Edges, ReadonlyMap<string, readonly Relation[]>>> &
  Readonly<Record<Reasons, ReadonlyMap<string, readonly string[]>>>;

/** Effects, also by the names of their tables: a catalogue may have thousands of views, and each resource asks. */
export interface OrderedEffects extends Effects {
  readonly byTable: ByTable;
}

export function ordered(effects: Effects): OrderedEffects {
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
