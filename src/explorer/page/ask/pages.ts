/** The records of a search, in pages by keyset. Each page remembers where it begins, so that it can be read again. */
import { type Answer, isAbort, Refused } from './call.ts';
import { columnsOf } from './columns.ts';
import { type Extent, extentsWith } from './extents.ts';
import { isObject, type Json, type JsonObject, list } from './json.ts';

export type Ask = (params: JsonObject, signal: AbortSignal) => Promise<Answer>;
export type Row = readonly Json[];

const size = 100;
/** Pages that are kept, and their characters. Those near the screen are kept whatever they hold. */
const most = 40;
const mostCharacters = 20_000_000;
const near = 4;
/** Rows after which the page is too tall for browsers; a filter or the other order shows the rest. */
const tallest = 500_000;

/** Rows that are read again one page after the other, so that the screen stays. */
const farthest = 1000;

export class Pages {
  /** What is asked for: the same of two readings of one search. */
  readonly name: string;
  readonly #ask: Ask;
  readonly #params: JsonObject;
  readonly #hasKey: boolean;
  readonly #changed: () => void;
  readonly #stop = new AbortController();
  readonly #pages = new Map<number, { readonly rows: readonly Row[]; readonly size: number }>();
  /** Where each page begins: parameters to be merged into those of the search. */
  readonly #starts: JsonObject[] = [{}];
  readonly #loading = new Set<number>();
  /** The row that has to be there before any is shown. */
  readonly #until: number;
  /** The first row on the screen. */
  #top = 0;
  #last: { readonly page: number; readonly rows: number } | null = null;
  /** The page that could not be read. */
  #failed = 0;
  /** The first answer: its fields and its age. */
  first: Answer | null = null;
  /** The room that values take, by their places in a row. */
  extents: readonly Extent[] = [];
  /** Why records are missing, until they are there. */
  error: Refused | null = null;
  /** Whether the columns have changed since the first answer: nothing more is read, because rows are lists of values. */
  isOutdated = false;

  /**
   * @param hasKey whether a record is known by its key; else pages are by offset
   * @param changed called after each answer
   * @param before where the same search is read again, its rows so far: the screen stays where it is in them
   */
  constructor(ask: Ask, params: JsonObject, hasKey: boolean, changed: () => void, before: Pages | null = null) {
    this.name = JSON.stringify(params);
    this.#until = before?.name === this.name ? Math.min(before.#top, farthest) : 0;
    this.#hasKey = hasKey;
    this.#ask = ask;
    this.#params = params;
    this.#changed = changed;
  }

  /** The number of rows, as far as it is known: a page that has not been read counts as full. */
  get length(): number {
    if (this.#last !== null) return this.#last.page * size + this.#last.rows;
    return Math.min(this.#starts.length * size, tallest);
  }

  /** Whether rows can be shown. */
  get isReady(): boolean {
    return this.first !== null && (this.#last !== null || this.#starts.length * size > this.#until);
  }

  /** Whether there are more records than a page can be tall. */
  get isCut(): boolean {
    return this.#last === null && this.#starts.length * size >= tallest;
  }

  /** The number of records, once the last page has been read. */
  get all(): number | null {
    return this.#last === null ? null : this.length;
  }

  /** The number of records up to the farthest page that has been read. */
  get read(): number {
    return this.all ?? (this.#starts.length - 1) * size;
  }

  /** Undefined while it is not there. */
  row(at: number): Row | undefined {
    return this.#pages.get(Math.floor(at / size))?.rows[at % size];
  }

  /** Reads these rows, and no others than those that follow them. Call it with the rows on the screen. */
  need(from: number, to: number): void {
    this.#top = from;
    if (this.error !== null || this.#stop.signal.aborted) return;
    const last = Math.min(Math.floor(to / size), this.#starts.length - 1, tallest / size - 1);
    for (let page = Math.floor(from / size); page <= last; page++) {
      if (!this.#pages.has(page) && !this.#loading.has(page) && page <= (this.#last?.page ?? page))
        void this.#load(page);
    }
  }

  /** Asks again after an error, for the one page that could not be read. */
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
    const asked = this.#params.filters;
    const both = filters === undefined ? asked : asked === undefined ? filters : { $and: [asked, filters] };
    return {
      ...this.#params,
      ...start,
      ...(both === undefined ? {} : { filters: both }),
      ...{ limit: size, include_total: false, include_next_page: this.#hasKey, records_format: 'lists' },
    };
  }

  /** Drops the pages farthest from this one. */
  #forget(page: number): void {
    const nearest = [...this.#pages].sort(([a], [b]) => Math.abs(a - page) - Math.abs(b - page));
    let characters = 0;
    for (const [at, [one, { size }]] of nearest.entries()) {
      characters += size;
      if (at >= most || (at >= near && characters > mostCharacters)) this.#pages.delete(one);
    }
  }
}

/** The parameters of the page after a `next_page`; by offset where the order has no keys. */
function startAfter(next: Json | undefined, offset: number): JsonObject {
  if (!isObject(next)) return { offset };
  return next.after === undefined ? { filters: next } : { after: next.after };
}
