/**
 * Each column of a search is selected once, also where it is shown twice. A server that sorts all rows would compute both in each.
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

/** Passes the shown cells of selected rows on to their writer, and keeps the last cells of the last row. */
export class ShownRows implements JsonRowWriter {
  readonly #to: JsonRowWriter;
  readonly #places: readonly number[];
  readonly #kept: number;
  #from: Uint8Array = new Uint8Array();
  /** Start and end of each cell of the row; -1: NULL. The cells of a row are in the same bytes. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #cells = 0;
  /** The bytes of the kept cells, one after the other, and the length of each; -1: NULL. The driver may use its own bytes again. */
  readonly #bytes: number[] = [];
  readonly #lengths: number[] = [];

  /** @param kept the index of the first cell to keep; it and those behind it are short, and have ASCII alone */
  constructor(to: JsonRowWriter, places: readonly number[], kept: number) {
    this.#to = to;
    this.#places = places;
    this.#kept = kept;
  }

  get count(): number {
    return this.#to.count;
  }

  /** The texts of the kept cells; empty before the first row. */
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
    for (let nth = this.#kept; nth < this.#cells; nth++) {
      const [start, end] = [starts[nth] ?? -1, ends[nth] ?? 0];
      this.#lengths[nth - this.#kept] = start < 0 ? -1 : end - start;
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
