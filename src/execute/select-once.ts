/**
 * Selects each column of a search once, even if the answer shows it twice: to sort, a server would compute both for every row.
 */
import { isRank, type Read } from '../model/plan.ts';
import type { JsonRowWriter } from '../model/rows.ts';
import type { Cell } from '../model/value.ts';

/** A search that selects each column once. */
export interface SelectedOnce {
  readonly plan: Read;
  /** For each shown column, the index of its cell in a selected row. */
  readonly places: readonly number[];
}

/** Removes repeated columns from a search. Usually `_id` is the second name of another column. */
export function selectedOnce(plan: Read): SelectedOnce {
  const placeByName = new Map<string, number>();
  const columns: Read['columns'][number][] = [];
  const places = plan.columns.map((one) => {
    const name = isRank(one) ? `rank ${one.label}` : `column ${one.name}`;
    const place = placeByName.get(name) ?? columns.push(one) - 1;
    placeByName.set(name, place);
    return place;
  });
  return { plan: columns.length === places.length ? plan : { ...plan, columns }, places };
}

/** A selected row's cells, in the order in which the answer shows them. */
export const shownCells = (row: readonly Cell[], places: readonly number[]): readonly Cell[] =>
  places.map((place) => row[place] ?? null);

/** Passes the cells that the answer shows to a writer, and keeps the other cells of the last row: the sort values of a cursor. */
export class ShownRows implements JsonRowWriter {
  readonly #to: JsonRowWriter;
  readonly #places: readonly number[];
  readonly #firstKept: number;
  #from: Uint8Array = new Uint8Array();
  /** Start and end of each cell of the current row in `#from`; -1 stands for NULL. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #cells = 0;
  /** A copy of the kept cells (the driver reuses its buffer), and the length of each; -1 stands for NULL. */
  readonly #bytes: number[] = [];
  readonly #lengths: number[] = [];

  /** @param firstKept the index of the first cell to keep; from there on, all cells must be short and pure ASCII */
  constructor(to: JsonRowWriter, places: readonly number[], firstKept: number) {
    this.#to = to;
    this.#places = places;
    this.#firstKept = firstKept;
  }

  get count(): number {
    return this.#to.count;
  }

  /** The kept cells as texts; empty before the first row. */
  get kept(): readonly (string | null)[] {
    let at = 0;
    return this.#lengths.map((length) => {
      if (length < 0) return null;
      at += length;
      return String.fromCharCode(...this.#bytes.slice(at - length, at));
    });
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
    let size = 0;
    for (let nth = this.#firstKept; nth < this.#cells; nth++) {
      const [start, end] = [starts[nth] ?? -1, ends[nth] ?? 0];
      this.#lengths[nth - this.#firstKept] = start < 0 ? -1 : end - start;
      if (start >= 0) for (let at = start; at < end; at++) this.#bytes[size++] = from[at] ?? 0;
    }
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
