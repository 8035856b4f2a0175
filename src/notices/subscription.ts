import { changed, heartbeat, retryAfter } from '../reply/event-stream.ts';
import { type EventId, eventId } from './event-ids.ts';

/** The last change of a resource. */
export interface Noted {
  /** In epochs of the generations. */
  readonly changedAt: number;
}

/** The changes of all resources with a subscriber. */
export interface Notes {
  /** The epoch until which every change of the resources of a subscription is noted. */
  epochOf(subscription: Subscription): number;
  /** An epoch for the id of an event. */
  sealed(epoch: number): string;
  /** Whether the client may read the resources of its subscription, as far as is known at this moment. */
  isPermitted(subscription: Subscription): boolean;
  /** So many notices are about to be sent. */
  noticed(notices: number): void;
}

/** Milliseconds without an event, after which a comment is sent: proxies end connections that are silent for a minute or less. */
const silence = 15_000;

/** The stream of one client. What changes while the client does not read becomes one notice for each resource. */
export class Subscription {
  /** What the client subscribes to, with the names that it has for each. */
  resources: ReadonlyMap<Noted, readonly string[]> = new Map();
  readonly #notes: Notes;
  /** The epoch until which the client was sent all changes. */
  #lastEpoch: number;
  /** The changes that it was sent beyond that epoch: what one resource waits for does not delay another. */
  readonly #sent = new Map<Noted, number>();
  #id: EventId;
  readonly #to: string;
  #sentAt = performance.now();
  #isEnded = false;
  #wake: (() => void) | null = null;

  /**
   * @param id of the last event that the client has got
   * @param lastEpoch the epoch of that event; null: not known
   * @param to as for `eventId`
   */
  constructor(notes: Notes, id: EventId, lastEpoch: number | null, to: string) {
    this.#notes = notes;
    this.#to = to;
    this.#id = id;
    this.#lastEpoch = lastEpoch ?? -1;
  }

  /** Whether it waits, and has sent nothing for long. */
  isSilent(now: number): boolean {
    return this.#wake !== null && now - this.#sentAt >= silence;
  }

  /** Makes the stream look for changes to send. */
  wake(): void {
    this.#wake?.();
    this.#wake = null;
  }

  end(): void {
    this.#isEnded = true;
    this.wake();
  }

  /**
   * The text of the stream, made at the speed of its reader. It ends after `end`.
   * @param wait milliseconds until the client is to connect again, once the stream has ended
   */
  async *text(wait: number): AsyncGenerator<string, void> {
    yield retryAfter(wait);
    while (!this.#isEnded) {
      const text = this.#take(performance.now());
      if (text !== '') yield text;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  /** The events that are due; '' where there are none. */
  #take(now: number): string {
    if (!this.#notes.isPermitted(this)) return '';
    const epoch = this.#notes.epochOf(this);
    const due = [...this.resources].filter(([it]) => it.changedAt > (this.#sent.get(it) ?? this.#lastEpoch));
    const names = due.flatMap(([, names]) => names);
    if (names.length === 0 && now - this.#sentAt < silence) return '';
    this.#sentAt = now;
    if (names.length === 0) return heartbeat;
    this.#notes.noticed(names.length);
    const sealed = this.#notes.sealed(epoch);
    let text = '';
    for (const [i, name] of names.entries()) {
      // A client that gets a part of these events does not know all changes until this epoch.
      const isLast = i === names.length - 1;
      this.#id = { notices: this.#id.notices + 1, sealed: isLast ? sealed : this.#id.sealed };
      text += changed(name, this.#id.notices, eventId(this.#id, this.#to));
    }
    this.#lastEpoch = epoch;
    for (const [it] of due) this.#sent.set(it, it.changedAt);
    for (const [it, changedAt] of [...this.#sent]) if (changedAt <= epoch) this.#sent.delete(it);
    return text;
  }
}
