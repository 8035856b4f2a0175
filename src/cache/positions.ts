import type { Cursor, Position } from '../model/plan.ts';
import { Evictable, type Store } from './store.ts';

/** A server walks past so many records in about a millisecond: positions that are nearer to one another are not stored. */
const apart = 1000;
/** Positions of one order. */
const most = 1000;

/** Positions in the orders of searches, as their pages have shown them. */
export class Positions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * The last position at or before this offset; null where there is none.
   * @param order names a condition, an order and the generations
   * @param ttl milliseconds for which positions are stored
   */
  nearest(order: string, offset: number, ttl: number): Position | null {
    return this.#of(order, ttl)?.positions.findLast((one) => one.offset <= offset) ?? null;
  }

  /** @param at when the query that has shown it was sent, by `performance.now()` */
  set(order: string, position: Position, ttl: number, at: number): void {
    const known = this.#of(order, ttl) ?? new Known(at);
    const next = known.positions.findIndex(({ offset }) => offset > position.offset);
    const nth = next < 0 ? known.positions.length : next;
    const isNear = (one?: Position) => one !== undefined && Math.abs(one.offset - position.offset) < apart;
    if (isNear(known.positions[nth - 1]) || isNear(known.positions[nth])) return;
    known.positions.splice(nth, 0, position);
    if (known.positions.length > most) known.positions.splice(leastMissed(known.positions), 1);
    this.#store.set(keyOf(order), known, known.bytes);
  }

  /** Forgets those of an order. */
  drop(order: string, ttl: number): void {
    const known = this.#of(order, ttl);
    if (known === null) return;
    known.positions.length = 0;
    this.#store.set(keyOf(order), known, known.bytes);
  }

  #of(order: string, ttl: number): Known | null {
    const known = this.#store.get(keyOf(order), Known);
    return known !== undefined && performance.now() - known.at < ttl ? known : null;
  }
}

/** The index of the one whose neighbours are nearest to each other. */
function leastMissed(positions: readonly Position[]): number {
  const gapOf = (nth: number) =>
    (positions[nth + 1]?.offset ?? Number.POSITIVE_INFINITY) - (positions[nth - 1]?.offset ?? 0);
  return positions.reduce((least, _, nth) => (gapOf(nth) < gapOf(least) ? nth : least), 0);
}

const keyOf = (order: string): string => `positions ${order}`;

/** Approximate bytes of a position beside the values of its cursor. */
const overhead = 200;

class Known extends Evictable {
  /** When the query of the first one was sent. */
  readonly at: number;
  /** By their offset, ascending. */
  readonly positions: Position[] = [];

  constructor(at: number) {
    super();
    this.at = at;
  }

  get bytes(): number {
    return this.positions.reduce((sum, { cursor }) => sum + overhead + bytesOf(cursor), overhead);
  }
}

const bytesOf = (cursor: Cursor): number => cursor.reduce((sum, value) => sum + 2 * (value?.length ?? 0), 0);
