/**
 * A search's records, loaded in pages by keyset. Each page keeps the cursor it begins at, so that it can be loaded again after it was dropped
 * from memory.
 */
import { type Answer, isAbort, Refused } from './call.ts';
import { columnsOf } from './columns.ts';
import { type Extent, extentsWith } from './extents.ts';
import { isObject, type Json, type JsonObject, list } from './json.ts';

export type Ask = (params: JsonObject, signal: AbortSignal) => Promise<Answer>;
export type Row = readonly Json[];

const size = 100;
/** Limits on the pages kept in memory, and on their characters. The `alwaysKeptPages` nearest to the newest page stay, whatever their size. */
const maxPages = 40;
const maxCharacters = 20_000_000;
const alwaysKeptPages = 4;
/** Above this many rows, the grid would exceed browsers' maximum element height. A filter or the reverse order reaches the other rows. */
const maxRows = 500_000;

/** After a refresh, the pages down to the rows on the screen are loaded again, so that the view does not jump; but not beyond this row. */
const maxReloadedRow = 1000;

export class Pages {
  /** The search as text: two `Pages` with the same name are the same search. */
  readonly name: string;
  readonly #ask: Ask;
  readonly #params: JsonObject;
  readonly #hasKey: boolean;
  readonly #changed: () => void;
  readonly #stop = new AbortController();
  readonly #pages = new Map<number, { readonly rows: readonly Row[]; readonly size: number }>();
  /** Each page's start, as parameters that are merged into the search's. */
  readonly #starts: JsonObject[] = [{}];
  readonly #loading = new Set<number>();
  /** After a refresh, rows are shown only once this row has been loaded. */
  readonly #until: number;
  /** The first row on the screen. */
  #top = 0;
  #last: { readonly page: number; readonly rows: number } | null = null;
  /** The page whose request failed. */
  #failed = 0;
  /** The first response: its fields and its age apply to the whole grid. */
  first: Answer | null = null;
  /** How much space each column's values need; indexed like a row's values. */
  extents: readonly Extent[] = [];
  /** The error of the last request; null once a request succeeds. */
  error: Refused | null = null;
  /** Whether the columns changed after the first response. Loading stops then: rows are lists of values, and a value could land in the wrong column. */
  isOutdated = false;

  /**
   * @param hasKey whether the table has a key; without one, pages are read by offset
   * @param changed called after each response
   * @param before the previous pages; if they are from the same search, this one loads up to the row on the screen before it shows any
   */
  constructor(ask: Ask, params: JsonObject, hasKey: boolean, changed: () => void, before: Pages | null = null) {
    this.name = JSON.stringify(params);
    this.#until = before?.name === this.name ? Math.min(before.#top, maxReloadedRow) : 0;
    this.#hasKey = hasKey;
    this.#ask = ask;
    this.#params = params;
    this.#changed = changed;
  }

  /** The number of rows as far as we know it: the first page that is not loaded yet counts as full. */
  get length(): number {
    if (this.#last !== null) return this.#last.page * size + this.#last.rows;
    return Math.min(this.#starts.length * size, maxRows);
  }

  /** Whether rows can be shown. */
  get isReady(): boolean {
    return this.first !== null && (this.#last !== null || this.#starts.length * size > this.#until);
  }

  /** Whether the table has more records than the grid can show. */
  get isCut(): boolean {
    return this.#last === null && this.#starts.length * size >= maxRows;
  }

  /** The number of records; null until the last page has been loaded. */
  get total(): number | null {
    return this.#last === null ? null : this.length;
  }

  /** The number of records up to the last page that has been loaded. */
  get loadedRows(): number {
    return this.total ?? (this.#starts.length - 1) * size;
  }

  /** One row; undefined until its page is loaded. */
  row(at: number): Row | undefined {
    return this.#pages.get(Math.floor(at / size))?.rows[at % size];
  }

  /** The loaded values of a column, on the pages of these rows. */
  valuesNear(field: string, from: number, to: number): readonly Json[] {
    const at = columnsOf(this.first?.result.fields).findIndex(({ name }) => name === field);
    const values: Json[] = [];
    for (let page = Math.floor(from / size); at >= 0 && page <= Math.floor(to / size); page++)
      for (const row of this.#pages.get(page)?.rows ?? []) values.push(row[at] ?? null);
    return values;
  }

  /** Loads the pages that contain these rows. Call it with the rows on the screen; `to` may include some more to read ahead. */
  load(from: number, to: number): void {
    this.#top = from;
    if (this.error !== null || this.#stop.signal.aborted) return;
    const last = Math.min(Math.floor(to / size), this.#starts.length - 1, maxRows / size - 1);
    for (let page = Math.floor(from / size); page <= last; page++) {
      if (!this.#pages.has(page) && !this.#loading.has(page) && page <= (this.#last?.page ?? page))
        void this.#load(page);
    }
  }

  /** After an error, sends the failed request once more. */
  retry(): void {
    if (this.error === null || this.#loading.has(this.#failed)) return;
    void this.#load(this.#failed);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #load(page: number): Promise<void> {
    this.#loading.add(page);
    try {
      const answer = await this.#ask(this.#request(page), this.#stop.signal);
      const rows = list(answer.result.records).map(list);
      this.error = null;
      this.first ??= answer;
      if (JSON.stringify(answer.result.fields) !== JSON.stringify(this.first.result.fields)) {
        this.isOutdated = true;
        this.stop();
        return this.#changed();
      }
      this.extents = extentsWith(this.extents, columnsOf(answer.result.fields), rows);
      this.#pages.set(page, { rows, size: answer.size });
      if (rows.length < size) this.#last = { page, rows: rows.length };
      else this.#starts[page + 1] ??= startAfter(answer.result.next_page, (page + 1) * size);
      this.#forget(page);
      if (!this.isReady) void this.#load(page + 1);
    } catch (error) {
      if (isAbort(error) || this.#stop.signal.aborted) return;
      this.#failed = page;
      this.error = error instanceof Refused ? error : new Refused(String(error), 0, null);
    } finally {
      this.#loading.delete(page);
    }
    this.#changed();
  }

  #request(page: number): JsonObject {
    const { filters, ...start } = this.#starts[page] ?? {};
    const searchFilters = this.#params.filters;
    const both =
      filters === undefined
        ? searchFilters
        : searchFilters === undefined
          ? filters
          : { $and: [searchFilters, filters] };
    return pageRequest({ ...this.#params, ...start, ...(both === undefined ? {} : { filters: both }) }, this.#hasKey);
  }

  /** Drops the pages farthest from this one. */
  #forget(page: number): void {
    const nearest = [...this.#pages].sort(([a], [b]) => Math.abs(a - page) - Math.abs(b - page));
    let characters = 0;
    for (const [at, [one, { size }]] of nearest.entries()) {
      characters += size;
      if (at >= maxPages || (at >= alwaysKeptPages && characters > maxCharacters)) this.#pages.delete(one);
    }
  }
}

/** One page's parameters. */
export const pageRequest = (params: JsonObject, hasKey: boolean): JsonObject => ({
  ...params,
  ...{ limit: size, include_total: false, include_next_page: hasKey, records_format: 'lists' },
});

/** The next page's parameters, from the response's `next_page`; an offset if the gateway returned none. */
function startAfter(next: Json | undefined, offset: number): JsonObject {
  if (!isObject(next)) return { offset };
  return next.after === undefined ? { filters: next } : { after: next.after };
}
