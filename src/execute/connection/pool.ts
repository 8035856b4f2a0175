import knex from 'knex';
import type { SessionUse } from '../../model/dialect/session.ts';
import { type Answer, plain } from '../../model/rows.ts';
import type { Breaker } from './breaker.ts';
import { withTimeout } from './deadline.ts';
import { ConnectTimeout, type Driver, PoolTimeout, type Usage } from './session.ts';

export interface PoolOptions {
  readonly name: string;
  readonly driver: Driver;
  readonly max: number;
  /** Milliseconds to wait for a free connection. */
  readonly acquireTimeout: number;
  /** Timeout of a statement in milliseconds. */
  readonly statementTimeout: number;
  /** Whether one connection stays open, however long it is idle. */
  readonly keepsOne?: boolean;
  /** Whether the sessions run transactions that write. */
  readonly writes?: boolean;
  /**
   * Prepares a new session before it is lent, for example by setting its statement timeout in milliseconds.
   * @param isShared finds out whether a pooler lends the same session to other programs
   */
  initSession(
    run: (text: string) => Promise<Answer>,
    setup: (text: string) => Promise<void>,
    use: SessionUse,
    isShared: () => Promise<boolean>,
  ): Promise<void>;
}

/** Milliseconds after which an idle connection is closed: less than MySQL's timeout for idle sessions, which we set for stalled writes. */
const idleTimeoutMs = 15_000;
/** Timeout of `initSession` in milliseconds. */
const initTimeoutMs = 5000;

/** Connections to one database, lent and returned. Nothing is connected before the first use. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #breaker: Breaker;
  readonly #knex: KnexClient;
  /** When each session was created. Discarding a session deletes it here, so that it is never lent again. */
  readonly #createdAt = new WeakMap<object, number>();

  constructor(options: PoolOptions, breaker: Breaker) {
    const { driver, max, acquireTimeout, keepsOne = driver.single } = options;
    this.#options = options;
    this.#breaker = breaker;
    const ignore = () => undefined;
    this.#knex = knex({
      ...driver.knex,
      // Without this, knex asks PostgreSQL for its version, and throws in a callback if it cannot read the answer.
      version: 'unknown',
      pool: {
        // Keep PGlite's only session: an in-memory database is gone when its session ends.
        min: keepsOne ? 1 : 0,
        max,
        idleTimeoutMillis: idleTimeoutMs,
        afterCreate: (raw: object, done: (error: unknown, raw: unknown) => void) => {
          this.#initSession(raw).then(
            () => done(null, raw),
            (error) => {
              // The pool forgets a session whose setup failed, but does not close it.
              driver.destroy(raw);
              done(error, raw);
            },
          );
        },
        // knex calls this before it lends a session, and destroys the session if it returns false.
        validate: (raw: object) => (this.#createdAt.get(raw) ?? Number.NEGATIVE_INFINITY) >= breaker.lastAwayAt,
      },
      acquireConnectionTimeout: acquireTimeout,
      log: { warn: ignore, error: ignore, debug: ignore, deprecate: ignore },
    }).client;
  }

  /** Throws `PoolTimeout` if no connection is free in time, or `DatabaseUnavailable` at once while the server does not respond. */
  async acquire(): Promise<unknown> {
    this.#breaker.throwIfAway();
    try {
      return await this.#knex.acquireConnection();
    } catch (error) {
      this.#breaker.suspect();
      throw this.#timeoutOf(error);
    }
  }

  release(raw: unknown): Promise<void> {
    return this.#knex.releaseConnection(raw);
  }

  /** Marks a session that must not be lent again, because it is lost or still runs a statement. The caller must also release it. */
  discard(raw: unknown): void {
    this.#createdAt.delete(Object(raw));
  }

  usage(): Usage {
    // After `close`, knex no longer has a pool.
    const { pool } = this.#knex;
    return {
      max: this.#options.max,
      used: pool?.numUsed() ?? 0,
      idle: pool?.numFree() ?? 0,
      waiting: pool?.numPendingAcquires() ?? 0,
    };
  }

  close(): Promise<void> {
    return this.#knex.destroy();
  }

  #initSession(raw: object): Promise<void> {
    const { name, driver, statementTimeout, writes = false } = this.#options;
    this.#createdAt.set(raw, performance.now());
    const run = (text: string) => driver.run(raw, plain(text), Number.MAX_SAFE_INTEGER);
    const setup = (text: string) => driver.setup(raw, text);
    const initialized = driver
      .identify(raw)
      .then(() => this.#options.initSession(run, setup, { statementTimeout, writes }, () => driver.leaksSettings(raw)));
    const late = () => Promise.reject(new ConnectTimeout(`${name} did not greet back`, initTimeoutMs));
    return withTimeout(initialized, driver.interruptible ? initTimeoutMs : null, late);
  }

  /** Turns knex's timeout error into ours; returns any other error unchanged. */
  #timeoutOf(error: unknown): unknown {
    if (!(error instanceof Error && error.name === 'KnexTimeoutError')) return error;
    const { name, acquireTimeout } = this.#options;
    const { used, max } = this.usage();
    // A closed pool has no room.
    const hasRoom = this.#knex.pool !== undefined && used < max;
    return hasRoom
      ? new ConnectTimeout(`no connection to ${name} within ${acquireTimeout} ms`, acquireTimeout, error)
      : new PoolTimeout(`no connection to ${name} was free`, { cause: error });
  }
}

/** The part of knex's client that we use. */
interface KnexClient {
  acquireConnection(): Promise<unknown>;
  releaseConnection(raw: unknown): Promise<void>;
  destroy(): Promise<void>;
  readonly pool?: { numUsed(): number; numFree(): number; numPendingAcquires(): number };
}
