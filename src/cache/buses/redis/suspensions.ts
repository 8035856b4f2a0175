import type { Message, Suspension } from '../bus.ts';
import { type KeptSuspension, mostNames, mostSuspensions, nonsense, type StreamMessage } from './messages.ts';

/** Suspensions that are ended in one turn of the event loop. A stranger may have planted thousands. */
const mostEnded = 500;

interface Open {
  /**
   * The members that have published it: a process that joins again does so under another name. What it has sent before may come
   * after that.
   */
  readonly from: Set<string>;
  /** When its members were first seen to be gone, by `performance.now()`; null: one is not. */
  gone: number | null;
}

/** What this process has published. */
export interface Own {
  has(id: string): boolean;
  /** Whether an earlier membership of this process had this name. */
  wasNamed(name: string): boolean;
  /** A server executes the suspension of an earlier membership only now. */
  echoed(suspension: Suspension): void;
}

/** The open suspensions of other processes. They outlive a membership: a process that joins again compares them with those kept. */
export class Suspensions {
  readonly #open = new Map<string, Open>();
  readonly #own: Own;
  readonly #deliver: (message: Message) => void;

  constructor(own: Own, deliver: (message: Message) => void) {
    this.#own = own;
    this.#deliver = deliver;
  }

  /** Delivers a message of a member. */
  hear(from: string, message: StreamMessage): void {
    if (message.type === 'again') {
      this.#endOthers(from, message.names);
      return;
    }
    if (message.type === 'suspend') {
      if (this.#own.wasNamed(from)) this.#own.echoed(message);
      if (this.#own.wasNamed(from) || this.#own.has(message.id)) return;
      const open = this.#open.get(message.id);
      // Published again: its process has joined again, and could not know whether it is still there.
      if (open !== undefined) {
        open.from.add(from);
        const [oldest = from] = open.from;
        if (open.from.size > mostNames) open.from.delete(oldest);
        return;
      }
      if (this.#open.size >= mostSuspensions) throw nonsense('more suspensions');
      this.#open.set(message.id, { from: new Set([from]), gone: null });
    }
    if (message.type === 'resume' && !this.#open.delete(message.id)) return;
    this.#deliver(message);
  }

  /**
   * Takes over those that are open now, after messages may have been lost.
   * @param isWhole whether the server has lost none: a missing one has ended. Otherwise its process ends it when it has joined again.
   */
  replace(kept: readonly KeptSuspension[], isWhole: boolean): void {
    const open = new Set(kept.map(({ suspension }) => suspension.id));
    if (isWhole) for (const id of [...this.#open.keys()]) if (!open.has(id)) this.hear('', { type: 'resume', id });
    for (const { from, suspension } of kept) this.hear(from, suspension);
  }

  /** Ends what a process has published under earlier names, and not again. */
  #endOthers(name: string, names: readonly string[]): void {
    const earlier = new Set(names);
    for (const [id, { from }] of [...this.#open])
      if ([...from].every((one) => earlier.has(one))) this.hear(name, { type: 'resume', id });
  }

  /**
   * Ends those whose members have been gone for so long that their statements are over, 500 of them at a time.
   * Returns their ids.
   * @param members those that are not gone
   * @param aftermath milliseconds
   */
  endOfGone(members: ReadonlySet<string>, aftermath: number): readonly string[] {
    const now = performance.now();
    const ended: string[] = [];
    for (const [id, one] of [...this.#open]) {
      if ([...one.from].some((name) => members.has(name))) one.gone = null;
      else one.gone ??= now;
      if (one.gone === null || now - one.gone < aftermath || ended.length === mostEnded) continue;
      ended.push(id);
      this.hear('', { type: 'resume', id });
    }
    return ended;
  }
}
