import type { Cell } from '../../../model/value.ts';

type Rows = readonly (readonly Cell[])[];
const noCells: readonly Cell[] = [];

/** The rows that are still to be written, so that a sheet can end in the middle of a batch. */
export class RemainingRows {
  readonly #batches: AsyncIterator<Rows>;
  #batch: Rows = [];
  #at = 0;
  /** The number of rows taken so far. */
  taken = 0;

  constructor(batches: AsyncIterable<Rows>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** The current batch. */
  get batch(): Rows {
    return this.#batch;
  }

  /** Whether `take` has a row without waiting. */
  get hasRow(): boolean {
    return this.#at < this.#batch.length;
  }

  /** Waits for the next row, unless there is one. Returns false after the last row. */
  async fill(): Promise<boolean> {
    while (!this.hasRow) {
      const { done, value } = await this.#batches.next();
      if (done) return false;
      this.#batch = value;
      this.#at = 0;
    }
    return true;
  }

  take(): readonly Cell[] {
    this.taken++;
    return this.#batch[this.#at++] ?? noCells;
  }

  /** Ends the source. */
  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}
