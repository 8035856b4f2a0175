import type { Steps } from '../../values/slices.ts';
import { bytewise } from '../../values/utf16.ts';
import type { IdentifiedRecord } from './batches.ts';
import { uniquelySpelledTypes } from './keys.ts';

/** How many items one step sorts. */
const itemsPerStep = 256;

type Items = readonly IdentifiedRecord[];

/** A record, and the string by which it is sorted. */
interface Placed {
  readonly place: string;
  readonly item: IdentifiedRecord;
}

/**
 * Sorts records by key in small steps, because sorting 100,000 at once would block the event loop too long. Most clients send records that
 * are already sorted; these are returned unchanged.
 */
export function* sorted(items: Items): Steps<Items> {
  const placeOf = placing(items[0]);
  const placed: Placed[] = [];
  let isSorted = true;
  for (const item of items) {
    const place = placeOf(item);
    isSorted &&= place >= (placed.at(-1)?.place ?? '');
    placed.push({ place, item });
    if (placed.length % itemsPerStep === 0) yield;
  }
  if (isSorted) return items;
  let runs: (readonly Placed[])[] = [];
  for (let at = 0; at < placed.length; at += itemsPerStep) {
    runs.push(placed.slice(at, at + itemsPerStep).sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0)));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly Placed[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return (runs[0] ?? []).map(({ item }) => item);
}

/** Returns the records that exist in the table first, in their order, then the others sorted by key. */
export function* knownFirst(records: Items, stored: ReadonlySet<string>): Steps<Items> {
  const existing: IdentifiedRecord[] = [];
  const missing: IdentifiedRecord[] = [];
  for (const one of records) {
    (stored.has(one.identity) ? existing : missing).push(one);
    yield;
  }
  return [...existing, ...(yield* sorted(missing))];
}

/** Returns a function that makes a record's sort string: in the server's order of keys if we know it, else by identity (10 before 9). */
function placing(first: IdentifiedRecord | undefined): (item: IdentifiedRecord) => string {
  const columns = first?.record.key?.columns ?? [];
  if (!columns.every(({ type }) => uniquelySpelledTypes.has(type.kind))) return ({ identity }) => identity;
  const isNumber = columns.map(({ type }) => type.kind === 'int');
  const place = (value: unknown, nth: number) => (isNumber[nth] ? sortableInt(String(value)) : bytewise(String(value)));
  return ({ record: { key } }) => key?.values.map(place).join('\0') ?? '';
}

/** A string that sorts like the integer: the number of its digits, then the digits; both inverted if it is negative. */
function sortableInt(digits: string): string {
  if (!digits.startsWith('-')) return String.fromCharCode(128 + digits.length) + digits;
  return String.fromCharCode(128 - digits.length) + digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}

/** Merges two sorted lists. The merge is stable: if two places are equal, the item of `first` comes first. */
function* merge(first: readonly Placed[], second: readonly Placed[]): Steps<readonly Placed[]> {
  const merged: Placed[] = [];
  let [left, right] = [0, 0];
  while (left < first.length || right < second.length) {
    const [a, b] = [first[left], second[right]];
    if (a !== undefined && (b === undefined || a.place <= b.place)) {
      merged.push(a);
      left++;
    } else if (b !== undefined) {
      merged.push(b);
      right++;
    }
    if (merged.length % itemsPerStep === 0) yield;
  }
  return merged;
}
