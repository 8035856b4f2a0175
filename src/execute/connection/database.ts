import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Statement } from '../../model/rows.ts';
import { BackgroundCounts } from '../background-counts.ts';
import { Downloads } from '../dump/downloads.ts';
import { openStreams, type Streams } from '../dump/streams.ts';
import { Turns } from '../turns.ts';
import { Breaker, DatabaseUnavailable, type OutageListener } from './breaker.ts';
import type { CallSessions, RunBounds, Session, Sessions } from './call-sessions.ts';
import { withTimeout } from './deadline.ts';
import { type Spent, unspent } from './meter.ts';
import { OwnTransactions } from './own-transactions.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { type MarkerSampler, markerSampler } from './sampler.ts';
import { checkTypes, type Pool, StatementTimeout, TooLarge, type Usage } from './session.ts';

export interface Database extends Sessions {
  readonly name: string;
  /** The sessions for one call; adds to `spent` the time waited for them, and the time of their statements. */
  metered(spent: Spent): CallSessions;
  /** Null if the engine has a single session, which a slow client must not hold. */
  readonly streams: Streams | null;
  readonly downloads: Downloads;
  readonly backgroundCounts: BackgroundCounts;
  /** Limits the calls that count records in groups at the same time. */
  readonly aggregates: Turns;
  /** When the server last answered a statement of a call, on the monotonic clock in milliseconds. */
  lastAnswerAt(): number;
  /** The transactions of this gateway, including those of its other processes. */
  readonly ownTransactions: OwnTransactions;
  /** Reads commit markers on a separate session. Throws as `use` does, but sooner; `NoToken` if the server shows no marker. */
  readonly sampler: MarkerSampler;
  usage(): { readonly calls: Usage; readonly dumps: Usage };
  /** The read replicas of this database, in the order of the configuration. `close` closes them, too. */
  readonly replicas: readonly Database[];
  /** Whether the last probe had no response. */
  readonly isAway: boolean;
  /** Sets the callback for when the server stops or starts to respond; replaces an earlier callback. */
  watch(listener: OutageListener): void;
  close(): Promise<void>;
}

export interface DatabaseOptions extends PoolOptions {
  /** Dumps have their own connections: at most `max`, with a statement timeout in milliseconds. */
  readonly dumps: { readonly max: number; readonly timeout: number };
  /** Calls that count records in groups: at most `max` at once, each for at most `timeout` milliseconds. */
  readonly aggregates: { readonly max: number; readonly timeout: number };
  readonly replicas: readonly Database[];
}

/** Milliseconds by which our timeout exceeds the server's. We need our own, because the server does not limit all statements. */
const graceMs = 300;
/** Timeout in milliseconds for reading a commit marker, and for the connection that it needs. */
const sampleTimeoutMs = 1000;
/** Milliseconds that a server has to notice that we closed the connection; meanwhile it may still receive our last statement. */
const hangUpTimeoutMs = 5000;
/** Milliseconds between two checks whether a lost session has ended on the server. */
const checkIntervalMs = 200;
/** The longest interval between these checks, reached while the server does not respond. */
const maxCheckIntervalMs = 5000;
const unbounded = Number.MAX_SAFE_INTEGER;

