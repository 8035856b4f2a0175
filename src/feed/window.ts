import type { Relation } from '../model/catalog.ts';
import type { Logged, LogQuestion, LogStream } from '../model/feed.ts';

/** The most transactions that are kept, the most tables in all of them, and in one answer: to copy more would stall the other thread. */
const most = { transactions: 20_000, tables: 200_000, answered: 5000 };

/** The last transactions that a stream has delivered. Questions about earlier ones have no answer. */
export class LogWindow {
  readonly #stream: Pick<LogStream, 'start' | 'covers' | 'forget'>;
  /**
   * The last ones with an id. Those that were asked for last are forgotten last: one may be listed as open for long after the log has
   * it, while thousands follow.
   */
  readonly #byId = new Map<string, Logged>();
  /** Goes on where it was: a new one would pass the places of all that were deleted since the map last grew. */
  readonly #oldest = this.#byId.keys();
  #tablesById = 0;
  /** In the order of the log, from `#first` on; those before it are dropped. */
  #logged: Logged[] = [];
  #first = 0;
  #tables = 0;
  #start: number;
  #reached: number;

  constructor(stream: Pick<LogStream, 'start' | 'covers' | 'forget'>) {
    this.#stream = stream;
    this.#start = stream.start;
    this.#reached = stream.start;
  }

  add(transaction: Logged): void {
    this.#logged.push(transaction);
    if (transaction.id !== null) this.#keep(transaction.id, transaction);
    this.#tables += tablesIn(transaction);
    while (this.#logged.length - this.#first > most.transactions || this.#tables > most.tables) this.#drop();
    // The dropped part is given back when it is the larger one.
    if (this.#first <= this.#logged.length / 2) return;
    this.#logged = this.#logged.slice(this.#first);
    this.#first = 0;
  }

  reached(position: number): void {
    this.#reached = Math.max(this.#reached, position);
  }

  /** `late`: the stream has not come so far. Null: it is not known, or anything may have changed. */
  answer({ ids, listed = [], after, until }: LogQuestion): readonly Relation[] | 'late' | null {
    const parts = [this.#of(ids, after, until), after === null ? [] : this.#between(after, until)];
    const isWhole = !parts.includes(null);
    const found = listed.flatMap((id) => this.#whileListed(id, isWhole));
    for (const part of parts) {
      if (part === null) return null;
      if (part !== 'late') found.push(...part);
    }
    return parts.includes('late') ? 'late' : tablesOf(found);
  }

  #keep(id: string, transaction: Logged): void {
    this.#tablesById += tablesIn(transaction) - tablesIn(this.#byId.get(id));
    // Setting alone would leave it in its old place.
    this.#byId.delete(id);
    this.#byId.set(id, transaction);
    while (this.#byId.size > most.transactions || this.#tablesById > most.tables) {
      const { value: oldest = id } = this.#oldest.next();
      this.#tablesById -= tablesIn(this.#byId.get(oldest));
      this.#byId.delete(oldest);
      this.#stream.forget(oldest);
    }
  }

  /** @param isWhole whether none that the question is about is forgotten */
  #whileListed(id: string, isWhole: boolean): readonly Logged[] {
    const logged = this.#byId.get(id);
    if (logged !== undefined) this.#keep(id, logged);
    // It may be among those that are forgotten, and has to be so when it has ended.
    else if (!isWhole || !this.#stream.covers(id)) this.#stream.forget(id);
    return logged === undefined ? [] : [logged];
  }

  #of(ids: readonly string[], after: number | null, until: number | null): readonly Logged[] | 'late' | null {
    const isThere = until !== null && this.#reached >= until;
    const found: Logged[] = [];
    // The last ones are delivered last: a question that waits is asked again with each delivery.
    for (let at = ids.length - 1; at >= 0; at--) {
      const id = ids[at] ?? '';
      const logged = this.#byId.get(id);
      if (logged !== undefined) found.push(logged);
      // It may have been logged before the stream began, and have become visible until then.
      else if (!this.#stream.covers(id) || (after !== null && after <= this.#stream.start)) return null;
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
    this.#tables -= tablesIn(dropped);
    this.#start = dropped.end;
  }
}

const tablesIn = (transaction: Logged | undefined): number => transaction?.tables?.length ?? 0;

/** Each table once; null where one of the transactions may have changed anything, or where there are too many. */
function tablesOf(transactions: readonly Logged[]): readonly Relation[] | null {
  const tables = new Map<string, Relation>();
  for (const { tables: changed } of transactions) {
    if (changed === null) return null;
    for (const table of changed) tables.set(JSON.stringify([table.database, table.schema, table.name]), table);
    if (tables.size > most.answered) return null;
  }
  return [...tables.values()];
}
