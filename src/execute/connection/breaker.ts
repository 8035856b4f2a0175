/** The server does not respond: calls fail fast until a probe succeeds. */
export class DatabaseUnavailable extends Error {}

/** Milliseconds between two probes while the server does not respond. */
const retryIntervalMs = 500;
/** Least milliseconds between two probes while the server responds. Without it, each call that times out on a full pool would send one. */
const probeIntervalMs = 1000;

/** Called when a server stops responding and when it responds again. */
export type OutageListener = (news: { readonly is: 'away'; readonly cause: unknown } | { readonly is: 'back' }) => void;

/**
 * Makes calls to an unresponsive server fail fast. A failed acquire or cancel triggers a probe, and only a probe without any response
 * opens the breaker. A server that refuses the login, or has no free connection, has responded.
 */
export class Breaker {
  readonly #name: string;
  readonly #probe: () => Promise<void>;
  #listener: OutageListener = () => undefined;
  #probedAt = Number.NEGATIVE_INFINITY;
  /** When the server last responded to a probe. */
  #respondedAt = Number.NEGATIVE_INFINITY;
  #retryTimer: NodeJS.Timeout | null = null;
  #isClosed = false;
  /** The error of the probe that opened the breaker. */
  #cause: unknown;
  /**
   * When the server last stopped responding, by `performance.now()`. If it vanished without closing its sessions, all sessions from before
   * are dead: a statement on one would hang until its timeout.
   */
  lastAwayAt = 0;

  /** @param probe resolves if the server responds in any way; if not, it must reject soon */
  constructor(name: string, probe: () => Promise<void>) {
    this.#name = name;
    this.#probe = probe;
  }

  get isAway(): boolean {
    return this.#retryTimer !== null;
  }

  /** Sets the callback for when the server stops or starts to respond; replaces an earlier callback. */
  watch(listener: OutageListener): void {
    this.#listener = listener;
  }

  throwIfAway(): void {
    if (this.#retryTimer !== null) throw this.unavailable(this.#cause);
  }

  unavailable(cause: unknown): DatabaseUnavailable {
    return new DatabaseUnavailable(`${this.#name} does not answer`, { cause });
  }

  /** Call it after an error that may mean that the server does not respond: a probe then finds out. */
  suspect(): void {
    const now = performance.now();
    if (this.isAway || this.#isClosed || now - this.#probedAt < probeIntervalMs) return;
    this.#probedAt = now;
    this.#sendProbe();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#retryTimer !== null) clearInterval(this.#retryTimer);
    this.#retryTimer = null;
  }

  #sendProbe(): void {
    const sentAt = performance.now();
    // Probes overlap: one that was sent while the host was down may fail after the host is back. Such a late failure must not count.
    this.#probe().then(
      () => this.#onResponse(),
      (cause: unknown) => {
        if (sentAt > this.#respondedAt) this.#onSilence(cause);
      },
    );
  }

  #onSilence(cause: unknown): void {
    if (this.isAway || this.#isClosed) return;
    this.#cause = cause;
    this.lastAwayAt = performance.now();
    this.#retryTimer = setInterval(() => this.#sendProbe(), retryIntervalMs).unref();
    this.#listener({ is: 'away', cause });
  }

  #onResponse(): void {
    this.#respondedAt = performance.now();
    if (this.#retryTimer === null) return;
    clearInterval(this.#retryTimer);
    this.#retryTimer = null;
    this.#listener({ is: 'back' });
  }
}
