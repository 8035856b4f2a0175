import type { Steps } from '../../../values/slices.ts';
import type { Message } from '../bus.ts';
import {
  type AnnouncedSuspension,
  type KeptSuspension,
  mostNames,
  mostSuspensions,
  nonsense,
  type StreamMessage,
} from './messages.ts';

/** Names of suspensions that are ended at once at the server. A stranger may have planted thousands. */
const mostEnded = 500;

/** Its process knows each of its names. All of them, for each of thousands of suspensions, would be megabytes. */
const mostAsked = 3;

interface Open {
  /**
   * The members that have published it: a process that joins again does so under another name. What it has sent before may come
   * after that.
   */
  readonly from: Set<string>;
  /** As `AnnouncedSuspension.lasts`. */
  lasts: number;
  /** When its members were first seen to be gone, by `performance.now()`; null: one is not. */
  gone: number | null;
  /** Whether a server with other data may have lost it, or its end: that a look lists it, or does not, shows nothing. */
  isUncertain: boolean;
}

interface Names {
  has(name: string): boolean;
}

/** The members, as the server has said them. */
export interface Look {
  readonly members: Names;
  /** When that was asked, by `performance.now()`. */
  readonly asked: number;
  /** From then on every holder of a lease is a member, by `performance.now()`. */
  readonly trusted: number;
  /** The suspensions, where the server has said them too. */
  readonly listed: readonly KeptSuspension[];
}

function isOneOf(names: ReadonlySet<string>, of: Names): boolean {
  for (const name of names) if (of.has(name)) return true;
  return false;
}

/** Ids of suspensions that have ended, and the names of their members. */
type Left = ReadonlyMap<string, readonly string[]>;

/** What this process has published. */
export interface Own {
  has(id: string): boolean;
  /** Whether an earlier membership of this process had this name. */
  wasNamed(name: string): boolean;
  /** The same, or the membership of now has it. */
  isNamed(name: string): boolean;
  /** Says whether the suspension goes on: another member asks, or a server executes it only now. */
  answer(id: string): void;
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
    switch (message.type) {
      case 'again':
        this.#endOthers(message.names);
        return;
      case 'ask':
        if (message.names.some((name) => this.#own.isNamed(name))) this.#own.answer(message.id);
        return;
      case 'resume':
        this.#end(message.id);
        return;
      case 'suspend': {
        if (this.#own.wasNamed(from)) this.#own.answer(message.id);
        const open = this.#begin(from, message);
        // It may have been published again: its process is there, and it goes on.
        if (open !== null) Object.assign(open, { lasts: message.lasts, gone: null, isUncertain: false });
        return;
      }
      default:
        this.#deliver(message);
    }
  }

  /** Null where it is of this process. */
  #begin(from: string, { lasts, ...suspension }: AnnouncedSuspension): Open | null {
    const { id } = suspension;
    if (this.#own.wasNamed(from) || this.#own.has(id)) return null;
    const before = this.#open.get(id);
    if (before !== undefined) {
      // Its process is there under another name, or was.
      if (!before.from.has(from)) Object.assign(before, { lasts, gone: null });
      before.from.add(from);
      const [oldest = from] = before.from;
      if (before.from.size > mostNames) before.from.delete(oldest);
      return before;
    }
    if (this.#open.size >= mostSuspensions) throw nonsense('more suspensions');
    const open = { from: new Set([from]), lasts, gone: null, isUncertain: false };
    this.#open.set(id, open);
    this.#deliver(suspension);
    return open;
  }

  #end(id: string): void {
    // Nobody has begun the one that only says how far the others have heard.
    if (this.#open.delete(id)) this.#deliver({ type: 'resume', id });
  }

  /**
   * Takes over those that are listed now, after messages may have been lost. Meanwhile no messages are heard.
   * @param isSame whether the server has lost nothing since the last look: then one that is missing has ended
   */
  *replace(kept: readonly KeptSuspension[], isSame: boolean): Steps<void> {
    const listed = new Set(kept.map(({ suspension }) => suspension.id));
    if (isSame)
      for (const [id, { isUncertain }] of this.#open) {
        yield;
        if (!isUncertain && !listed.has(id)) this.#end(id);
      }
    for (const { from, suspension } of kept) {
      yield;
      if (this.#own.wasNamed(from)) this.#own.answer(suspension.id);
      this.#begin(from, suspension);
    }
    if (!isSame) for (const open of this.#open.values()) open.isUncertain = true;
  }

  /**
   * To the processes of those that may have ended unheard: they are uncertain, or their members are gone.
   * @param members those that are not gone
   */
  *questions(members: Names): Steps<readonly StreamMessage[]> {
    const questions: StreamMessage[] = [];
    for (const [id, { from, isUncertain }] of this.#open) {
      yield;
      if (isUncertain || !isOneOf(from, members)) {
        const names = [...from].slice(-mostAsked);
        questions.push({ type: 'ask', id, names });
      }
    }
    return questions;
  }

  /** Ends what a process has published under earlier names, and not again. */
  #endOthers(names: readonly string[]): void {
    const earlier = new Set(names);
    for (const [id, { from }] of this.#open) if ([...from].every((one) => earlier.has(one))) this.#end(id);
  }

  /**
   * Ends those whose members have been gone for so long that their statements have ended, some 500 at a time.
   * @returns their ids, with the names under which they may be kept at the server: nobody else removes them there
   */
  *endLeft({ members, asked, trusted, listed }: Look): Steps<Left> {
    // A process that was gone may long be there under another name.
    for (const { from, suspension } of listed) {
      yield;
      if (this.#open.has(suspension.id)) this.#begin(from, suspension);
    }
    const left = new Map<string, readonly string[]>();
    let names = 0;
    for (const [id, one] of this.#open) {
      yield;
      if (isOneOf(one.from, members)) one.gone = null;
      // The process of one that is not registered may have a lease until then, and begin another statement.
      else one.gone = Math.max(one.gone ?? performance.now(), trusted);
      // While a late answer was on its way, its process may have come back.
      if (one.gone === null || asked - one.gone < one.lasts || names >= mostEnded) continue;
      left.set(id, [...one.from]);
      names += one.from.size;
      this.#end(id);
    }
    return left;
  }
}
