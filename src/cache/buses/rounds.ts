/** Somebody who is asked, and who may have to be ended. */
export interface Asked {
  /** Ends it at once; `gone` is called when it has ended. */
  kill(): void;
}

interface Round<M> {
  readonly waiting: Set<M>;
  readonly done: () => void;
  timer: NodeJS.Timeout | null;
}

/** Questions to several at once. Each must answer or be no more before a round is over; who is silent for too long is ended. */
export class Rounds<M extends Asked> {
  readonly #open = new Map<number, Round<M>>();
  #last = 0;

  /** @param patience milliseconds; null: there is no hurry */
  ask(members: Iterable<M>, patience: number | null, send: (member: M, round: number) => void): Promise<void> {
    const waiting = new Set(members);
    if (waiting.size === 0) return Promise.resolve();
    const id = ++this.#last;
    return new Promise((done) => {
      const round: Round<M> = { waiting, done, timer: null };
      this.#open.set(id, round);
      if (patience !== null) this.#watch(round, patience);
      for (const member of [...waiting]) send(member, id);
    });
  }

  answered(member: M, id: number): void {
    const round = this.#open.get(id);
    if (round === undefined || !round.waiting.delete(member) || round.waiting.size > 0) return;
    this.#open.delete(id);
    if (round.timer !== null) clearTimeout(round.timer);
    round.done();
  }

  /** It has ended, and will not answer anybody any more. */
  gone(member: M): void {
    for (const id of [...this.#open.keys()]) this.answered(member, id);
  }

  #watch(round: Round<M>, patience: number): void {
    const due = performance.now() + patience;
    round.timer = setTimeout(() => {
      // Whoever was stopped himself has not heard the answers that lie there: they get their time anew.
      if (performance.now() > due + patience / 2) this.#watch(round, patience);
      else for (const member of round.waiting) member.kill();
    }, patience);
  }
}
