import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Statement } from '../../model/rows.ts';
import type { Breaker } from './breaker.ts';
import type { RunBounds } from './call-sessions.ts';
import { withTimeout } from './deadline.ts';
import type { Pool } from './pool.ts';
import { checkTypes, type Driver, StatementTimeout, TooLarge } from './session.ts';

/** Our timeout is this many milliseconds longer than the server's. We need our own, because servers don't time out every statement. */
const graceMs = 300;
const unbounded = Number.MAX_SAFE_INTEGER;

/** Runs statements on the sessions of a pool, and cancels them on the server when they time out or their client leaves. */
export class StatementRunner {
  readonly #pool: Pool;
  readonly #driver: Driver;
  readonly #breaker: Breaker;
  readonly #statementTimeout: number;
  /** Sessions that are being ended, each with the timeout that caused it. If the cancel hits the session's next statement, we throw that. */
  readonly #ending = new WeakMap<object, StatementTimeout>();
  /** When the server last answered a statement, on the monotonic clock in milliseconds. */
  lastAnswerAt = Number.NEGATIVE_INFINITY;

  /** @param statementTimeout the server's timeout in milliseconds */
  constructor(pool: Pool, driver: Driver, breaker: Breaker, statementTimeout: number) {
    this.#pool = pool;
    this.#driver = driver;
    this.#breaker = breaker;
    this.#statementTimeout = statementTimeout;
  }

  /**
   * Throws what `Session.run` throws.
   * @param gone cancels the statement when aborted; its reason is thrown then
   */
  async run(raw: unknown, statement: Statement, bounds: RunBounds, gone?: AbortSignal): Promise<Answer> {
    gone?.throwIfAborted();
    const { deadline = this.#statementTimeout + graceMs, maxBytes = unbounded, into } = bounds;
    let over: unknown = null;
    const answer = this.#driver.run(raw, statement, maxBytes, into).catch((error: unknown) => {
      const cause = this.#failed(raw, error);
      if (over instanceof StatementTimeout) over.isEnded = !this.#driver.isLost(error);
      throw over ?? cause;
    });
    const end = (why: 'late' | 'gone') => {
      // Create the error only here: creating one with its stack for each statement would cost more than sending the statement.
      over =
        why === 'late' ? new StatementTimeout(`the statement took longer than ${deadline} ms`, deadline) : gone?.reason;
      if (over instanceof StatementTimeout) this.#ending.set(Object(raw), over);
      return this.#cancelStatement(raw, over, answer);
    };
    const result = await (this.#driver.interruptible ? withTimeout(answer, deadline, end, gone) : answer);
    this.lastAnswerAt = performance.now();
    checkTypes(result.types, statement);
    return result;
  }

  /** Discards the session if this error leaves its state unknown. Returns the error to throw. */
  #failed(raw: unknown, error: unknown): unknown {
    const { interruptible } = this.#driver;
    const isLost = this.#driver.isLost(error);
    // A statement that the server merely refused leaves the session usable. After `TooLarge`, the cancel may reach the server late, and hit
    // the session's next statement.
    if (error instanceof TooLarge ? interruptible : isLost) this.#pool.discard(raw);
    const before = isLost || this.#driver.isCancelled(error) ? this.#ending.get(Object(raw)) : undefined;
    return before === undefined ? error : new StatementTimeout(before.message, before.milliseconds);
  }

  /** Cancels a statement that timed out, or whose client has left, if the server still responds. Always throws. */
  async #cancelStatement(raw: unknown, why: unknown, answer: Promise<Answer>): Promise<never> {
    this.#pool.discard(raw);
    const cancelling = this.#breaker.isAway ? Promise.reject() : this.#driver.cancel(raw);
    const isSilent = await cancelling
      .then(() => why instanceof StatementTimeout && this.#isUnanswered(raw, why, answer))
      .catch(() => true);
    this.#driver.destroy(raw);
    if (!isSilent) throw why;
    this.#breaker.suspect();
    throw why instanceof StatementTimeout ? this.#breaker.unavailable(why) : why;
  }

  /** Whether the server shows the session as idle although no answer has arrived: then the network has lost the statement or its answer. */
  async #isUnanswered(raw: unknown, late: StatementTimeout, answer: Promise<Answer>): Promise<boolean> {
    // The statement's result tells whether the cancel came in time. It mostly arrives at once.
    const hasArrived = answer.then(
      () => true,
      () => late.isEnded,
    );
    if (await Promise.race([hasArrived, sleep(graceMs, false, { ref: false })])) return false;
    // Behind a pooler, the cancel may miss the session. The statement may still run if our deadline was shorter than the server's.
    if (late.milliseconds < this.#statementTimeout || (await this.#driver.activity(raw)) === 'busy') return false;
    return !(await Promise.race([hasArrived, false]));
  }
}
