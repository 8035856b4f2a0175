import knex from 'knex';
import type { SessionUse } from '../../model/dialect/session.ts';
import { type Answer, plain } from '../../model/rows.ts';
import { withTimeout } from './deadline.ts';
import { ConnectTimeout, type Driver, type Pool, PoolTimeout } from './session.ts';

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
   * Prepares a new session before it is lent, for example with its statement timeout in milliseconds.
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

/**
 * Connections to one database. Nothing is connected before the first use.
 * @param since returns a time, by `performance.now()`: sessions that are older are not lent again
 */
export function openPool(options: PoolOptions, since: () => number): Pool {
  const { name, driver, max, acquireTimeout, statementTimeout, initSession } = options;
  const { keepsOne = driver.single, writes = false } = options;
  /** When each session was created; a discarded session is deleted here, and so never lent again. */
  const createdAt = new WeakMap<object, number>();
  const ignore = () => undefined;
  const run = (raw: unknown) => (text: string) => driver.run(raw, plain(text), Number.MAX_SAFE_INTEGER);
  const pool = knex({
    ...driver.knex,
    // Without this, knex asks PostgreSQL for its version, and throws in a callback if it cannot read the answer.
    version: 'unknown',
    pool: {
      // Keep the only session of PGlite: an in-memory database ends with its session.
      min: keepsOne ? 1 : 0,
      max,
      idleTimeoutMillis: idleTimeoutMs,
      afterCreate(raw: object, done: (error: unknown, raw: unknown) => void) {
        createdAt.set(raw, performance.now());
        const isShared = () => driver.leaksSettings(raw);
        const setup = (text: string) => driver.setup(raw, text);
        const initialized = driver
          .identify(raw)
          .then(() => initSession(run(raw), setup, { statementTimeout, writes }, isShared));
        const late = () => Promise.reject(new ConnectTimeout(`${name} did not greet back`, initTimeoutMs));
        withTimeout(initialized, driver.interruptible ? initTimeoutMs : null, late).then(
          () => done(null, raw),
          (error) => {
            // The pool drops a session that failed here without closing it.
            driver.destroy(raw);
            done(error, raw);
          },
        );
      },
      // knex calls this before it lends a session, and destroys the session if it returns false.
      validate: (raw: object) => (createdAt.get(raw) ?? Number.NEGATIVE_INFINITY) >= since(),
    },
    acquireConnectionTimeout: acquireTimeout,
    log: { warn: ignore, error: ignore, debug: ignore, deprecate: ignore },
  }).client;
  return {
    acquire: () =>
      pool.acquireConnection().catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'KnexTimeoutError')) throw error;
        const counters: PoolCounters | undefined = pool.pool;
        const hasRoom = counters !== undefined && counters.numUsed() < max;
        throw hasRoom
          ? new ConnectTimeout(`no connection to ${name} within ${acquireTimeout} ms`, acquireTimeout, error)
          : new PoolTimeout(`no connection to ${name} was free`, { cause: error });
      }),
    release: (raw) => pool.releaseConnection(raw),
    discard(raw) {
      if (typeof raw === 'object' && raw !== null) createdAt.delete(raw);
    },
    usage() {
      // After `close`, knex has no pool any more.
      const counters: PoolCounters | undefined = pool.pool;
      return {
        max,
        used: counters?.numUsed() ?? 0,
        idle: counters?.numFree() ?? 0,
        waiting: counters?.numPendingAcquires() ?? 0,
      };
    },
    close: () => pool.destroy(),
  };
}

/** The counters of knex's pool. */
interface PoolCounters {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}
