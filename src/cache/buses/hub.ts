import type { Message } from './bus.ts';
import { type Endable, Rounds } from './rounds.ts';

export type ToHub =
  | { readonly bus: 'join' }
  | { readonly bus: 'publish'; readonly messages: readonly Message[] }
  | { readonly bus: 'received'; readonly round: number };
export type FromHub =
  /** The answer to `join`. Its `messages` are the open suspensions. */
  | { readonly bus: 'joined'; readonly messages: readonly Message[] }
  | { readonly bus: 'messages'; readonly round: number; readonly messages: readonly Message[] }
  | { readonly bus: 'published' };

export interface Member extends Endable {
  send(message: FromHub): void;
}

type Suspension = Extract<Message, { type: 'suspend' }>;

export interface HubTimeouts {
  /** Milliseconds after which a member that has not answered is killed. */
  readonly answerTimeoutMs: number;
  /** Milliseconds after which all statements of a dead member have surely finished in the database. */
  readonly statementsEndMs: number;
}

/** Forwards the messages of each member to all others, and tells the sender when all have received them. */
export class Hub<M extends Member> {
  readonly #members = new Set<M>();
  readonly #rounds = new Rounds<M>();
  /** The open suspensions of each member. */
  readonly #suspensions = new Map<M, Map<string, Suspension>>();
  readonly #timeouts: () => HubTimeouts;

  constructor(timeouts: () => HubTimeouts) {
    this.#timeouts = timeouts;
  }

  get members(): ReadonlySet<M> {
    return this.#members;
  }

  /** Adds a member: it gets every later message, and every round waits for it. It must join before it caches anything. */
  join(member: M): void {
    member.send({ bus: 'joined', messages: [...this.#suspensions.values()].flatMap((some) => [...some.values()]) });
    this.#members.add(member);
  }

  onMessage(member: M, message: Exclude<ToHub, { bus: 'join' }>): void {
    // The last message of a member may arrive after its process has ended. We can ignore it: the others have cleared their caches by then.
    if (!this.#members.has(member)) return;
    if (message.bus === 'received') this.#rounds.answered(member, message.round);
    else this.#pass(member, message.messages).then(() => member.send({ bus: 'published' }));
  }

  /** Resolves when every member has answered or has ended. */
  ping(): Promise<void> {
    return this.#publish(this.#members, []);
  }

  /**
   * Call when a member has ended. It may have committed a write without announcing it, so the others clear their caches: now, and again
   * when its last statements have surely finished in the database.
   */
  leave(member: M): void {
    if (!this.#members.delete(member)) return;
    this.#rounds.memberEnded(member);
    this.#publish(this.#members, [{ type: 'forget' }]);
    setTimeout(() => {
      const open = [...(this.#suspensions.get(member)?.keys() ?? [])];
      this.#suspensions.delete(member);
      this.#publish(this.#members, [...open.map((id): Message => ({ type: 'resume', id })), { type: 'forget' }]);
    }, this.#timeouts().statementsEndMs).unref();
  }

  #pass(from: M, messages: readonly Message[]): Promise<void> {
    for (const message of messages) this.#note(from, message);
    return this.#publish(
      [...this.#members].filter((other) => other !== from),
      messages,
    );
  }

  #publish(members: Iterable<M>, messages: readonly Message[]): Promise<void> {
    return this.#rounds.ask(members, this.#timeouts().answerTimeoutMs, (member, round) =>
      member.send({ bus: 'messages', round, messages }),
    );
  }

  #note(member: M, message: Message): void {
    const open = this.#suspensions.get(member) ?? new Map<string, Suspension>();
    if (message.type === 'suspend') this.#suspensions.set(member, open.set(message.id, message));
    if (message.type === 'resume') open.delete(message.id);
    if (open.size === 0) this.#suspensions.delete(member);
  }
}
