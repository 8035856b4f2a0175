/** Questions in flight, by key. Callers that ask the same at the same time share one answer, or one error. */
export class InFlight<K, T> {
  readonly #answers = new Map<K, Promise<T>>();

  /** Joins the question in flight, or asks. */
  share(key: K, ask: () => Promise<T>): Promise<T> {
    const running = this.#answers.get(key);
    if (running !== undefined) return running;
    const answer = ask().finally(() => this.#answers.delete(key));
    this.#answers.set(key, answer);
    return answer;
  }

  /** Resolves when every question that is in flight now has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#answers.values());
  }
}
