/** Milliseconds after which a read that has not ended causes a probe, and again after as long. */
const slow = 500;

/** The reads that run on a replica. All of them can be ended at once. */
export class RunningReads {
  readonly #ends = new Set<(why: Error) => void>();
  readonly #probe: () => void;

  /** @param probe called while a read takes long */
  constructor(probe: () => void) {
    this.#probe = probe;
  }

  get size(): number {
    return this.#ends.size;
  }

  /**
   * Counts a read.
   * @param stop called when all reads are ended
   * @returns a signal that is aborted then, and with `gone`; call `end` when the read has ended
   */
  begin(gone: AbortSignal, stop: (why: Error) => void): { readonly left: AbortSignal; end(): void } {
    // Signals made by `AbortSignal.any` would stay with `gone`, which may never end.
    const left = new AbortController();
    const leave = () => left.abort(gone.reason);
    const endAll = (why: Error) => {
      left.abort(why);
      stop(why);
    };
    const timer = setInterval(this.#probe, slow);
    gone.addEventListener('abort', leave, { once: true });
    this.#ends.add(endAll);
    return {
      left: left.signal,
      end: () => {
        clearInterval(timer);
        gone.removeEventListener('abort', leave);
        this.#ends.delete(endAll);
      },
    };
  }

  endAll(why: Error): void {
    for (const end of this.#ends) end(why);
  }
}
