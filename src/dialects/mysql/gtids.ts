/** Sets of GTIDs, as MySQL writes them: `uuid:1-5:7,uuid:3`, since 8.3 also with tags: `uuid:1-5:tag:1`. */

/** More transactions between two tokens are not told apart. */
const most = 1000;

/**
 * The GTIDs that the set in the second token has and that in the first has not.
 * @param before,after tokens: `[["set","uuid of the server"],…]`
 * @returns null where the sets are of two servers, one lost GTIDs, or there are too many
 */
export function addedGtids(before: string, after: string): readonly string[] | null {
  const [[[old = '', ...where] = [], ...resets], [[now = '', ...there] = [], ...since]] = [cells(before), cells(after)];
  if (JSON.stringify([where, resets]) !== JSON.stringify([there, since])) return null;
  const [known, ends] = [intervals(old), intervals(now)];
  const added: string[] = [];
  for (const { of, from, to } of ends) {
    let next = from;
    const gaps = [...known.filter((old) => old.of === of && from <= old.from && old.to <= to), { from: to + 1, to }];
    for (const old of gaps) {
      if (old.from - next > most - added.length) return null;
      for (; next < old.from; next++) added.push(`${of}:${next}`);
      next = old.to + 1;
    }
  }
  const isKept = known.every((old) =>
    ends.some(({ of, from, to }) => of === old.of && from <= old.from && old.to <= to),
  );
  return isKept ? added : null;
}

interface Interval {
  /** The UUID, and the tag where there is one. */
  readonly of: string;
  readonly from: number;
  readonly to: number;
}

function intervals(set: string): readonly Interval[] {
  return set.split(/,\s*/).flatMap((source) => {
    const [uuid = '', ...parts] = source.trim().toLowerCase().split(':');
    let of = uuid;
    return parts.flatMap((part): readonly Interval[] => {
      const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
      if (from === undefined) of = `${uuid}:${part}`;
      return from === undefined ? [] : [{ of, from: Number(from), to: Number(to) }];
    });
  });
}

function cells(token: string): readonly (readonly string[])[] {
  const rows: unknown = JSON.parse(token);
  return Array.isArray(rows) ? rows.map((row) => (Array.isArray(row) ? row.map(String) : [])) : [];
}
