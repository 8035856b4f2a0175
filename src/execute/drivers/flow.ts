import type { Cell } from '../../plan.ts';
import { type Batch, weigh } from '../session.ts';

/** What a driver is told when rows come faster than they are taken. */
export interface Valve {
  pause(): void;
  resume(): void;
}

/** Bytes that may lie here untaken; what a socket has delivered with the row that fills it comes on top. */
const full = 64 * 1024;

/** Rows that a driver pushes → batches that somebody pulls. The driver is paused while nobody does. */
export class Flow {
  readonly #valve: Valve;
  #types: readonly string[] | null = null;
  #rows: (readonly Cell[])[] = [];
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

  /** @param types is asked once */
  push(row: readonly Cell[], types: () => readonly string[]): void {
    this.#types ??= types();
    this.#rows.push(row);
    this.#bytes += weigh(row);
    if (this.#bytes > full && !this.#isPaused) {
      this.#isPaused = true;
      this.#valve.pause();
    }
    this.#wake();
  }

  end(types: () => readonly string[]): void {
    this.#types ??= types();
    this.#end ??= 'whole';
    this.#wake();
  }

  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** Gives at least one batch, so that the types of a result without rows are known, too. */
  async *batches(): AsyncGenerator<Batch, void> {
    for (let isFirst = true; ; isFirst = false) {
      while (this.#rows.length === 0 && this.#end === null) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#end !== null && this.#end !== 'whole') throw this.#end.error;
      if (this.#rows.length === 0 && !isFirst) return;
      const cells = this.#rows;
      this.#rows = [];
      this.#bytes = 0;
      yield { types: this.#types ?? [], cells };
      if (this.#isPaused) {
        this.#isPaused = false;
        this.#valve.resume();
      }
    }
  }
}
