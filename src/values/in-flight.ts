/** Shares in-flight queries, by key: callers that ask for the same key at the same time get one result, or one error. */
export class InFlight<K, T> {
  readonly #answers = new Map<K, Promise<T>>();

  /** Joins the in-flight query for a key, or starts one. */
  share(key: K, ask: () => Promise<T>): Promise<T> {
    const running = this.#answers.get(key);
    if (running !== undefined) return running;
    const answer = ask().finally(() => this.#answers.delete(key));
    this.#answers.set(key, answer);
    return answer;
  }

  /** Resolves when all queries that are in flight now have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#answers.values());
  }
}
