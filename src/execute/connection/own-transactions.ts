/** The most ids that are kept: more than any proof lists. */
const most = 10_000;

/** The ids of transactions of the gateway's own, on one database: it invalidates their effects itself. */
export class OwnTransactions {
  readonly #ids = new Map<string, 'begun' | 'invalidated'>();

  /** A transaction that may commit before the gateway has invalidated its effects. */
  began(id: string): void {
    this.#ids.set(id, 'begun');
    this.#limit();
  }

  /** Its effects are invalidated in this process. */
  invalidated(ids: readonly string[]): void {
    for (const id of ids) this.#ids.set(id, 'invalidated');
    this.#limit();
  }

  /** Those that are not ours. */
  othersOf(ids: readonly string[]): readonly string[] {
    return ids.filter((id) => !this.#ids.has(id));
  }

  /** Whether one of them is ours, and its effects are not invalidated yet. */
  isPending(ids: readonly string[]): boolean {
    return ids.some((id) => this.#ids.get(id) === 'begun');
  }

  /** The server may give the same ids again. */
  clear(): void {
    this.#ids.clear();
  }

  /** They will not be asked for again. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#ids.delete(id);
  }

  /** A forgotten one is taken for one of others, which invalidates more than needed. */
  #limit(): void {
    for (const id of this.#ids.keys()) {
      if (this.#ids.size <= most) return;
      this.#ids.delete(id);
    }
  }
}
