import type { Steps } from '../../values/slices.ts';

/** Items that are sorted in one step. */
const run = 256;

/**
 * The items by their identities, a few sorted in each step: one sort of 100,000 holds the event loop too long. Most clients send them in
 * order.
 */
export function* sorted<T extends { readonly identity: string }>(items: readonly T[]): Steps<readonly T[]> {
  if (items.every(({ identity }, nth) => nth === 0 || (items[nth - 1]?.identity ?? '') <= identity)) return items;
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += run) {
    runs.push(
      items.slice(at, at + run).sort((a, b) => (a.identity < b.identity ? -1 : a.identity > b.identity ? 1 : 0)),
    );
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* both(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists; stable: of equal identities the one of `first` comes first. */
function* both<T extends { readonly identity: string }>(
  first: readonly T[],
  second: readonly T[],
): Steps<readonly T[]> {
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < first.length || right < second.length) {
    const [a, b] = [first[left], second[right]];
    if (a !== undefined && (b === undefined || a.identity <= b.identity)) {
      merged.push(a);
      left++;
    } else if (b !== undefined) {
      merged.push(b);
      right++;
    }
    if (merged.length % run === 0) yield;
  }
  return merged;
}
