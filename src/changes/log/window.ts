import { LRUCache } from 'lru-cache';
import type { Relation } from '../../model/catalog.ts';
import type { Logged, LogQuestion, LogStart } from '../../model/feed.ts';

/** Limit of tables per answer: the main thread has to copy them, and more would block it. */
const maxTables = 5000;

/** Limit for the weight of all remembered transactions: enough for about 20,000 of one table each. */
const maxWeight = 200_000;
const weightOf = ({ tables }: Logged): number => 9 + (tables?.length ?? 0);

/** Remembers the last transactions that a log's stream has delivered, up to a limit. */
export class LogWindow {
  readonly #begin: LogStart;
  /** The newest transactions that have an id. */
  readonly #byId: LRUCache<string, Logged>;
  /** The transactions in the order of the log. Those before index `#first` are dropped. */
  #logged: Logged[] = [];
  #first = 0;
  #weight = 0;
  #start: number;
  #reached: number;

  constructor(begin: LogStart) {
    this.#begin = begin;
    this.#byId = new LRUCache({
      maxSize: maxWeight,
      sizeCalculation: weightOf,
      dispose: (_, id, reason) => {
        if (reason === 'evict') begin.forget?.(id);
      },
    });
    this.#start = begin.start;
    this.#reached = begin.start;
  }

  add(logged: Logged): void {
    // If a transaction has too many tables, drop them: `null` means that it may have changed anything.
    const transaction = (logged.tables?.length ?? 0) > maxTables ? { ...logged, tables: null } : logged;
    this.#logged.push(transaction);
    if (transaction.id !== null) this.#byId.set(transaction.id, transaction);
    this.#weight += weightOf(transaction);
    while (this.#weight > maxWeight) this.#drop();
    // Free the dropped part of the array when it is larger than the rest.
    if (this.#first <= this.#logged.length / 2) return;
    this.#logged = this.#logged.slice(this.#first);
    this.#first = 0;
  }

  reached(position: number): void {
    this.#reached = Math.max(this.#reached, position);
  }

  /** The changed tables. `late`: the stream has not come far enough yet. Null: unknown, or anything may have changed. */
  answer({ ids, after, until }: LogQuestion): readonly Relation[] | 'late' | null {
    const parts = [this.#of(ids, after, until), after === null ? [] : this.#between(after, until)];
    const transactions: Logged[] = [];
    for (const part of parts) {
      if (part === null) return null;
      if (part !== 'late') transactions.push(...part);
    }
    return parts.includes('late') ? 'late' : tablesOf(transactions);
  }

  #of(ids: readonly string[], after: number | null, until: number | null): readonly Logged[] | 'late' | null {
    const isComplete = until !== null && this.#reached >= until;
    const found: Logged[] = [];
    // Newest first: a waiting query is tried again at each delivery, and the transaction that is still missing is usually the newest.
    for (let at = ids.length - 1; at >= 0; at--) {
      const id = ids[at] ?? '';
      const logged = this.#byId.peek(id);
      if (logged !== undefined) found.push(logged);
      // The transaction may have been logged before the stream began: then the stream never delivers it.
      else if (!this.#begin.covers(id) || (after !== null && after <= this.#begin.start)) return null;
      else if (!isComplete) return 'late';
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

/** The tables of the transactions, each once; null if one of the transactions may have changed anything, or there are too many tables. */
function tablesOf(transactions: readonly Logged[]): readonly Relation[] | null {
  const tables = new Map<string, Relation>();
  for (const { tables: changed } of transactions) {
    if (changed === null) return null;
    for (const table of changed) tables.set(JSON.stringify([table.database, table.schema, table.name]), table);
    if (tables.size > maxTables) return null;
  }
  return [...tables.values()];
}
