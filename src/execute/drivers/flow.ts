/** Called to stop and restart the source when items arrive faster than they are taken. */
export interface Valve {
  pause(): void;
  resume(): void;
}

/** Bytes that may wait here; the rest of a socket's chunk comes on top. */
const full = 64 * 1024;

/** Items that a driver pushes → items that a reader pulls. The driver is paused while the reader is slow. */
export class Flow<T> {
  readonly #valve: Valve;
  #items: T[] = [];
  #bytes = 0;
  #isPaused = false;
  #end: { readonly error: unknown } | 'whole' | null = null;
  #wake: () => void = () => undefined;

  /** @param signal ends the flow with its reason */
  constructor(valve: Valve, signal: AbortSignal) {
    this.#valve = valve;
    if (signal.aborted) this.fail(signal.reason);
    else signal.addEventListener('abort', () => this.fail(signal.reason), { once: true });
  }

  push(item: T, bytes: number): void {
    this.#items.push(item);
    this.#bytes += bytes;
    if (this.#bytes > full && !this.#isPaused) {
      this.#isPaused = true;
      this.#valve.pause();
    }
    this.#wake();
  }

  end(): void {
    this.#end ??= 'whole';
    this.#wake();
  }

  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** Yields the items that arrived since the last time; at least once, then maybe an empty list. */
  async *taken(): AsyncGenerator<readonly T[], void> {
    for (let isFirst = true; ; isFirst = false) {
      while (this.#items.length === 0 && this.#end === null) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#end !== null && this.#end !== 'whole') throw this.#end.error;
      if (this.#items.length === 0 && !isFirst) return;
      const items = this.#items;
      this.#items = [];
      this.#bytes = 0;
      yield items;
      if (this.#isPaused) {
        this.#isPaused = false;
        this.#valve.resume();
      }
    }
  }
}
