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
  /**
   * The registrations at the last look that missed it: the server may have lost it. That it is not listed there later, either, does
   * not show its end. Null: none has missed it.
   */
  missed: ReadonlyMap<string, number> | null;
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
        open.missed = null;
        const [oldest = from] = open.from;
        if (open.from.size > mostNames) open.from.delete(oldest);
        return;
      }
      if (this.#open.size >= mostSuspensions) throw nonsense('more suspensions');
      this.#open.set(message.id, { from: new Set([from]), gone: null, missed: null });
    }
    if (message.type === 'resume' && !this.#open.delete(message.id)) return;
    this.#deliver(message);
  }

  /**
   * Takes over those that are open now, after messages may have been lost.
   * @param isSame whether the server has lost nothing since the last look: then one that is missing has ended. Otherwise its process
   * ends it when it has joined again, or renews its registration here.
   * @param members those of now, with their registrations
   */
  replace(kept: readonly KeptSuspension[], isSame: boolean, members: ReadonlyMap<string, number>): void {
    const open = new Set(kept.map(({ suspension }) => suspension.id));
    for (const [id, one] of [...this.#open]) {
      if (open.has(id)) continue;
      if (isSame && one.missed === null) this.hear('', { type: 'resume', id });
      else one.missed = members;
    }
    for (const { from, suspension } of kept) this.hear(from, suspension);
  }

  /** Ends what a process has published under earlier names, and not again. */
  #endOthers(name: string, names: readonly string[]): void {
    const earlier = new Set(names);
    for (const [id, { from }] of [...this.#open])
      if ([...from].every((one) => earlier.has(one))) this.hear(name, { type: 'resume', id });
  }

  /**
   * Ends what is over, 500 at a time: those whose members have been gone for so long that their statements have ended. And those that a
   * look has missed, of members that have renewed their registration since: they have lost nothing at this server. (At a replica that
   * has become the primary, nobody renews the earlier registrations.)
   * @param members those that are not gone
   * @param aftermath milliseconds
   * @returns the ids of those whose members are gone: nobody else removes them from the server
   */
  endOver(members: ReadonlyMap<string, number>, aftermath: number): readonly string[] {
    const now = performance.now();
    const left: string[] = [];
    let ended = 0;
    for (const [id, one] of [...this.#open]) {
      if ([...one.from].some((name) => members.has(name))) one.gone = null;
      else one.gone ??= now;
      const isLeft = one.gone !== null && now - one.gone >= aftermath;
      const isOver = isLeft || (one.missed !== null && isRenewed(one.from, one.missed, members));
      if (!isOver || ended === mostEnded) continue;
      ended++;
      if (isLeft) left.push(id);
      this.hear('', { type: 'resume', id });
    }
    return left;
  }
}

/** Whether one of these names has another registration now than before. */
const isRenewed = (
  names: ReadonlySet<string>,
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): boolean => [...names].some((name) => now.has(name) && now.get(name) !== before.get(name));
