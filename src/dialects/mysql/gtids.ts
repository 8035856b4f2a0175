/** Sets of GTIDs, as MySQL writes them: `uuid:1-5:7,uuid:3`, since 8.3 also with tags: `uuid:1-5:tag:1`. */

/** Limit of `addedGtids`: with more transactions between two commit markers, it returns null. */
const maxListed = 1000;

/**
 * The GTIDs that are in the second commit marker, but not in the first.
 * @param before,after commit markers: `[["set","uuid of the server"],…]`
 * @returns null if they are from two servers, if GTIDs have disappeared, or if there are too many
 */
export function addedGtids(before: string, after: string): readonly string[] | null {
  const [[[old = '', ...where] = [], ...resets], [[now = '', ...there] = [], ...since]] = [cells(before), cells(after)];
  if (JSON.stringify([where, resets]) !== JSON.stringify([there, since])) return null;
  const [earlier, later] = [intervals(old), intervals(now)];
  const added: string[] = [];
  for (const { of, from, to } of later) {
    let next = from;
    const gaps = [...earlier.filter((old) => old.of === of && from <= old.from && old.to <= to), { from: to + 1, to }];
    for (const old of gaps) {
      if (old.from - next > maxListed - added.length) return null;
      for (; next < old.from; next++) added.push(`${of}:${next}`);
      next = old.to + 1;
    }
  }
  const isKept = earlier.every((old) =>
    later.some(({ of, from, to }) => of === old.of && from <= old.from && old.to <= to),
  );
  return isKept ? added : null;
}

interface Interval {
  /** The server's UUID, followed by `:tag` if the GTIDs have a tag. */
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

function cells(marker: string): readonly (readonly string[])[] {
  const rows: unknown = JSON.parse(marker);
  return Array.isArray(rows) ? rows.map((row) => (Array.isArray(row) ? row.map(String) : [])) : [];
}

/** @returns a function that tells whether a transaction, given its id, is in the set */
export function gtidSet(set: string): (id: string) => boolean {
  const members = intervals(set);
  return (id) => {
    const [interval] = intervals(id);
    return (
      interval !== undefined &&
      members.some(({ of, from, to }) => of === interval.of && from <= interval.from && interval.to <= to)
    );
  };
}

/** Whether the first set contains the second. */
export function hasGtids(set: string, part: string): boolean {
  const sorted = intervals(set).toSorted((one, other) => one.from - other.from);
  return intervals(part).every(({ of, from, to }) => {
    let next = from;
    for (const one of sorted) if (one.of === of && one.from <= next) next = Math.max(next, one.to + 1);
    return next > to;
  });
}

/** Encodes a set for the replication protocol: each source with its intervals. The end of an interval is exclusive. */
export function encodedGtids(set: string): Uint8Array {
  const bySource = new Map<string, Interval[]>();
  for (const interval of intervals(set)) bySource.set(interval.of, [...(bySource.get(interval.of) ?? []), interval]);
  const hasTags = [...bySource.keys()].some((of) => of.includes(':'));
  // In the format with tags, the first and the last byte of the number of sources mark the format.
  const size = BigInt(bySource.size);
  const parts = [long(hasTags ? (1n << 56n) | (size << 8n) | 1n : size)];
  for (const [of, ranges] of bySource) {
    const [uuid = '', tag = ''] = of.split(':');
    parts.push(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
    if (hasTags) parts.push(Buffer.from([tag.length * 2]), Buffer.from(tag));
    parts.push(
      long(BigInt(ranges.length)),
      ...ranges.flatMap(({ from, to }) => [long(BigInt(from)), long(BigInt(to) + 1n)]),
    );
  }
  return Buffer.concat(parts);
}

function long(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
