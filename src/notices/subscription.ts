import { changed, heartbeat, retryAfter } from '../reply/event-stream.ts';
import { type EventId, eventId } from './event-ids.ts';

/** A resource's last change. */
export interface NotedChange {
  /** The generations' epoch in which it changed. */
  readonly changedAt: number;
}

/** The changes to all resources that have a subscriber. */
export interface Notes {
  /** The epoch up to which every change to the subscription's resources is noted. */
  epochOf(subscription: Subscription): number;
  /** Encrypts an epoch for an event's id. */
  sealed(epoch: number): string;
  /** Whether the client may read its resources under the current configuration. False until that is checked. */
  isPermitted(subscription: Subscription): boolean;
  /** Counts notices that are about to be sent. */
  noticed(notices: number): void;
}

/** After this many milliseconds without an event, we send a heartbeat comment: some proxies close a connection after a minute of silence or less. */
const heartbeatMs = 15_000;

/** One client's event stream. Several changes to a resource become one notice if the client does not read meanwhile. */
export class Subscription {
  /** The resources that the client subscribes to, each with the client's names for it. */
  resources: ReadonlyMap<NotedChange, readonly string[]> = new Map();
  readonly #notes: Notes;
  /** The epoch up to which the client has been sent all changes. */
  #lastEpoch: number;
  /** Changes newer than `#lastEpoch` (which advances with the slowest database) that were already sent, with their epochs: never send one twice. */
  readonly #sent = new Map<NotedChange, number>();
  #id: EventId;
  readonly #to: string;
  #sentAt = performance.now();
  #isEnded = false;
  #wake: (() => void) | null = null;

  /**
   * @param id the id of the last event that the client got
   * @param lastEpoch that event's epoch; null if we can't tell
   * @param to the resources' hash, for the event ids
   */
  constructor(notes: Notes, id: EventId, lastEpoch: number | null, to: string) {
    this.#notes = notes;
    this.#to = to;
    this.#id = id;
    this.#lastEpoch = lastEpoch ?? -1;
  }

  /** Whether the stream is idle, and a heartbeat is due. */
  isSilent(now: number): boolean {
    return this.#wake !== null && now - this.#sentAt >= heartbeatMs;
  }

  /** Makes an idle stream send what is due. */
  wake(): void {
    this.#wake?.();
    this.#wake = null;
  }

  end(): void {
    this.#isEnded = true;
    this.wake();
  }

  /**
   * The stream's text, produced as fast as the client reads it. It ends after `end`.
   * @param reconnectMs how many milliseconds after the stream's end the client should reconnect
   */
  async *text(reconnectMs: number): AsyncGenerator<string, void> {
    yield retryAfter(reconnectMs);
    while (!this.#isEnded) {
      const text = this.#nextEvents(performance.now());
      if (text !== '') yield text;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  /** The text of the events that are due, or a heartbeat; '' if nothing is due. */
  #nextEvents(now: number): string {
    if (!this.#notes.isPermitted(this)) return '';
    const epoch = this.#notes.epochOf(this);
    const due = [...this.resources].filter(([it]) => it.changedAt > (this.#sent.get(it) ?? this.#lastEpoch));
    const names = due.flatMap(([, names]) => names);
    if (names.length === 0 && now - this.#sentAt < heartbeatMs) return '';
    this.#sentAt = now;
    if (names.length === 0) return heartbeat;
    this.#notes.noticed(names.length);
    const sealed = this.#notes.sealed(epoch);
    let text = '';
    for (const [i, name] of names.entries()) {
      // Only the last id gets the new epoch: a client that loses the connection earlier has not received all changes.
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
