import { setTimeout as sleep } from 'node:timers/promises';
import { BackgroundCounts } from '../background-counts.ts';
import { Downloads } from '../dump/downloads.ts';
import { openStreams, type Streams } from '../dump/streams.ts';
import { Turns } from '../turns.ts';
import { Breaker, type OutageListener } from './breaker.ts';
import type { CallSessions, Session, Sessions } from './call-sessions.ts';
import type { Spent } from './meter.ts';
import { OwnTransactions } from './own-transactions.ts';
import { Pool, type PoolOptions } from './pool.ts';
import { type MarkerSampler, markerSampler, sampleTimeoutMs } from './sampler.ts';
import type { Driver, Usage } from './session.ts';
import { StatementRunner } from './statement-runner.ts';

export interface DatabaseOptions extends PoolOptions {
  /** Dumps have their own connections: at most `max`, with this statement timeout in milliseconds. */
  readonly dumps: { readonly max: number; readonly timeout: number };
  /** Limits for calls that count records in groups: at most `max` run at once, each for at most `timeout` milliseconds. */
  readonly aggregates: { readonly max: number; readonly timeout: number };
  readonly replicas: readonly Database[];
}

/** Milliseconds in which a server should notice that we closed the connection. Until then it may still receive our last statement. */
const hangUpTimeoutMs = 5000;
/** Milliseconds between two checks whether a lost session has ended on the server. */
const checkIntervalMs = 200;
/** The longest interval between these checks, reached while the server does not respond. */
const maxCheckIntervalMs = 5000;

/** The connections to one database. Nothing is connected before the first use. */
export class Database implements Sessions {
  readonly name: string;
  readonly isRemote: boolean;
  /** Null if the engine has a single session, which a slow client must not hold. */
  readonly streams: Streams | null;
  readonly downloads: Downloads;
  readonly backgroundCounts = new BackgroundCounts();
  /** Limits the calls that count records in groups at the same time. */
  readonly aggregates: Turns;
  /** The gateway's own transactions, including those of its other processes. */
  readonly ownTransactions = new OwnTransactions();
  /** Reads commit markers on a separate session. Throws as `use` does, but sooner; `NoCommitMarker` if the server shows no marker. */
  readonly sampler: MarkerSampler;
  /** The read replicas of this database, in the order of the configuration. `close` closes them, too. */
  readonly replicas: readonly Database[];
  readonly #driver: Driver;
  readonly #breaker: Breaker;
  readonly #calls: Pool;
  readonly #dumps: Pool;
  readonly #markers: Pool;
  readonly #runner: StatementRunner;
  readonly #discarded = new WeakSet<object>();

  constructor(options: DatabaseOptions) {
    const { name, driver, max, acquireTimeout, statementTimeout, dumps, aggregates, replicas } = options;
    const breaker = new Breaker(name, () => driver.reach());
    this.name = name;
    this.isRemote = driver.interruptible;
    this.replicas = replicas;
    this.#driver = driver;
    this.#breaker = breaker;
    this.#calls = new Pool({ ...options, max: driver.single ? 1 : max, writes: true }, breaker);
    this.#dumps = new Pool({ ...options, max: dumps.max, statementTimeout: dumps.timeout }, breaker);
    this.#markers = new Pool(
      { ...options, max: 1, acquireTimeout: sampleTimeoutMs, statementTimeout: sampleTimeoutMs, keepsOne: true },
      breaker,
    );
    this.#runner = new StatementRunner(this.#calls, driver, breaker, statementTimeout);
    this.sampler = markerSampler(this.#markers, new StatementRunner(this.#markers, driver, breaker, statementTimeout));
    this.streams = openStreams(driver, this.#dumps);
    // If the driver cannot stream, downloads need no limit: they return the session after each page.
    this.downloads = new Downloads(driver.stream === null ? Number.POSITIVE_INFINITY : dumps.max, acquireTimeout);
    // Every running aggregate ends within `aggregates.timeout`, so a waiting one gets its turn by then.
    this.aggregates = new Turns(aggregates.max, Math.max(acquireTimeout, aggregates.timeout));
  }

  /** Whether the last probe had no response. */
  get isAway(): boolean {
    return this.#breaker.isAway;
  }

  /** Sets the callback for when the server stops or starts to respond; replaces an earlier callback. */
  watch(listener: OutageListener): void {
    this.#breaker.watch(listener);
  }

  /**
   * When the server last answered a statement of a call, on the monotonic clock in milliseconds. Other statements don't count: a cluster
   * node that is cut off still shows its commit marker, but refuses to read tables.
   */
  lastAnswerAt(): number {
    return this.#runner.lastAnswerAt;
  }

  usage(): { readonly calls: Usage; readonly dumps: Usage } {
    return { calls: this.#calls.usage(), dumps: this.#dumps.usage() };
  }

  use<T>(work: (session: Session) => Promise<T>, gone?: AbortSignal): Promise<T> {
    return this.#lend(work, { waited: 0, queried: 0 }, gone);
  }

  recordTransaction(transaction: string): void {
    this.ownTransactions.began(transaction);
  }

  /** The sessions for one call. Adds the time spent waiting for them, and running their statements, to `spent`. */
  metered(spent: Spent): CallSessions {
    const transactions: string[] = [];
    return {
      isRemote: this.isRemote,
      use: (work, gone) => this.#lend(work, spent, gone),
      transactions,
      recordTransaction: (transaction) => {
        transactions.push(transaction);
        this.recordTransaction(transaction);
      },
    };
  }

  async close(): Promise<void> {
    this.#breaker.close();
    const closing = [this.#calls, this.#dumps, this.#markers, ...this.replicas].map((one) => one.close());
    await Promise.all(closing);
  }

  async #lend<T>(work: (session: Session) => Promise<T>, spent: Spent, gone?: AbortSignal): Promise<T> {
    gone?.throwIfAborted();
    const askedAt = performance.now();
    let raw: unknown;
    try {
      raw = await this.#calls.acquire();
    } finally {
      // Count the wait even if we got no connection.
      spent.waited += performance.now() - askedAt;
    }
    try {
      return await work(this.#session(raw, spent, gone));
    } finally {
      await this.#calls.release(raw);
    }
  }

  #session(raw: unknown, spent: Spent, gone: AbortSignal | undefined): Session {
    return {
      run: async (statement, bounds = {}) => {
        const sentAt = performance.now();
        try {
          return await this.#runner.run(raw, statement, bounds, gone);
        } finally {
          spent.queried += performance.now() - sentAt;
        }
      },
      discard: () => this.#discard(raw),
      ended: () => this.#ended(raw),
    };
  }

  #discard(raw: unknown): void {
    if (!this.#driver.interruptible || this.#discarded.has(Object(raw))) return;
    this.#discarded.add(Object(raw));
    this.#calls.discard(raw);
    this.#driver.destroy(raw);
    void this.#endLost(raw);
  }

  /** Makes the server end a session. If a connection is lost without notice, its open transaction would keep its row locks. */
  async #endLost(raw: unknown): Promise<void> {
    await sleep(hangUpTimeoutMs, null, { ref: false });
    if (!this.isAway) await this.#driver.end(raw).catch(() => undefined);
  }

  /** Works even after `close`: a reload may close this database while the server still has the session. */
  async #ended(raw: unknown): Promise<void> {
    for (let wait = checkIntervalMs; ; ) {
      const activity = await this.#driver.activity(raw).catch(() => null);
      if (activity === 'ended') return;
      wait = activity === null ? Math.min(wait * 2, maxCheckIntervalMs) : checkIntervalMs;
      await sleep(wait, null, { ref: false });
    }
  }
}
