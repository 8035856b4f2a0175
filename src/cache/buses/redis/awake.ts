/** Notices when this process has stood still. */
export class Awake {
  /** Since when it has not, by `performance.now()`. */
  since = Number.NEGATIVE_INFINITY;
  readonly #most: number;
  #lookedAt = Number.POSITIVE_INFINITY;

  /** @param most milliseconds between two looks of a process that did not stand still */
  constructor(most: number) {
    this.#most = most;
  }

  look(): void {
    const now = performance.now();
    if (now - this.#lookedAt > this.#most) this.since = now;
    this.#lookedAt = now;
  }
}
