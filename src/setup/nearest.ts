/**
 * The known name that was probably meant.
 * @returns null when none is near: more than about a third of the letters would have to change
 */
export function nearest(name: string, known: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const candidate of known) {
    const most = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    // Lengths alone may say that it is too far: a name of a megabyte is not worth a matrix.
    if (Math.abs(name.length - candidate.length) > most) continue;
    const away = distance(wanted, candidate.toLowerCase());
    if (away <= most && (best === null || away < best.distance)) best = { name: candidate, distance: away };
  }
  return best?.name ?? null;
}

/** What a complaint adds about an unknown name, where a known one is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const sameButCase = known.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (sameButCase !== undefined) return ` (there is "${sameButCase}", which differs by case)`;
  const near = nearest(name, known);
  return near === null ? '' : ` (did you mean "${near}"?)`;
}

/** How many letters to insert, delete, replace, or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (same ? 0 : 1),
          swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], i: number): number => row[i] ?? Number.POSITIVE_INFINITY;
