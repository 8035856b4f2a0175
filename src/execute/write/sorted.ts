import type { Steps } from '../../values/slices.ts';
import { bytewise } from '../../values/utf16.ts';
import type { IdentifiedRecord } from './batches.ts';
import { spelledOnce } from './keys.ts';

/** Items that are sorted in one step. */
const run = 256;

type Items = readonly IdentifiedRecord[];

/** A record, and a text by which it is sorted. */
interface Placed {
  readonly place: string;
  readonly item: IdentifiedRecord;
}

/**
 * The records in the order of their keys, a few sorted in each step: one sort of 100,000 holds the event loop too long. Most clients send
 * them in order.
 */
export function* sorted(items: Items): Steps<Items> {
  const placeOf = placing(items[0]);
  const placed: Placed[] = [];
  let isSorted = true;
  for (const item of items) {
    const place = placeOf(item);
    isSorted &&= place >= (placed.at(-1)?.place ?? '');
    placed.push({ place, item });
    if (placed.length % run === 0) yield;
  }
  if (isSorted) return items;
  let runs: (readonly Placed[])[] = [];
  for (let at = 0; at < placed.length; at += run) {
    runs.push(placed.slice(at, at + run).sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0)));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly Placed[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* both(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return (runs[0] ?? []).map(({ item }) => item);
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

/** Finds the place of a record as the server sorts its key, where that can be told. Identities would have 10 before 9. */
function placing(first: IdentifiedRecord | undefined): (item: IdentifiedRecord) => string {
  const columns = first?.record.key?.columns ?? [];
  if (!columns.every(({ type }) => spelledOnce.has(type.kind))) return ({ identity }) => identity;
  const isNumber = columns.map(({ type }) => type.kind === 'int');
  const place = (value: unknown, nth: number) => (isNumber[nth] ? bySize(String(value)) : bytewise(String(value)));
  return ({ record: { key } }) => key?.values.map(place).join('\0') ?? '';
}

/** A text that sorts as a whole number does: the number of its digits, and then these; below zero both count backwards. */
function bySize(digits: string): string {
  if (!digits.startsWith('-')) return String.fromCharCode(128 + digits.length) + digits;
  return String.fromCharCode(128 - digits.length) + digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}

/** Merges two sorted lists; stable: of equal places the one of `first` comes first. */
function* both(first: readonly Placed[], second: readonly Placed[]): Steps<readonly Placed[]> {
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
    if (merged.length % run === 0) yield;
  }
  return merged;
}
