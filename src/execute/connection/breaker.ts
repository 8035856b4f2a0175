/** The server does not respond: calls fail fast until a probe succeeds. */
export class DatabaseUnavailable extends Error {}

/** Milliseconds between two probes of a server that is away. */
const retryInterval = 500;
/** Milliseconds between probes while the server is up. Otherwise a pool that is full for long would probe all the time. */
const probeInterval = 1000;

/** Called when a server stops responding and when it responds again. */
export type OutageListener = (news: { readonly is: 'away'; readonly cause: unknown } | { readonly is: 'back' }) => void;

/**
 * Makes calls to an unresponsive server fail fast. A failed acquire or cancel triggers a probe, and only a probe without a
 * response opens the breaker. A server that refuses a login, or has no connection left, counts as present.
 */
export class Breaker {
  readonly #probe: () => Promise<void>;
  readonly #onChange: OutageListener;
  #probedAt = Number.NEGATIVE_INFINITY;
  /** When a probe was last answered. */
  #respondedAt = Number.NEGATIVE_INFINITY;
  #retryTimer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #cause: unknown;

  /** @param probe resolves when the server responds at all, and rejects soon when it does not */
  constructor(probe: () => Promise<void>, onChange: OutageListener) {
    this.#probe = probe;
    this.#onChange = onChange;
  }

  get isAway(): boolean {
    return this.#retryTimer !== null;
  }

  /** The error of the probe that opened the breaker. */
  get cause(): unknown {
    return this.#cause;
  }

  /** Reports an error that may mean that the server is away. */
  suspect(): void {
    const now = performance.now();
    if (this.isAway || this.#isClosed || now - this.#probedAt < probeInterval) return;
    this.#probedAt = now;
    this.#sendProbe();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#retryTimer !== null) clearInterval(this.#retryTimer);
    this.#retryTimer = null;
  }

  #sendProbe(): void {
    const asked = performance.now();
    // A hanging probe does not delay the next one. A host that was away answers only the probes that reach it.
    this.#probe().then(
      () => this.#answered(),
      (cause: unknown) => {
        if (asked > this.#respondedAt) this.#silent(cause);
      },
    );
  }

  #silent(cause: unknown): void {
    if (this.isAway || this.#isClosed) return;
    this.#cause = cause;
    this.#retryTimer = setInterval(() => this.#sendProbe(), retryInterval).unref();
    this.#onChange({ is: 'away', cause });
  }

  #answered(): void {
    this.#respondedAt = performance.now();
    if (this.#retryTimer === null) return;
    clearInterval(this.#retryTimer);
    this.#retryTimer = null;
    this.#onChange({ is: 'back' });
  }
}
