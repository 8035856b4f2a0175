import { Refusal } from '../model/errors.ts';

/** Lets so many pieces of work run at once. Others wait for their turn, in the order in which they came. */
export class Turns {
  readonly #waitTimeout: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  /**
   * @param max pieces of work at once
   * @param waitTimeout milliseconds that one waits at most
   */
  constructor(max: number, waitTimeout: number) {
    this.#free = max;
    this.#waitTimeout = waitTimeout;
  }

  /** @throws Refusal busy (503) where its turn did not come in time; the reason of `gone`; the errors of the work */
  async take<T>(work: () => Promise<T>, gone: AbortSignal): Promise<T> {
    gone.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(gone);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#free++;
      else next();
    }
  }

  /** Resolves when another piece of work has passed its place on. */
  #wait(gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        gone.removeEventListener('abort', leave);
        this.#waiting.delete(turn);
        settle();
      };
      const turn = () => end(resolve);
      const leave = () => end(() => reject(gone.reason));
      const message = 'Service Unavailable: this database groups records for others, try again later';
      const timer = setTimeout(end, this.#waitTimeout, () => reject(new Refusal('busy', { message })));
      gone.addEventListener('abort', leave, { once: true });
      this.#waiting.add(turn);
    });
  }
}
