import type { Message } from '../bus.ts';
import { type KeptSuspension, mostSuspensions, nonsense } from './messages.ts';

interface Open {
  /** The member that has published it last: a process that joins again does so under another name. */
  from: string;
  /** When its member was first seen to be gone, by `performance.now()`; null: it is not. */
  gone: number | null;
}

/** The open suspensions of other members. They outlive a membership: a process that joins again compares them with those kept. */
export class Suspensions {
  readonly #open = new Map<string, Open>();
  readonly #isOwn: (id: string) => boolean;
  readonly #deliver: (message: Message) => void;

  /** @param isOwn whether an id is one of this process: an earlier membership of it may have published it */
  constructor(isOwn: (id: string) => boolean, deliver: (message: Message) => void) {
    this.#isOwn = isOwn;
    this.#deliver = deliver;
  }

  /** Delivers a message of a member. */
  hear(from: string, message: Message): void {
    if (message.type === 'suspend') {
      if (this.#isOwn(message.id)) return;
      const open = this.#open.get(message.id);
      // Published again: its process has joined again, and could not know whether it is still there.
      if (open !== undefined) {
        open.from = from;
        return;
      }
      if (this.#open.size >= mostSuspensions) throw nonsense('more suspensions');
      this.#open.set(message.id, { from, gone: null });
    }
    if (message.type === 'resume' && !this.#open.delete(message.id)) return;
    this.#deliver(message);
  }

  /** Takes over those that are open now, after messages may have been lost. */
  replace(kept: readonly KeptSuspension[]): void {
    const open = new Set(kept.map(({ suspension }) => suspension.id));
    for (const [id, { from }] of this.#open) if (!open.has(id)) this.hear(from, { type: 'resume', id });
    for (const { from, suspension } of kept) this.hear(from, suspension);
  }

  /**
   * Ends those whose members have been gone for so long that their statements are over. Returns their ids.
   * @param members those that are not gone
   * @param aftermath milliseconds
   */
  endOfGone(members: ReadonlySet<string>, aftermath: number): readonly string[] {
    const now = performance.now();
    const ended: string[] = [];
    for (const [id, one] of this.#open) {
      if (members.has(one.from)) one.gone = null;
      else one.gone ??= now;
      if (one.gone === null || now - one.gone < aftermath) continue;
      ended.push(id);
      this.hear(one.from, { type: 'resume', id });
    }
    return ended;
  }
}
