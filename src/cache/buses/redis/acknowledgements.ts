import { isReached } from './lease.ts';
import { fieldOf, isMember as isName } from './messages.ts';

/** Members whose acknowledgements are kept. */
const most = 10_000;

/** What other members have heard of our entries. */
export class Acknowledgements {
  /** The id of the last acknowledgement. */
  last = '0-0';
  /** Of each member the last of our entries that it has heard. */
  readonly #heard = new Map<string, string>();
  #wake: () => void = () => undefined;
  #isStopped = false;

  /** Takes entries of our stream of acknowledgements. */
  hear(entries: readonly unknown[]): void {
    for (const one of entries) {
      const [id, fields] = Array.isArray(one) ? one : [];
      const [by, heard] = [fieldOf(fields, 'by'), fieldOf(fields, 'heard')];
      if (typeof id === 'string') this.last = id;
      if (this.#heard.size >= most) this.#heard.clear();
      if (isName(by) && heard !== undefined) this.#heard.set(by, heard);
    }
    this.#wake();
  }

  /**
   * Waits until these members have heard an entry, which is there now. A lease that was given before has ended after its length,
   * and a later one is given after the entry was heard. So acknowledgements only shorten the wait.
   * @param isMember whether a member may still hold a lease; `recheck` asks again
   * @param wait from when, by `performance.now()`, no other member can hold a lease; for how many milliseconds at most
   * @returns false where the time is over, or it was stopped
   */
  async untilHeard(
    id: string,
    members: readonly string[],
    isMember: (name: string) => boolean,
    wait: { readonly from: number; readonly for: number },
  ): Promise<boolean> {
    const due = performance.now() + wait.for;
    for (let left = members; !this.#isStopped; ) {
      left = left.filter((name) => isMember(name) && !isReached(this.#heard.get(name) ?? '', id));
      const now = performance.now();
      if (left.length === 0 && now >= wait.from) return true;
      if (now >= due) return false;
      await this.#nextFor((wait.from > now ? Math.min(wait.from, due) : due) - now);
    }
    return false;
  }

  recheck(): void {
    this.#wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Waits for the next acknowledgement, or so many milliseconds. */
  #nextFor(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.ceil(milliseconds));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
