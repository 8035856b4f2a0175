/** Exponential backoff: each pause between attempts is twice as long as the one before, up to a maximum. */
export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #nextMs: number;

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#nextMs = firstMs;
  }

  /** Milliseconds to wait after another failure. */
  next(): number {
    const pause = this.#nextMs;
    this.#nextMs = Math.min(2 * pause, this.#longestMs);
    return pause;
  }

  /** Call after a success. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
