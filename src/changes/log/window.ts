import { LRUCache } from 'lru-cache';
import type { Relation } from '../../model/catalog.ts';
import type { Logged, LogQuestion, LogStart } from '../../model/feed.ts';

/** The most tables in one answer: to copy more would stall the other thread. */
const mostAnswered = 5000;

/** The weight of all transactions that are kept: of 20,000 with one table each. */
const mostKept = 200_000;
const weightOf = ({ tables }: Logged): number => 9 + (tables?.length ?? 0);

/** The last transactions that a stream has delivered. Questions about earlier ones have no answer. */
export class LogWindow {
  readonly #begin: LogStart;
  /** The newest transactions that have an id. */
  readonly #byId: LRUCache<string, Logged>;
  /** In the order of the log, from `#first` on; those before it are dropped. */
  #logged: Logged[] = [];
  #first = 0;
  #weight = 0;
  #start: number;
  #reached: number;

  constructor(begin: LogStart) {
    this.#begin = begin;
    this.#byId = new LRUCache({
      maxSize: mostKept,
      sizeCalculation: weightOf,
      dispose: (_, id, reason) => {
        if (reason === 'evict') begin.forget?.(id);
      },
    });
    this.#start = begin.start;
    this.#reached = begin.start;
  }

  add(logged: Logged): void {
    // Its answer is the same, and a cache takes no entry that is larger than the whole.
    const transaction = (logged.tables?.length ?? 0) > mostAnswered ? { ...logged, tables: null } : logged;
    this.#logged.push(transaction);
    if (transaction.id !== null) this.#byId.set(transaction.id, transaction);
    this.#weight += weightOf(transaction);
    while (this.#weight > mostKept) this.#drop();
    // The dropped part is given back when it is the larger one.
    if (this.#first <= this.#logged.length / 2) return;
    this.#logged = this.#logged.slice(this.#first);
    this.#first = 0;
  }

  reached(position: number): void {
    this.#reached = Math.max(this.#reached, position);
  }

  /** `late`: the stream has not come so far. Null: it is not known, or anything may have changed. */
  answer({ ids, after, until }: LogQuestion): readonly Relation[] | 'late' | null {
    const parts = [this.#of(ids, after, until), after === null ? [] : this.#between(after, until)];
    const found: Logged[] = [];
    for (const part of parts) {
      if (part === null) return null;
      if (part !== 'late') found.push(...part);
    }
    return parts.includes('late') ? 'late' : tablesOf(found);
  }

  #of(ids: readonly string[], after: number | null, until: number | null): readonly Logged[] | 'late' | null {
    const isThere = until !== null && this.#reached >= until;
    const found: Logged[] = [];
    // The last ones are delivered last: a question that waits is asked again with each delivery.
    for (let at = ids.length - 1; at >= 0; at--) {
      const id = ids[at] ?? '';
      const logged = this.#byId.peek(id);
      if (logged !== undefined) found.push(logged);
      // It may have been logged before the stream began, and have become visible until then.
      else if (!this.#begin.covers(id) || (after !== null && after <= this.#begin.start)) return null;
      else if (!isThere) return 'late';
    }
    return found;
  }

  #between(after: number, until: number | null): readonly Logged[] | 'late' | null {
    if (until === null || after < this.#start || until < after) return null;
    if (this.#reached < until) return 'late';
    const found: Logged[] = [];
    for (let at = this.#logged.length - 1; at >= this.#first; at--) {
      const logged = this.#logged[at];
      if (logged === undefined || logged.end <= after) break;
      if (logged.end <= until) found.push(logged);
    }
    return found;
  }

  #drop(): void {
    const dropped = this.#logged[this.#first];
    if (dropped === undefined) return;
    this.#first++;
    this.#weight -= weightOf(dropped);
    this.#start = dropped.end;
  }
}

/** Each table once; null where one of the transactions may have changed anything, or where there are too many. */
function tablesOf(transactions: readonly Logged[]): readonly Relation[] | null {
  const tables = new Map<string, Relation>();
  for (const { tables: changed } of transactions) {
    if (changed === null) return null;
    for (const table of changed) tables.set(JSON.stringify([table.database, table.schema, table.name]), table);
    if (tables.size > mostAnswered) return null;
  }
  return [...tables.values()];
}
