/** The records of a search, in pages by keyset. Each page remembers where it begins, so that it can be read again. */
import { type Answer, isAbort, Refused } from './call.ts';
import { isObject, type Json, type JsonObject, list } from './json.ts';

export type Ask = (params: JsonObject, signal: AbortSignal) => Promise<Answer>;
export type Row = readonly Json[];

const size = 100;
/** Pages that are kept. */
const most = 40;
/** Rows after which the page is too tall for browsers; a filter or the other order shows the rest. */
const tallest = 500_000;

export class Pages {
  readonly #ask: Ask;
  readonly #params: JsonObject;
  readonly #hasKey: boolean;
  readonly #changed: () => void;
  readonly #stop = new AbortController();
  readonly #pages = new Map<number, readonly Row[]>();
  /** Where each page begins: parameters to be merged into those of the search. */
  readonly #starts: JsonObject[] = [{}];
  readonly #loading = new Set<number>();
  #last: { readonly page: number; readonly rows: number } | null = null;
  /** The page that could not be read. */
  #failed = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** The first answer: its fields and its age. */
  first: Answer | null = null;
  error: Refused | null = null;

  /**
   * @param hasKey whether a record is known by its key; else pages are by offset
   * @param changed called after each answer
   */
  constructor(ask: Ask, params: JsonObject, hasKey: boolean, changed: () => void) {
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

  /** Whether there are more records than a page can be tall. */
  get isCut(): boolean {
    return this.#last === null && this.#starts.length * size >= tallest;
  }

  /** Undefined while it is not there. */
  row(at: number): Row | undefined {
    return this.#pages.get(Math.floor(at / size))?.[at % size];
  }

  /** Reads these rows, and no others than those that follow them. Call it with the rows on the screen. */
  need(from: number, to: number): void {
    if (this.error !== null || this.#stop.signal.aborted) return;
    const last = Math.min(Math.floor(to / size), this.#starts.length - 1, tallest / size - 1);
    for (let page = Math.floor(from / size); page <= last; page++) {
      if (!this.#pages.has(page) && !this.#loading.has(page) && page <= (this.#last?.page ?? page))
        void this.#load(page);
    }
  }

  /** Asks again after an error. */
  retry(): void {
    clearTimeout(this.#retry);
    this.error = null;
    void this.#load(this.#failed);
    this.#changed();
  }

  stop(): void {
    clearTimeout(this.#retry);
    this.#stop.abort();
  }

  async #load(page: number): Promise<void> {
    this.#loading.add(page);
    try {
      const answer = await this.#ask(this.#request(page), this.#stop.signal);
      const rows = list(answer.result.records).map(list);
      this.first ??= answer;
      this.#pages.set(page, rows);
      if (rows.length < size) this.#last = { page, rows: rows.length };
      else this.#starts[page + 1] ??= startAfter(answer.result.next_page, (page + 1) * size);
      this.#forget(page);
    } catch (error) {
      if (isAbort(error) || this.#stop.signal.aborted) return;
      this.#failed = page;
      this.error = error instanceof Refused ? error : new Refused(String(error), 0, null);
      if (this.error.retryAfter !== null)
        this.#retry = setTimeout(() => this.retry(), Math.max(2, this.error.retryAfter) * 1000);
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
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page));
    for (const one of far.slice(0, Math.max(0, far.length - most))) this.#pages.delete(one);
  }
}

/** The parameters of the page after a `next_page`; by offset where the order has no keys. */
function startAfter(next: Json | undefined, offset: number): JsonObject {
  if (!isObject(next)) return { offset };
  return next.after === undefined ? { filters: next } : { after: next.after };
}
