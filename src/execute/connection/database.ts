import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Statement } from '../../model/rows.ts';
import { BackgroundCounts } from '../background-counts.ts';
import { Downloads } from '../dump/downloads.ts';
import { openStreams, type Streams } from '../dump/streams.ts';
import { Turns } from '../turns.ts';
import { Breaker, DatabaseUnavailable, type OutageListener } from './breaker.ts';
import type { CallSessions, RunBounds, Session, Sessions } from './call-sessions.ts';
import { within } from './deadline.ts';
import { type Spent, unspent } from './meter.ts';
import { OwnTransactions } from './own-transactions.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { type Sampler, sampler } from './sampler.ts';
import { checkTypes, type Pool, StatementTimeout, TooLarge, type Usage } from './session.ts';

export interface Database extends Sessions {
  readonly name: string;
  /** The same sessions; the time spent waiting for them and in their statements is added to `spent`. */
  metered(spent: Spent): CallSessions;
  /** Null where the engine has a single session, which must not be held while a client reads. */
  readonly streams: Streams | null;
  readonly downloads: Downloads;
  readonly backgroundCounts: BackgroundCounts;
  /** The turns of calls that count records in groups. */
  readonly aggregates: Turns;
  /** When its server last ran a statement of a call, on the monotonic clock in milliseconds. */
  heard(): number;
  /** The transactions of this gateway, those of its other processes too. */
  readonly own: OwnTransactions;
  /** Asks for tokens, over a session that does nothing else. Throws as `use` does, soon, and where there is no token. */
  readonly sampler: Sampler;
  usage(): { readonly calls: Usage; readonly dumps: Usage };
  /** Its read replicas, in the order of the configuration. They are closed with it. */
  readonly replicas: readonly Database[];
  /** Whether the last probe had no response. */
  readonly isAway: boolean;
  /** Sets the callback for the server going away and coming back; replaces an earlier callback. */
  watch(listener: OutageListener): void;
  close(): Promise<void>;
}

export interface DatabaseOptions extends PoolOptions {
  /** Dumps have their own connections: their number, and the milliseconds that each may take. */
  readonly dumps: { readonly max: number; readonly timeout: number };
  /** Calls that count records in groups: how many may run at once, and the milliseconds that each may take. */
  readonly aggregates: { readonly max: number; readonly timeout: number };
  readonly replicas: readonly Database[];
}

/** The server's own limit fires first; ours is for statements that it does not limit. */
const grace = 300;
/** Milliseconds that a token may take, and that a connection for it may. */
const sampleTimeout = 1000;
/** Milliseconds after which a server that still has the session has not heard that we hung up. A last statement may arrive until then. */
const hangUpTimeout = 5000;
/** Milliseconds between two checks whether a lost session has ended on the server. */
const lookAgain = 200;
/** The longest pause between checks while the server does not respond: it may be away for long. */
const lookAgainAtMost = 5000;
const unbounded = Number.MAX_SAFE_INTEGER;

