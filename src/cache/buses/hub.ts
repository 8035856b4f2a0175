import type { News } from './bus.ts';
import { type Asked, Rounds } from './rounds.ts';

export type ToHub =
  | { readonly bus: 'join' }
  | { readonly bus: 'tell'; readonly round: number; readonly news: readonly News[] }
  | { readonly bus: 'heard'; readonly round: number };
export type FromHub =
  /** `news` is what has not been settled yet. */
  | { readonly bus: 'joined'; readonly news: readonly News[] }
  | { readonly bus: 'news'; readonly round: number; readonly news: readonly News[] }
  | { readonly bus: 'told'; readonly round: number };

export interface Member extends Asked {
  send(message: FromHub): void;
}

type Doubt = Extract<News, { news: 'doubt' }>;

export interface Patience {
  /** Milliseconds for which a member may be silent before it is ended. */
  readonly silence: number;
  /** Milliseconds after which whatever a member that is gone had begun in a database is over. */
  readonly aftermath: number;
}

/** Hands the news of each member to all others, and tells it when all have heard. */
export class Hub<M extends Member> {
  readonly #members = new Set<M>();
  readonly #rounds = new Rounds<M>();
  /** By the member that is in doubt. */
  readonly #doubts = new Map<M, Map<string, Doubt>>();
  readonly #patience: () => Patience;

  constructor(patience: () => Patience) {
    this.#patience = patience;
  }

  get members(): ReadonlySet<M> {
    return this.#members;
  }

  /** From now on it is told everything, and everybody waits for it. It must not yet keep anything. */
  join(member: M): void {
    member.send({ bus: 'joined', news: [...this.#doubts.values()].flatMap((doubts) => [...doubts.values()]) });
    this.#members.add(member);
  }

  /** What a member says. */
  hear(member: M, message: Exclude<ToHub, { bus: 'join' }>): void {
    // Its last words may come after its end, when all was forgotten.
    if (!this.#members.has(member)) return;
    if (message.bus === 'heard') this.#rounds.answered(member, message.round);
    else this.#pass(member, message.news).then(() => member.send({ bus: 'told', round: message.round }));
  }

  /** Resolves when every member has shown that it is not hanging, or is no more. */
  ping(): Promise<void> {
    return this.#tell(this.#members, []);
  }

  /**
   * It has ended. It may have committed what it could not tell, so the others forget everything: now, and when what it had begun is
   * over.
   */
  leave(member: M): void {
    if (!this.#members.delete(member)) return;
    this.#rounds.gone(member);
    this.#tell(this.#members, [{ news: 'forget' }]);
    setTimeout(() => {
      const open = [...(this.#doubts.get(member)?.keys() ?? [])];
      this.#doubts.delete(member);
      this.#tell(this.#members, [...open.map((id): News => ({ news: 'settled', id })), { news: 'forget' }]);
    }, this.#patience().aftermath).unref();
  }

  #pass(from: M, news: readonly News[]): Promise<void> {
    for (const item of news) this.#note(from, item);
    return this.#tell(
      [...this.#members].filter((other) => other !== from),
      news,
    );
  }

  #tell(members: Iterable<M>, news: readonly News[]): Promise<void> {
    return this.#rounds.ask(members, this.#patience().silence, (member, round) =>
      member.send({ bus: 'news', round, news }),
    );
  }

  #note(member: M, news: News): void {
    const doubts = this.#doubts.get(member) ?? new Map<string, Doubt>();
    if (news.news === 'doubt') this.#doubts.set(member, doubts.set(news.id, news));
    if (news.news === 'settled') doubts.delete(news.id);
    if (doubts.size === 0) this.#doubts.delete(member);
  }
}
