/** Pure. What the catalogues prove of a write: which counters a table's answers depend on, and which a write to it raises. */
import type { Effects, Relation } from '../model/catalog.ts';

/** The counters of one table. */
export interface Dependencies {
  /** An answer over the table is as old as these. */
  readonly dependsOn: readonly string[];
  /** A write to the table raises these. */
  readonly invalidates: readonly string[];
  /** Why a write raises those of the whole server; null where the catalogue proves what it touches. */
  readonly unproved: string | null;
}

/**
 * Follows a write to `table` through cascades, partitions and the tables below a view to what changes, and from there to the
 * views and parents that show it. What is not proved (a trigger on any of them) raises the counter of the server, which every
 * answer depends on; what cannot be read (a view's definition) depends on a counter that every write raises.
 * @param known what all connections to this server have seen: one may see what another has no right to
 * @param narrowed tables that stand in for "everything" where the operator has named them
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
  const below = reached(
    [table],
    known.flatMap((effects) => effects.shows.map(({ from, to }) => ({ from: to, to: from }))),
  );
  const isOpaque = [...below.keys()].some((name) => reasonsOf(name, known, 'mayShowAnything').length > 0);
  return {
    dependsOn: [`${server} all`, isOpaque ? `${server} any` : `${server} ${nameOf(table)}`],
    invalidates: [
      ...[...touched.keys()].map((name) => `${server} ${name}`),
      `${server} any`,
      ...(all ? [`${server} all`] : []),
    ],
    unproved,
  };
}

/** Everything that the edges lead to, the start too. */
function reached(start: readonly Relation[], edges: Effects['changes']): ReadonlyMap<string, Relation> {
  const next = new Map<string, Relation[]>();
  for (const { from, to } of edges) next.set(nameOf(from), [...(next.get(nameOf(from)) ?? []), to]);
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
  of: 'mayChangeAnything' | 'mayShowAnything',
): readonly string[] {
  return known.flatMap((effects) => effects[of].filter(({ table }) => nameOf(table) === name).map(({ why }) => why));
}

const nameOf = ({ database, schema, name }: Relation): string => JSON.stringify([database, schema, name]);
