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

/**
 * The counters that a message names: a write to more tables counts in other processes as one to every table of the server.
 * @param most as of the bus
 */
export const shortened = (invalidates: readonly string[], server: string, most: number): readonly string[] =>
  invalidates.length > most ? [allOf(server), `${server} any`] : invalidates;

/**
 * Follows a write to `table` through cascades, partitions and the tables below a view. From there it goes to the views and
 * parents that show them. An unproved effect (a trigger on any of them) bumps the counter of the server, which every answer
 * depends on. A table whose sources cannot be read (a view's definition) depends on a counter that every write bumps.
 * @param known the effects read by all connections to this server: one user may see tables that another has no right to
 * @param narrowed the operator's list of tables that an unproved write may affect; null: every table
 */
export function dependenciesOf(
  table: Relation,
  known: readonly Effects[],
  narrowed: readonly Relation[] | null,
): Dependencies {
  const server = known[0]?.server ?? '';
  const written = reached(
    [table],
    known.flatMap((effects) => effects.changes),
  );
  const reasons = [...written].flatMap(([name, { name: of }]) =>
    reasonsOf(name, known, 'mayChangeAnything').map((why) =>
      name === nameOf(table) ? why : `it is written together with "${of}", and there: ${why}`,
    ),
  );
  const unproved = reasons[0] ?? null;
  const start = [...written.values(), ...(unproved === null ? [] : (narrowed ?? []))];
  const touched = reached(
    start,
    known.flatMap((effects) => effects.shows),
  );
  const all = unproved !== null && narrowed === null;
  const isOpaque = [...below([table], known).keys()].some(
    (name) => reasonsOf(name, known, 'mayShowAnything').length > 0,
  );
  // `all`: bumped by writes that may change any table of the server. `any`: bumped by every write.
  return {
    dependsOn: [allOf(server), isOpaque ? `${server} any` : `${server} ${nameOf(table)}`],
    invalidates: [
      ...[...touched.keys()].map((name) => `${server} ${name}`),
      `${server} any`,
      ...(all ? [allOf(server)] : []),
    ],
    unproved,
  };
}

/** These relations, and all whose rows they show. */
export const shownBy = (relations: readonly Relation[], known: readonly Effects[]): readonly Relation[] => [
  ...below(relations, known).values(),
];

/** These relations, the tables whose rows they show, and all that a write to one of those changes. */
export function relatedTo(relations: readonly Relation[], known: readonly Effects[]): readonly Relation[] {
  const edges = known.flatMap(({ changes, shows }) => [
    ...changes,
    ...shows.map(({ from, to }) => ({ from: to, to: from })),
  ]);
  return [...reached(relations, edges).values()];
}

/**
 * The counters of all answers that show rows of tables which others have changed. A transaction may have changed a thousand, and a
 * catalogue may have thousands of views: the views are put in order once.
 * @param known as for `dependenciesOf`
 * @param namesCascades whether tables that foreign keys change are among them
 */
export function countersOfChange(
  known: readonly Effects[],
  namesCascades: boolean,
): (tables: readonly Relation[]) => readonly string[] {
  const [changes, shows] = (['changes', 'shows'] as const).map((of) =>
    byStart(known.flatMap((effects) => effects[of])),
  );
  const server = known[0]?.server ?? '';
  return (tables) => {
    const changed = namesCascades ? tables : follow(tables, changes).values();
    const shown = follow([...changed], shows);
    return [...[...shown.keys()].map((name) => `${server} ${name}`), `${server} any`];
  };
}

/**
 * Why a commit to a table, or to one below it, may leave the server's token unchanged; null: it does not.
 * @param known as for `dependenciesOf`
 * @param ofAllTables whether the token changes with tables of every engine
 */
export function unseenBy(table: Relation, known: readonly Effects[], ofAllTables: boolean): string | null {
  const shown = below([table], known);
  for (const name of shown.keys()) {
    const why = reasonsOf(name, known, 'elsewhere');
    // A view that cannot be read shows InnoDB almost always.
    if (!ofAllTables) why.push(...reasonsOf(name, known, 'outsideInnodb'));
    if (why[0] === undefined) continue;
    return name === nameOf(table) ? why[0] : `it shows "${shown.get(name)?.name}", and there: ${why[0]}`;
  }
  return null;
}

const below = (tables: readonly Relation[], known: readonly Effects[]): ReadonlyMap<string, Relation> =>
  reached(
    tables,
    known.flatMap((effects) => effects.shows.map(({ from, to }) => ({ from: to, to: from }))),
  );

/** All relations that the edges lead to, including the start. */
const reached = (start: readonly Relation[], edges: Effects['changes']): ReadonlyMap<string, Relation> =>
  follow(start, byStart(edges));

function byStart(edges: Effects['changes']): ReadonlyMap<string, readonly Relation[]> {
  const next = new Map<string, Relation[]>();
  for (const { from, to } of edges) {
    const ends = next.get(nameOf(from));
    if (ends === undefined) next.set(nameOf(from), [to]);
    else ends.push(to);
  }
  return next;
}

function follow(
  start: readonly Relation[],
  next: ReadonlyMap<string, readonly Relation[]> = new Map(),
): ReadonlyMap<string, Relation> {
  const found = new Map<string, Relation>();
  const queue = [...start];
  for (let table = queue.pop(); table !== undefined; table = queue.pop()) {
    if (found.has(nameOf(table))) continue;
    found.set(nameOf(table), table);
    queue.push(...(next.get(nameOf(table)) ?? []));
  }
  return found;
}

function reasonsOf(
  name: string,
  known: readonly Effects[],
  of: 'mayChangeAnything' | 'mayShowAnything' | 'elsewhere' | 'outsideInnodb',
): string[] {
  return known.flatMap((effects) => effects[of].filter(({ table }) => nameOf(table) === name).map(({ why }) => why));
}

const nameOf = ({ database, schema, name }: Relation): string => JSON.stringify([database, schema, name]);
