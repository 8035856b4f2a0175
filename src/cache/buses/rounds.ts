/** A worker that a round waits for, and kills if it does not answer in time. */
export interface Endable {
  /** Ends the process at once. When it has ended, `Rounds.memberEnded` is called. */
  kill(): void;
}

interface Round<M> {
  readonly waiting: Set<M>;
  readonly done: () => void;
  timer: NodeJS.Timeout | null;
}

/** A round sends a message to several members and waits until each has answered or ended. A silent member is killed after the timeout. */
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

  /** Call when a member has ended: no round waits for it any more. */
  memberEnded(member: M): void {
    for (const id of [...this.#open.keys()]) this.answered(member, id);
  }

  #watch(round: Round<M>, timeout: number): void {
    const due = performance.now() + timeout;
    round.timer = setTimeout(() => {
      // The timer fired late, so this process itself was paused and may have unread answers. Wait once more before killing anyone.
      if (performance.now() > due + timeout / 2) this.#watch(round, timeout);
      else for (const member of round.waiting) member.kill();
    }, timeout);
  }
}
