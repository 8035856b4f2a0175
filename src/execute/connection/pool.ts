import knex from 'knex';
import type { SessionUse } from '../../model/dialect.ts';
import { type Answer, plain } from '../../model/rows.ts';
import { within } from './deadline.ts';
import { ConnectTimeout, type Driver, type Pool, PoolTimeout } from './session.ts';

export interface PoolOptions {
  readonly name: string;
  readonly driver: Driver;
  readonly max: number;
  /** Milliseconds to wait for a free connection. */
  readonly acquireTimeout: number;
  /** Milliseconds a statement may take. */
  readonly statementTimeout: number;
  /** Whether one connection stays open however long it is idle. */
  readonly keepsOne?: boolean;
  /** Whether its sessions run transactions that write. */
  readonly writes?: boolean;
  /**
   * Prepares a new session before it is lent, for example with its statement timeout in milliseconds.
   * @param isShared whether a pooler gives the session to other programs, too
   */
  initSession(
    run: (text: string) => Promise<Answer>,
    setup: (text: string) => Promise<void>,
    use: SessionUse,
    isShared: () => Promise<boolean>,
  ): Promise<void>;
}

/** Milliseconds after which an idle connection is closed: before MySQL ends the session of a write that falls silent. */
const idleTimeout = 15_000;
/** Milliseconds a server may take for `initSession`. */
const greeting = 5000;

/**
 * Connections to one database. Nothing is connected before the first use.
 * @param since returns the time, by `performance.now()`, from which on sessions are good: older ones are not lent again
 */
export function openPool(options: PoolOptions, since: () => number): Pool {
  const { name, driver, max, acquireTimeout, statementTimeout, initSession } = options;
  const { keepsOne = driver.single, writes = false } = options;
  /** When each lendable session was created. */
  const born = new WeakMap<object, number>();
  const quiet = () => undefined;
  const run = (raw: unknown) => (text: string) => driver.run(raw, plain(text), Number.MAX_SAFE_INTEGER);
  const pool = knex({
    ...driver.knex,
    // Where it is not given, knex asks PostgreSQL for it, and throws in a callback if there is none in the answer.
    version: 'unknown',
    pool: {
      // An engine's only session is kept: an in-memory database ends with it.
      min: keepsOne ? 1 : 0,
      max,
      idleTimeoutMillis: idleTimeout,
      afterCreate(raw: object, done: (error: unknown, raw: unknown) => void) {
        born.set(raw, performance.now());
        const isShared = () => driver.leaksSettings(raw);
        const setup = (text: string) => driver.setup(raw, text);
        const greeted = driver
          .identify(raw)
          .then(() => initSession(run(raw), setup, { statementTimeout, writes }, isShared));
        const late = () => Promise.reject(new ConnectTimeout(`${name} did not greet back`, greeting));
        within(greeted, driver.interruptible ? greeting : null, late).then(
          () => done(null, raw),
          (error) => {
            // The pool forgets a session whose creation failed, and leaves it open.
            driver.destroy(raw);
            done(error, raw);
          },
        );
      },
      // Called before a session is lent; returns false to have it destroyed instead.
      validate: (raw: object) => (born.get(raw) ?? Number.NEGATIVE_INFINITY) >= since(),
    },
    acquireConnectionTimeout: acquireTimeout,
    log: { warn: quiet, error: quiet, debug: quiet, deprecate: quiet },
  }).client;
  return {
    acquire: () =>
      pool.acquireConnection().catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'KnexTimeoutError')) throw error;
        const lent: Lent | undefined = pool.pool;
        const hasRoom = lent !== undefined && lent.numUsed() < max;
        throw hasRoom
          ? new ConnectTimeout(`no connection to ${name} within ${acquireTimeout} ms`, acquireTimeout, error)
          : new PoolTimeout(`no connection to ${name} was free`, { cause: error });
      }),
    release: (raw) => pool.releaseConnection(raw),
    discard(raw) {
      if (typeof raw === 'object' && raw !== null) born.delete(raw);
    },
    usage() {
      // knex drops its pool when it is closed.
      const lent: Lent | undefined = pool.pool;
      return {
        max,
        used: lent?.numUsed() ?? 0,
        idle: lent?.numFree() ?? 0,
        waiting: lent?.numPendingAcquires() ?? 0,
      };
    },
    close: () => pool.destroy(),
  };
}

/** The counters of knex's pool. */
interface Lent {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}
