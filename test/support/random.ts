/** Random choices with a seed (mulberry32): the same seed gives the same choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  isIn(share: number): boolean {
    return this.next() < share;
  }

  /** A whole number from `least` to `most`, both included. */
  from(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  one<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.next() * list.length)];
    if (found === undefined) throw new RangeError('there is nothing to choose from');
    return found;
  }

  shuffled<T>(list: readonly T[]): readonly T[] {
    const keyed = list.map((item) => ({ item, at: this.next() }));
    return keyed.sort((a, b) => a.at - b.at).map(({ item }) => item);
  }

  /** Up to `count` different items, in their original order. */
  some<T>(list: readonly T[], count: number): readonly T[] {
    const chosen = new Set<T>();
    while (chosen.size < Math.min(count, list.length)) chosen.add(this.one(list));
    return list.filter((one) => chosen.has(one));
  }
}
