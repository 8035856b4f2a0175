import { setTimeout as sleep } from 'node:timers/promises';
import knex from 'knex';
import type { Answer, Statement } from '../rows.ts';
import {
  Busy,
  checkTypes,
  type Driver,
  discard,
  Overdue,
  type Pool,
  Retyped,
  TooLarge,
  type Usage,
} from './session.ts';
import { openStreams, type Streams } from './streams.ts';

export interface Session {
  /** Runs one statement; throws the driver's error, `Overdue` after `deadline` milliseconds, `TooLarge` above `maxBytes`. */
  run(statement: Statement, bounds?: { readonly deadline?: number; readonly maxBytes?: number }): Promise<Answer>;
  /** Ends the session: nobody knows in which state it is. */
  discard(): void;
  /** Resolves when the server no longer has the session: what it was about to do is done by then, or never will be. */
  ended(): Promise<void>;
}

export interface Database {
  readonly name: string;
  /** Lends a session for `work`. A session whose statement was cancelled, or that broke, is not lent again. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Null where the engine's only session must not be kept for as long as a client takes to read. */
  readonly streams: Streams | null;
  /** When its server last answered anything, refusals too, on the monotonic clock in milliseconds. */
  heard(): number;
  usage(): { readonly calls: Usage; readonly dumps: Usage };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly name: string;
  readonly driver: Driver;
  readonly max: number;
  /** Milliseconds to wait for a free connection. */
  readonly acquireTimeout: number;
  /** Milliseconds a statement may take. */
  readonly statementTimeout: number;
  /** Dumps have connections of their own: as many at a time, and as many milliseconds for each. */
  readonly dumps: { readonly max: number; readonly timeout: number };
  /** Tells a new session what it must know before it is lent, the milliseconds of its statements among it. */
  greet(
    run: (text: string) => Promise<Answer>,
    setup: (text: string) => Promise<void>,
    statementTimeout: number,
  ): Promise<void>;
}

/** The server's own limit comes first; ours is for statements that it does not limit. */
const grace = 300;
/** How often a server is asked whether a lost session has ended, in milliseconds. */
const lookAgain = 200;
/** And where the server cannot be asked: it may be away for long. */
const lookAgainAtMost = 5000;
const unbounded = Number.MAX_SAFE_INTEGER;

/** The connections to one database. Nothing is connected before the first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const { name, driver, max, statementTimeout, dumps } = options;
  const calls = openPool(options, driver.single ? 1 : max, statementTimeout);
  const kept = openPool(options, dumps.max, dumps.timeout);
  let heard = Number.NEGATIVE_INFINITY;
  return {
    heard: () => heard,
    usage: () => ({ calls: calls.usage(), dumps: kept.usage() }),
    name,
    streams: openStreams(driver, kept),
    async use(work) {
      const raw = await calls.acquire();
      try {
        return await work({
          discard() {
            if (!driver.interruptible) return;
            discard(raw);
            driver.destroy(raw);
          },
          // Also when these connections are closed: a reload may drop them, and the session lives on.
          ended: async () => {
            for (let wait = lookAgain; ; ) {
              const hasEnded = await driver.hasEnded(raw).catch(() => null);
              if (hasEnded === true) return;
              wait = hasEnded === null ? Math.min(wait * 2, lookAgainAtMost) : lookAgain;
              await sleep(wait, null, { ref: false });
            }
          },
          run: (statement, { deadline = statementTimeout + grace, maxBytes = unbounded } = {}) =>
            within(
              driver.interruptible ? deadline : null,
              driver.run(raw, statement, maxBytes).then((answer) => {
                heard = performance.now();
                checkTypes(answer.types, statement);
                return answer;
              }),
              async () => {
                discard(raw);
                await driver.cancel(raw);
              },
            ).catch((error: unknown) => {
              // A session in an unknown state is never lent again; a statement the server refused leaves it sound.
              if (error instanceof Overdue) driver.destroy(raw);
              else if (error instanceof TooLarge) {
                // The cancellation may come late, and would then end whatever is running next.
                if (driver.interruptible) discard(raw);
              } else if (!(error instanceof Retyped) && driver.isLost(error)) discard(raw);
              else heard = performance.now();
              throw error;
            }),
        });
      } finally {
        await calls.release(raw);
      }
    },
    async close() {
      await Promise.all([calls.close(), kept.close()]);
    },
  };
}

function openPool(
  { name, driver, acquireTimeout, greet }: DatabaseOptions,
  max: number,
  statementTimeout: number,
): Pool {
  const quiet = () => undefined;
  const pool = knex({
    ...driver.knex,
    pool: {
      // What idles is closed after half a minute, but an engine's only session is kept: what lives in memory ends with it.
      min: driver.single ? 1 : 0,
      max,
      afterCreate(raw: unknown, done: (error: unknown, raw: unknown) => void) {
        const run = (text: string) => driver.run(raw, { text, values: [] }, unbounded);
        greet(run, (text) => driver.setup(raw, text), statementTimeout).then(
          () => done(null, raw),
          (error) => done(error, raw),
        );
      },
    },
    acquireConnectionTimeout: acquireTimeout,
    log: { warn: quiet, error: quiet, debug: quiet, deprecate: quiet },
  }).client;
  return {
    acquire: () =>
      pool.acquireConnection().catch((error: unknown) => {
        throw error instanceof Error && error.name === 'KnexTimeoutError'
          ? new Busy(`no connection to ${name} was free`, { cause: error })
          : error;
      }),
    release: (raw) => pool.releaseConnection(raw),
    usage() {
      // knex forgets its pool when it is closed.
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

/** What knex's pool counts. */
interface Lent {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Waits for `work`, cancels it when it takes too long, and then does not wait for ever either. */
async function within<T>(milliseconds: number | null, work: Promise<T>, cancel: () => Promise<void>): Promise<T> {
  if (milliseconds === null) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const give = () => reject(new Overdue(`the statement took longer than ${milliseconds} ms`));
      cancel().then(give, give);
    }, milliseconds);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
