/** Pauses the source (a socket) when items arrive faster than the reader takes them, and resumes it later. */
export interface Valve {
  pause(): void;
  resume(): void;
}

/** The source is paused when more bytes than this wait. The rest of the socket's current chunk still arrives. */
const maxWaitingBytes = 64 * 1024;

/** A queue between a driver that pushes items and a reader that pulls them. Pauses the driver while the reader is slow. */
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
    if (this.#bytes > maxWaitingBytes && !this.#isPaused) {
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

  /** Yields the items that have arrived since the last batch. A result without items yields one empty batch. */
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
