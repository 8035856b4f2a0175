import type { Steps } from '../../values/slices.ts';
import type { IdentifiedRecord } from './batches.ts';
import { spelledOnce } from './keys.ts';

/** Items that are sorted in one step. */
const run = 256;

type Items = readonly IdentifiedRecord[];

/**
 * The records in the order of their keys, a few sorted in each step: one sort of 100,000 holds the event loop too long. Most clients send
 * them in order.
 */
export function* sorted(items: Items): Steps<Items> {
  const compare = comparison(items[0]);
  if (yield* isSorted(items, compare)) return items;
  let runs: Items[] = [];
  for (let at = 0; at < items.length; at += run) {
    runs.push(items.slice(at, at + run).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Items[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* both(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** The records whose keys are stored, and then the others in the order of their keys. */
export function* knownFirst(records: Items, stored: ReadonlySet<string>): Steps<Items> {
  const known: IdentifiedRecord[] = [];
  const missing: IdentifiedRecord[] = [];
  for (const one of records) {
    (stored.has(one.identity) ? known : missing).push(one);
    yield;
  }
  return [...known, ...(yield* sorted(missing))];
}

function* isSorted(items: Items, compare: Comparison): Steps<boolean> {
  for (let nth = 1; nth < items.length; nth++) {
    const [a, b] = [items[nth - 1], items[nth]];
    if (a !== undefined && b !== undefined && compare(a, b) > 0) return false;
    if (nth % run === 0) yield;
  }
  return true;
}

type Comparison = (a: IdentifiedRecord, b: IdentifiedRecord) => number;

/** As the server sorts the keys, where that can be told. Their identities would have 10 before 9. */
function comparison(first: IdentifiedRecord | undefined): Comparison {
  const columns = first?.record.key?.columns ?? [];
  if (!columns.every(({ type }) => spelledOnce.has(type.kind))) return (a, b) => compared(a.identity, b.identity);
  const isNumber = columns.map(({ type }) => type.kind === 'int');
  return ({ record: a }, { record: b }) => {
    for (let nth = 0; nth < isNumber.length; nth++) {
      const one = String(a.key?.values[nth]);
      const other = String(b.key?.values[nth]);
      if (one !== other) return (isNumber[nth] ? Number(one) - Number(other) : 0) || compared(one, other);
    }
    return 0;
  };
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Merges two sorted lists; stable: of equal keys the one of `first` comes first. */
function* both(first: Items, second: Items, compare: Comparison): Steps<Items> {
  const merged: IdentifiedRecord[] = [];
  let [left, right] = [0, 0];
  while (left < first.length || right < second.length) {
    const [a, b] = [first[left], second[right]];
    if (a !== undefined && (b === undefined || compare(a, b) <= 0)) {
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
