import { mostCharacters, type StreamMessage } from './messages.ts';

/** Messages that become one entry of the stream. */
export interface Batch {
  /** Each as JSON. */
  readonly texts: readonly string[];
  readonly messages: readonly StreamMessage[];
  /** Whether its members wait until the others have heard it. */
  readonly isAwaited: boolean;
}

interface Gathered extends Batch {
  readonly texts: string[];
  readonly messages: StreamMessage[];
  isAwaited: boolean;
  characters: number;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/** Characters that messages share. The server keeps thousands of entries, and each renewal of a lease fetches the last one. */
const mostShared = 10_000;
/** Entries of one round. The writes of a round wait until others have heard its last entry. */
const mostOfRound = 100;

/**
 * Messages published while a round is under way share the next one, and mostly an entry: many concurrent writes cost hardly more rounds
 * than one. Where each entry had a round, writes to tables of many partitions came faster than rounds. A round that only waits does not
 * hold up the next one: its writes would wait for two members that die one after the other.
 */
export class Batches {
  readonly #send: (batches: readonly Batch[], next: () => void) => Promise<void>;
  #waiting: Gathered[] = [];
  #isSending = false;

  /** @param send called for a round when that before is over, or has called its `next` */
  constructor(send: (batches: readonly Batch[], next: () => void) => Promise<void>) {
    this.#send = send;
  }

  /** Resolves when the round of the message is over; throws its error. */
  add(message: StreamMessage, isAwaited: boolean): Promise<void> {
    const text = JSON.stringify(message);
    if (text.length > mostCharacters - 2)
      return Promise.reject(new Error('a write changes too many tables to announce it'));
    const batch = this.#roomFor(text);
    batch.texts.push(text);
    batch.messages.push(message);
    batch.characters += text.length;
    batch.isAwaited ||= isAwaited;
    if (!this.#isSending) void this.#sendAll();
    return batch.done;
  }

  #roomFor(text: string): Gathered {
    const last = this.#waiting.at(-1);
    if (last !== undefined && last.characters + text.length <= mostShared) return last;
    let settle: Pick<Gathered, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined };
    const done = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    const batch: Gathered = { texts: [], messages: [], isAwaited: false, characters: 0, done, ...settle };
    this.#waiting.push(batch);
    return batch;
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    // Messages published in the same turn come along.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const round = this.#waiting.splice(0, mostOfRound);
      await new Promise<void>((next) => void this.#round(round, next).finally(next));
    }
    this.#isSending = false;
  }

  async #round(round: readonly Gathered[], next: () => void): Promise<void> {
    try {
      await this.#send(round, next);
      for (const { resolve } of round) resolve();
    } catch (error) {
      for (const { reject } of round) reject(error);
    }
  }
}
