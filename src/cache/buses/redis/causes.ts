/** Causes that are reported as soon as they change. */
const mostAtOnce = 3;
/** Milliseconds between two later ones: causes may alternate for ever. */
const pause = 10_000;

/** Decides which causes are reported while the process is no member: the last one shows what has to be mended. */
export class Causes {
  #last: string | null = null;
  #reported = 0;
  #reportedAt = 0;

  /** Whether to report it now: it is another one than the last that was reported. */
  isNew(cause: unknown): boolean {
    const text = String(cause);
    const now = performance.now();
    if (text === this.#last) return false;
    if (this.#reported >= mostAtOnce && now - this.#reportedAt < pause) return false;
    this.#last = text;
    this.#reported++;
    this.#reportedAt = now;
    return true;
  }

  clear(): void {
    this.#last = null;
    this.#reported = 0;
  }
}
