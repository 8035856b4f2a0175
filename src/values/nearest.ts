/** Pure. Suggests the known name that is most similar to an unknown one. */

/** How many letters may be wrong in a name of a given length. */
type Most = (length: number) => number;

const aThird: Most = (length) => Math.max(1, Math.floor(length / 3));

/**
 * The nearest known name.
 * @returns null if no name is near enough: by default, at most about a third of the letters may differ
 */
export function nearest(name: string, known: readonly string[], most: Most = aThird): string | null {
  const lowerCase = name.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const candidate of known) {
    const limit = best === null ? most(Math.max(name.length, candidate.length)) : best.distance - 1;
    const away = distance(lowerCase, candidate.toLowerCase(), limit);
    if (away <= limit) best = { name: candidate, distance: away };
  }
  return best?.name ?? null;
}

/** The suggestion for a complaint about an unknown name; '' if no known name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const sameButCase = known.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (sameButCase !== undefined) return ` (there is "${sameButCase}", which differs by case)`;
  const near = nearest(name, known);
  return near === null ? '' : ` (did you mean "${near}"?)`;
}

/** Longer names get no suggestion: any client may send one, and comparing it with each column of a wide table takes long. */
const maxNameCharacters = 40;
const typos: Most = (length) => Math.min(2, Math.floor(length / 3));

/** The suggestion for an unknown name that a client sent. Its cost is bounded, however long the name is. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = name.length > maxNameCharacters ? null : nearest(name, known, typos);
  return near === null ? '' : `, did you mean "${near}"?`;
}

/**
 * How many letters to insert, delete, replace, or swap with their neighbour (optimal string alignment). It only computes distances up to
 * `limit`, so it only compares each prefix of `a` with prefixes of `b` that are at most `limit` letters shorter or longer (Ukkonen's
 * band).
 * @returns a number above `limit`, maybe infinity, if the distance is greater
 */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY;
  const width = 2 * limit + 1;
  let before: number[] = new Array(width).fill(Number.POSITIVE_INFINITY);
  let last = Array.from(before, (_, k) => (k < limit ? Number.POSITIVE_INFINITY : k - limit));
  let row = [...before];
  for (let i = 1; i <= a.length; i++) {
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < width; k++) {
      const j = i + k - limit;
      const cost = j < 0 || j > b.length ? Number.POSITIVE_INFINITY : j === 0 ? i : step(i, j, k);
      row[k] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return least;
    [before, last, row] = [last, row, before];
  }
  return last[b.length - a.length + limit] ?? Number.POSITIVE_INFINITY;

  function step(i: number, j: number, k: number): number {
    const x = a.charCodeAt(i - 1);
    const y = b.charCodeAt(j - 1);
    let cost = (last[k] ?? 0) + (x === y ? 0 : 1);
    if (k + 1 < width) cost = Math.min(cost, (last[k + 1] ?? 0) + 1);
    if (k > 0) cost = Math.min(cost, (row[k - 1] ?? 0) + 1);
    const isSwapped = i > 1 && j > 1 && x === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === y;
    return isSwapped ? Math.min(cost, (before[k] ?? 0) + 1) : cost;
  }
}
