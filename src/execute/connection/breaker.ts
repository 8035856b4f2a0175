/** The server does not respond: calls fail fast until a probe succeeds. */
export class DatabaseUnavailable extends Error {}

/** Milliseconds between two probes of a server that is away. */
const askAgain = 500;
/** Milliseconds between probes while the server is up. Otherwise a pool that is full for long would probe all the time. */
const patience = 1000;

/** Called when a server stops responding and when it responds again. */
export type OutageListener = (news: { readonly is: 'away'; readonly cause: unknown } | { readonly is: 'back' }) => void;

/**
 * Makes calls to an unresponsive server fail fast. A failed acquire or cancel triggers a probe, and only a probe without a
 * response opens the breaker. A server that refuses a login, or has no connection left, counts as present.
 */
export class Breaker {
  readonly #ask: () => Promise<void>;
  readonly #tell: OutageListener;
  #asked = Number.NEGATIVE_INFINITY;
  /** When a probe was last answered. */
  #heard = Number.NEGATIVE_INFINITY;
  #again: NodeJS.Timeout | null = null;
  #isClosed = false;
  #cause: unknown;

  /** @param ask the probe: resolves when the server responds at all, and rejects soon when it does not */
  constructor(ask: () => Promise<void>, tell: OutageListener) {
    this.#ask = ask;
    this.#tell = tell;
  }

  get isAway(): boolean {
    return this.#again !== null;
  }

  /** The error of the probe that opened the breaker. */
  get cause(): unknown {
    return this.#cause;
  }

  /** Reports an error that may mean that the server is away. */
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
    // A hanging probe does not delay the next one. A host that was away answers only the probes that reach it.
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
