/** A member that a round waits for, and that may have to be killed. */
export interface Endable {
  /** Ends it at once; `gone` is called when it has ended. */
  kill(): void;
}

interface Round<M> {
  readonly waiting: Set<M>;
  readonly done: () => void;
  timer: NodeJS.Timeout | null;
}

/** A round sends a message to several members. It is over when each has answered or has ended; a silent member is killed. */
export class Rounds<M extends Endable> {
  readonly #open = new Map<number, Round<M>>();
  #last = 0;

  /** @param timeout milliseconds; null: no time limit */
  ask(members: Iterable<M>, timeout: number | null, send: (member: M, round: number) => void): Promise<void> {
    const waiting = new Set(members);
    if (waiting.size === 0) return Promise.resolve();
    const id = ++this.#last;
    return new Promise((done) => {
      const round: Round<M> = { waiting, done, timer: null };
      this.#open.set(id, round);
      if (timeout !== null) this.#watch(round, timeout);
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

  /** The member has ended and answers no round any more. */
  gone(member: M): void {
    for (const id of [...this.#open.keys()]) this.answered(member, id);
  }

  #watch(round: Round<M>, timeout: number): void {
    const due = performance.now() + timeout;
    round.timer = setTimeout(() => {
      // The timer fired late, so this process itself was stopped. Answers may be waiting unread: start the wait anew.
      if (performance.now() > due + timeout / 2) this.#watch(round, timeout);
      else for (const member of round.waiting) member.kill();
    }, timeout);
  }
}
