/** Limit of ids. Fewer transactions than that end between two commit markers. */
const maxIds = 10_000;

/** The ids of the gateway's own transactions on one database. When we see their commits, we need not invalidate: each write has done so. */
export class OwnTransactions {
  readonly #ids = new Map<string, 'begun' | 'invalidated'>();

  /** Adds a transaction; its commit may become visible before the gateway has invalidated the cache entries. */
  began(id: string): void {
    this.#ids.set(id, 'begun');
    this.#limit();
  }

  /** Notes that this process has invalidated all cache entries that these transactions made stale. */
  invalidated(ids: readonly string[]): void {
    for (const id of ids) this.#ids.set(id, 'invalidated');
    this.#limit();
  }

  /** Returns the transactions of other clients. */
  othersOf(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => !this.#ids.has(id));
  }

  /** Whether one of the transactions is ours, and has cache entries that are not invalidated yet. */
  isPending(ids: readonly string[]): boolean {
    return ids.some((id) => this.#ids.get(id) === 'begun');
  }

  /** Call it when the server may have restarted or changed: the same ids may then belong to other transactions. */
  clear(): void {
    this.#ids.clear();
  }

  /** Drops ids that we no longer need. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#ids.delete(id);
  }

  /** Drops the oldest ids. A dropped transaction counts as another client's, so we only invalidate more than needed. */
  #limit(): void {
    for (const id of this.#ids.keys()) {
      if (this.#ids.size <= maxIds) return;
      this.#ids.delete(id);
    }
  }
}