/** The connections to one database. Nothing is connected before the first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const { name, driver, max, acquireTimeout, statementTimeout, dumps, aggregates, replicas } = options;
  let listener: OutageListener = () => undefined;
  let goodSince = 0;
  const breaker = new Breaker(driver.reach, (news) => {
    // If a server vanishes without closing its sessions, they are dead: a statement on one would hang until its timeout.
    if (news.is === 'away') goodSince = performance.now();
    listener(news);
  });
  const guarded = (pool: Pool): Pool => ({
    ...pool,
    async acquire() {
      if (breaker.isAway) throw new DatabaseUnavailable(`${name} does not answer`, { cause: breaker.cause });
      try {
        return await pool.acquire();
      } catch (error) {
        breaker.suspect();
        throw error;
      }
    },
  });
  const calls = guarded(openPool({ ...options, max: driver.single ? 1 : max, writes: true }, () => goodSince));
  const dumpSessions = guarded(
    openPool({ ...options, max: dumps.max, statementTimeout: dumps.timeout }, () => goodSince),
  );
  const markers = guarded(
    openPool(
      { ...options, max: 1, acquireTimeout: sampleTimeoutMs, statementTimeout: sampleTimeoutMs, keepsOne: true },
      () => goodSince,
    ),
  );

  /** Cancels a statement that timed out, or whose client has left, if the server still responds. Always throws. */
  async function cancelStatement(pool: Pool, raw: unknown, why: unknown, answer: Promise<Answer>): Promise<never> {
    pool.discard(raw);
    const cancelling = breaker.isAway ? Promise.reject() : driver.cancel(raw);
    const isSilent = await cancelling
      .then(() => why instanceof StatementTimeout && isUnanswered(raw, why, answer))
      .catch(() => true);
    driver.destroy(raw);
    if (!isSilent) throw why;
    breaker.suspect();
    throw why instanceof StatementTimeout ? new DatabaseUnavailable(`${name} does not answer`, { cause: why }) : why;
  }

  /** Whether the session is idle on the server although no answer has arrived: then the network has lost the statement or its answer. */
  async function isUnanswered(raw: unknown, late: StatementTimeout, answer: Promise<Answer>): Promise<boolean> {
    // The statement's result tells whether the cancel came in time. It mostly arrives at once.
    const hasArrived = answer.then(
      () => true,
      () => late.isEnded,
    );
    if (await Promise.race([hasArrived, sleep(graceMs, false, { ref: false })])) return false;
    // Behind a pooler, the cancel can miss the session. If our deadline was shorter than the server's, the statement may still run.
    if (late.milliseconds < statementTimeout || (await driver.activity(raw)) === 'busy') return false;
    return !(await Promise.race([hasArrived, false]));
  }

  /** Sessions that are being ended, each with the timeout that caused it: if the cancel hits the next statement, it throws this. */
  const ending = new WeakMap<object, StatementTimeout>();
  const discarded = new WeakSet<object>();
  /** Ends a session on the server: if the connection is lost without notice, its open transaction would keep its row locks. */
  async function endLost(raw: unknown): Promise<void> {
    await sleep(hangUpTimeoutMs, null, { ref: false });
    if (!breaker.isAway) await driver.end(raw).catch(() => undefined);
  }
  let lastAnswerAt = Number.NEGATIVE_INFINITY;
  const own = new OwnTransactions();

  async function run(
    pool: Pool,
    raw: unknown,
    statement: Statement,
    { deadline = statementTimeout + graceMs, maxBytes = unbounded, into }: RunBounds,
    gone: AbortSignal | undefined,
  ): Promise<Answer> {
    gone?.throwIfAborted();
    let over: unknown = null;
    const answer = driver.run(raw, statement, maxBytes, into).catch((error: unknown) => {
      const isLost = driver.isLost(error);
      // Never lend a session in an unknown state again. If the server merely refused the statement, the session stays usable.
      if (error instanceof TooLarge) {
        // The cancel may reach the server late, and would then hit the next statement of the session.
        if (driver.interruptible) pool.discard(raw);
      } else if (isLost) pool.discard(raw);
      if (over instanceof StatementTimeout) over.isEnded = !isLost;
      const before = isLost || driver.isCancelled(error) ? ending.get(Object(raw)) : undefined;
      throw over ?? (before === undefined ? error : new StatementTimeout(before.message, before.milliseconds));
    });
    const end = (why: 'late' | 'gone') => {
      // Create the error only here: creating one with its stack for each statement would cost more than sending the statement.
      over =
        why === 'late' ? new StatementTimeout(`the statement took longer than ${deadline} ms`, deadline) : gone?.reason;
      if (over instanceof StatementTimeout) ending.set(Object(raw), over);
      return cancelStatement(pool, raw, over, answer);
    };
    const result = await (driver.interruptible ? withTimeout(answer, deadline, end, gone) : answer);
    // Only statements of calls count: a cluster node that is cut off still shows its commit marker, but refuses to read tables.
    if (pool === calls) lastAnswerAt = performance.now();
    checkTypes(result.types, statement);
    return result;
  }

  const session = (raw: unknown, spent: Spent, gone: AbortSignal | undefined): Session => ({
    discard() {
      if (!driver.interruptible || discarded.has(Object(raw))) return;
      discarded.add(Object(raw));
      calls.discard(raw);
      driver.destroy(raw);
      void endLost(raw);
    },
    // This must also work after `close`: a reload may close this database while the server still has the session.
    async ended() {
      for (let wait = checkIntervalMs; ; ) {
        const activity = await driver.activity(raw).catch(() => null);
        if (activity === 'ended') return;
        wait = activity === null ? Math.min(wait * 2, maxCheckIntervalMs) : checkIntervalMs;
        await sleep(wait, null, { ref: false });
      }
    },
    async run(statement, bounds = {}) {
      const sentAt = performance.now();
      try {
        return await run(calls, raw, statement, bounds, gone);
      } finally {
        spent.queried += performance.now() - sentAt;
      }
    },
  });

  async function lend<T>(work: (session: Session) => Promise<T>, spent: Spent, gone?: AbortSignal): Promise<T> {
    gone?.throwIfAborted();
    const askedAt = performance.now();
    let raw: unknown;
    try {
      raw = await calls.acquire();
    } finally {
      // Count the wait even if no connection was free.
      spent.waited += performance.now() - askedAt;
    }
    try {
      return await work(session(raw, spent, gone));
    } finally {
      await calls.release(raw);
    }
  }

  return {
    lastAnswerAt: () => lastAnswerAt,
    sampler: markerSampler(markers, (raw, statement) =>
      run(markers, raw, statement, { deadline: sampleTimeoutMs }, undefined),
    ),
    usage: () => ({ calls: calls.usage(), dumps: dumpSessions.usage() }),
    name,
    replicas,
    backgroundCounts: new BackgroundCounts(),
    // Every running aggregate ends within `aggregates.timeout`, so a waiting one gets its turn by then.
    aggregates: new Turns(aggregates.max, Math.max(acquireTimeout, aggregates.timeout)),
    isRemote: driver.interruptible,
    streams: openStreams(driver, dumpSessions),
    // If the driver cannot stream, downloads need no limit: they return the session after each page.
    downloads: new Downloads(driver.stream === null ? Number.POSITIVE_INFINITY : dumps.max, acquireTimeout),
    get isAway() {
      return breaker.isAway;
    },
    watch(next) {
      listener = next;
    },
    ownTransactions: own,
    use: (work, gone) => lend(work, unspent(), gone),
    recordTransaction: (transaction) => own.began(transaction),
    metered(spent) {
      const transactions: string[] = [];
      return {
        isRemote: driver.interruptible,
        use: (work, gone) => lend(work, spent, gone),
        transactions,
        recordTransaction(transaction) {
          transactions.push(transaction);
          own.began(transaction);
        },
      };
    },
    async close() {
      breaker.close();
      await Promise.all([calls.close(), dumpSessions.close(), markers.close(), ...replicas.map((one) => one.close())]);
    },
  };
}
