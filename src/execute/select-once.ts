/** Each column of a search is selected once, also where it is shown twice: a server that sorts all rows would compute both in each. */
import { isRank, type Read } from '../model/plan.ts';
import type { JsonRowWriter } from '../model/rows.ts';
import type { Cell } from '../model/value.ts';

/** A search that selects each column once. */
export interface SelectedOnce {
  readonly plan: Read;
  /** For each shown column, the index of its cell in a selected row. */
  readonly places: readonly number[];
}

/** The same search with each of its columns once. Mostly `_id` is the second name of a column. */
export function selectedOnce(plan: Read): SelectedOnce {
  const known = new Map<string, number>();
  const columns: Read['columns'][number][] = [];
  const places = plan.columns.map((one) => {
    const name = isRank(one) ? `rank ${one.label}` : `column ${one.name}`;
    const place = known.get(name) ?? columns.push(one) - 1;
    known.set(name, place);
    return place;
  });
  return { plan: columns.length === places.length ? plan : { ...plan, columns }, places };
}

/** The shown cells of a selected row. */
export const shownCells = (row: readonly Cell[], places: readonly number[]): readonly Cell[] =>
  places.map((place) => row[place] ?? null);

/** Passes the shown cells of selected rows on to their writer, and keeps one cell of the first row. */
export class ShownRows implements JsonRowWriter {
  readonly #to: JsonRowWriter;
  readonly #places: readonly number[];
  readonly #kept: number;
  #from: Uint8Array = new Uint8Array();
  /** Start and end of each cell of the row; -1: NULL. The cells of a row are in the same bytes. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #cells = 0;
  /** The text of the kept cell; null before the first row. */
  kept: string | null = null;

  /** @param kept the index of the cell to keep */
  constructor(to: JsonRowWriter, places: readonly number[], kept: number) {
    this.#to = to;
    this.#places = places;
    this.#kept = kept;
  }

  get count(): number {
    return this.#to.count;
  }

  get length(): number {
    return this.#to.length;
  }

  cell(from: Uint8Array, start: number, end: number): void {
    this.#from = from;
    this.#starts[this.#cells] = start;
    this.#ends[this.#cells++] = end;
  }

  none(): void {
    this.#starts[this.#cells++] = -1;
  }

  end(): void {
    const [from, starts, ends] = [this.#from, this.#starts, this.#ends];
    if (this.kept === null && this.#kept < this.#cells)
      this.kept = Buffer.from(from.subarray(starts[this.#kept], ends[this.#kept])).toString('latin1');
    for (const place of this.#places) {
      const start = starts[place] ?? -1;
      if (start < 0) this.#to.none();
      else this.#to.cell(from, start, ends[place] ?? start);
    }
    this.#cells = 0;
    this.#to.end();
  }

  clear(): void {
    this.#to.clear();
  }

  take(): ReturnType<JsonRowWriter['take']> {
    return this.#to.take();
  }
}
