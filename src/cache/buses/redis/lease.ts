import { goneApart, type Moment } from '../../../values/clocks.ts';

/** Milliseconds; the same for all processes. */
export const usualLease = 1000;

/**
 * A member may use its cache until so many milliseconds after a question whose answer shows that it had heard every message. A
 * writer waits as long for members that do not answer. The member counts from when it sent its question, the writer from when its
 * message was there, each by its own monotonic clock. So no lease without the message outlasts the wait.
 */
export class Lease {
  readonly length: number;
  #until = Number.NEGATIVE_INFINITY;
  /** The wall clock minus the monotonic one, when the question was sent. */
  #offset = 0;
  /** A question whose answer names a message that is still to be heard. */
  #asked: { readonly newest: string; readonly sent: Moment } | null = null;
  #isOver = false;

  /** @param length milliseconds */
  constructor(length: number) {
    this.length = length;
  }

  isHeld(): boolean {
    const now = performance.now();
    return now < this.#until && goneApart(this.#offset, now) === 0;
  }

  /** Whether the last answer has extended it. */
  get isSettled(): boolean {
    return this.#asked === null;
  }

  /**
   * A question was answered: it extends the lease once the newest message is heard. Not while an earlier answer waits for that.
   * @param last as in `heard`
   */
  answered(sent: Moment, newest: string, last: string): void {
    if (this.#isOver) return;
    this.#asked ??= { newest, sent };
    this.heard(last);
  }

  /** @param last the last message that was heard */
  heard(last: string): void {
    if (this.#asked === null || !isReached(last, this.#asked.newest)) return;
    const { at, offset } = this.#asked.sent;
    this.#asked = null;
    this.#until = at + this.length;
    this.#offset = offset;
  }

  /** For good: an answer that is still on its way does not extend it. */
  end(): void {
    this.#isOver = true;
    this.#until = Number.NEGATIVE_INFINITY;
    this.#asked = null;
  }
}

/** Whether an id of a stream is as late as another. */
export function isReached(id: string, wanted: string): boolean {
  const [[time = 0n, nth = 0n], [wantedTime = 0n, wantedNth = 0n]] = [partsOf(id), partsOf(wanted)];
  return time === wantedTime ? nth >= wantedNth : time > wantedTime;
}

const partsOf = (id: string): readonly bigint[] => (/^\d+-\d+$/.test(id) ? id.split('-').map(BigInt) : []);
