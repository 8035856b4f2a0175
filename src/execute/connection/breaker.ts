/** Neither answers nor refuses: nobody waits for it until it does. */
export class DatabaseUnavailable extends Error {}

/** Milliseconds between two questions to a server that is away. */
const askAgain = 500;
/** A pool that is busy for long would otherwise have its server asked all the time. */
const patience = 1000;

/** What is told when a server went away, or came back. */
export type Told = (news: { readonly is: 'away'; readonly cause: unknown } | { readonly is: 'back' }) => void;

/**
 * Keeps a server that does not answer from costing anything but the asking. Whoever meets trouble says so; then the server is
 * asked, and only its silence counts: one that refuses a login or has no connection left is there.
 */
export class Breaker {
  readonly #ask: () => Promise<void>;
  readonly #tell: Told;
  #asked = Number.NEGATIVE_INFINITY;
  /** When it was heard of last, in answer to a question. */
  #heard = Number.NEGATIVE_INFINITY;
  #again: NodeJS.Timeout | null = null;
  #isClosed = false;
  #cause: unknown;

  /** @param ask resolves when the server says anything, and rejects soon when it does not */
  constructor(ask: () => Promise<void>, tell: Told) {
    this.#ask = ask;
    this.#tell = tell;
  }

  get isAway(): boolean {
    return this.#again !== null;
  }

  /** Why it did not answer when it went away. */
  get cause(): unknown {
    return this.#cause;
  }

  /** Something went wrong that may mean that the server is away. */
  suspect(): void {
    const now = performance.now();
    if (this.isAway || this.#isClosed || now - this.#asked < patience) return;
    this.#asked = now;
    this.#question();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#again !== null) clearInterval(this.#again);
    this.#again = null;
  }

  #question(): void {
    const asked = performance.now();
    // A question that hangs does not keep the next one waiting: a host that was away answers only those it hears.
    this.#ask().then(
      () => this.#answered(),
      (cause: unknown) => {
        if (asked > this.#heard) this.#silent(cause);
      },
    );
  }

  #silent(cause: unknown): void {
    if (this.isAway || this.#isClosed) return;
    this.#cause = cause;
    this.#again = setInterval(() => this.#question(), askAgain).unref();
    this.#tell({ is: 'away', cause });
  }

  #answered(): void {
    this.#heard = performance.now();
    if (this.#again === null) return;
    clearInterval(this.#again);
    this.#again = null;
    this.#tell({ is: 'back' });
  }
}
