import { isReached } from './lease.ts';
import { fieldOf, isMember } from './messages.ts';

/** Members whose acknowledgements are kept. */
const most = 10_000;

/** What other members have heard of our entries. */
export class Acknowledgements {
  /** The id of the last acknowledgement. */
  last = '0-0';
  /** Of each member the last of our entries that it has heard. */
  readonly #heard = new Map<string, string>();
  /** Members whose leases were waited out, with their registrations: until one is renewed, the member has no lease. */
  #out: ReadonlyMap<string, number> = new Map();
  readonly #own: string;
  /** Each ends the pause of an entry that waits. */
  readonly #wakes = new Set<() => void>();
  #isStopped = false;

  /** @param own the name of this member */
  constructor(own: string) {
    this.#own = own;
  }

  /** Takes entries of our stream of acknowledgements. */
  hear(entries: readonly unknown[]): void {
    for (const one of entries) {
      const [id, fields] = Array.isArray(one) ? one : [];
      const [by, heard] = [fieldOf(fields, 'by'), fieldOf(fields, 'heard')];
      if (typeof id === 'string') this.last = id;
      if (this.#heard.size >= most) this.#heard.clear();
      if (isMember(by) && heard !== undefined) this.#heard.set(by, heard);
    }
    this.recheck();
  }

  /**
   * Waits until the others have heard an entry, which is there now. A lease that was given before has ended after its length,
   * and a later one is given after the entry was heard. So acknowledgements only shorten the wait.
   * @param members those that were registered when it was added
   * @param of `lease`: milliseconds; `members`: those that may hold one by now; `trusted`: from when, by `performance.now()`, no other
   *   member can hold one. `recheck` looks at both again. `waits` is called when that takes a twentieth of a lease
   * @returns null where nobody holds a lease any more that has not heard it. Where the time is over, or it was stopped: the members
   *   that it waited for, with their registrations
   */
  async untilHeard(
    id: string,
    members: ReadonlyMap<string, number>,
    of: { readonly lease: number; members(): ReadonlyMap<string, number>; trusted(): number; waits(): void },
  ): Promise<ReadonlyMap<string, number> | null> {
    const sent = performance.now();
    const [due, late] = [sent + of.lease, sent + of.lease / 20];
    const others = [...members].filter(([name]) => name !== this.#own);
    const mayMiss = ([name, until]: readonly [string, number]) =>
      this.#out.get(name) !== until && of.members().has(name) && !isReached(this.#heard.get(name) ?? '', id);
    for (let left = others; !this.#isStopped; ) {
      left = left.filter(mayMiss);
      const [now, trusted] = [performance.now(), of.trusted()];
      if (left.length === 0 && now >= trusted) return null;
      const end = left.length === 0 ? trusted : Math.max(due, trusted);
      if (now >= end) break;
      if (now >= late) of.waits();
      await this.#nextFor((now < late ? Math.min(late, end) : end) - now);
    }
    return new Map(others);
  }

  /**
   * An entry was there for as long as a lease lasts. A member that has not renewed its registration since holds no lease, and no
   * other entry waits for it: concurrent writes would wait for a dead member one after the other.
   * @param awaited those that the entry waited for
   * @param members those of now
   */
  waitedOut(awaited: ReadonlyMap<string, number>, members: ReadonlyMap<string, number>): void {
    const all = [...this.#out, ...awaited];
    this.#out = new Map(all.filter(([name, until]) => members.get(name) === until));
    this.recheck();
  }

  recheck(): void {
    for (const wake of this.#wakes) wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.recheck();
  }

  /** Waits for the next acknowledgement, or so many milliseconds. */
  #nextFor(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakes.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.ceil(milliseconds));
      this.#wakes.add(wake);
    });
  }
}