/** The connections to one database. Nothing is connected before the first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const { name, driver, max, acquireTimeout, statementTimeout, dumps, aggregates, replicas } = options;
  let listener: OutageListener = () => undefined;
  let goodSince = 0;
  const breaker = new Breaker(driver.reach, (news) => {
    // A server that went away silently has left dead sessions, which would hang until they time out.
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
  const kept = guarded(openPool({ ...options, max: dumps.max, statementTimeout: dumps.timeout }, () => goodSince));
  const tokens = guarded(
    openPool(
      { ...options, max: 1, acquireTimeout: sampleTimeout, statementTimeout: sampleTimeout, keepsOne: true },
      () => goodSince,
    ),
  );

  /** Cancels a statement whose client has left or whose time is over, if the server still responds. */
  async function cancelled(pool: Pool, raw: unknown, why: unknown, answer: Promise<Answer>): Promise<never> {
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

  /** Whether the session does nothing any more, and its answer has not come: the network has lost it, or the statement. */
  async function isUnanswered(raw: unknown, late: StatementTimeout, answer: Promise<Answer>): Promise<boolean> {
    // The statement's own result shows at once whether a write was cancelled or had finished.
    const hasCome = answer.then(
      () => true,
      () => late.isEnded,
    );
    if (await Promise.race([hasCome, sleep(grace, false, { ref: false })])) return false;
    // Behind a pooler, whose sessions have other numbers, a statement may still run after less than that.
    if (late.milliseconds < statementTimeout || (await driver.activity(raw)) === 'busy') return false;
    return !(await Promise.race([hasCome, false]));
  }

  /** Sessions that are being ended, by the statement that was late. Its answer may come before they are. */
  const ending = new WeakMap<object, StatementTimeout>();
  const discarded = new WeakSet<object>();
  /** Ends a session that the server still has: where the line is lost, it would keep the row locks of an open transaction. */
  async function endLost(raw: unknown): Promise<void> {
    await sleep(hangUpTimeout, null, { ref: false });
    if (!breaker.isAway) await driver.end(raw).catch(() => undefined);
  }
  let heard = Number.NEGATIVE_INFINITY;
  const own = new OwnTransactions();

  async function run(
    pool: Pool,
    raw: unknown,
    statement: Statement,
    { deadline = statementTimeout + grace, maxBytes = unbounded, into }: RunBounds,
    gone: AbortSignal | undefined,
  ): Promise<Answer> {
    gone?.throwIfAborted();
    let over: unknown = null;
    const answer = driver.run(raw, statement, maxBytes, into).catch((error: unknown) => {
      const isLost = driver.isLost(error);
      // A session in an unknown state is never lent again; a statement that the server refused leaves it usable.
      if (error instanceof TooLarge) {
        // The cancellation may arrive late and would then end the next statement.
        if (driver.interruptible) pool.discard(raw);
      } else if (isLost) pool.discard(raw);
      if (over instanceof StatementTimeout) over.isEnded = !isLost;
      const before = isLost || driver.isCancelled(error) ? ending.get(Object(raw)) : undefined;
      throw over ?? (before === undefined ? error : new StatementTimeout(before.message, before.milliseconds));
    });
    const end = (why: 'late' | 'gone') => {
      // Constructed only when thrown: an error per statement, with its stack, costs more than sending the statement.
      over =
        why === 'late' ? new StatementTimeout(`the statement took longer than ${deadline} ms`, deadline) : gone?.reason;
      if (over instanceof StatementTimeout) ending.set(Object(raw), over);
      return cancelled(pool, raw, over, answer);
    };
    const whole = await (driver.interruptible ? within(answer, deadline, end, gone) : answer);
    // A node that is cut off from its cluster still says its status.
    if (pool === calls) heard = performance.now();
    checkTypes(whole.types, statement);
    return whole;
  }

  const session = (raw: unknown, spent: Spent, gone: AbortSignal | undefined): Session => ({
    discard() {
      if (!driver.interruptible || discarded.has(Object(raw))) return;
      discarded.add(Object(raw));
      calls.discard(raw);
      driver.destroy(raw);
      void endLost(raw);
    },
    // Works when these connections are closed, too: a reload may drop them while the session lives on.
    async ended() {
      for (let wait = lookAgain; ; ) {
        const activity = await driver.activity(raw).catch(() => null);
        if (activity === 'ended') return;
        wait = activity === null ? Math.min(wait * 2, lookAgainAtMost) : lookAgain;
        await sleep(wait, null, { ref: false });
      }
    },
    async run(statement, bounds = {}) {
      const sent = performance.now();
      try {
        return await run(calls, raw, statement, bounds, gone);
      } finally {
        spent.queried += performance.now() - sent;
      }
    },
  });

  async function lend<T>(work: (session: Session) => Promise<T>, spent: Spent, gone?: AbortSignal): Promise<T> {
    gone?.throwIfAborted();
    const asked = performance.now();
    let raw: unknown;
    try {
      raw = await calls.acquire();
    } finally {
      // Where no connection was free, the wait is the whole cost.
      spent.waited += performance.now() - asked;
    }
    try {
      return await work(session(raw, spent, gone));
    } finally {
      await calls.release(raw);
    }
  }

  return {
    heard: () => heard,
    sampler: sampler(tokens, (raw, statement) => run(tokens, raw, statement, { deadline: sampleTimeout }, undefined)),
    usage: () => ({ calls: calls.usage(), dumps: kept.usage() }),
    name,
    replicas,
    backgroundCounts: new BackgroundCounts(),
    // One that waits gets the place of one that runs.
    aggregates: new Turns(aggregates.max, Math.max(acquireTimeout, aggregates.timeout)),
    isRemote: driver.interruptible,
    streams: openStreams(driver, kept),
    // Without streams a download returns its session after each page and holds none.
    downloads: new Downloads(driver.stream === null ? Number.POSITIVE_INFINITY : dumps.max, acquireTimeout),
    get isAway() {
      return breaker.isAway;
    },
    watch(next) {
      listener = next;
    },
    own,
    use: (work, gone) => lend(work, unspent(), gone),
    began: (transaction) => own.began(transaction),
    metered(spent) {
      const transactions: string[] = [];
      return {
        isRemote: driver.interruptible,
        use: (work, gone) => lend(work, spent, gone),
        transactions,
        began(transaction) {
          transactions.push(transaction);
          own.began(transaction);
        },
      };
    },
    async close() {
      breaker.close();
      await Promise.all([calls.close(), kept.close(), tokens.close(), ...replicas.map((one) => one.close())]);
    },
  };
}
