import type { LogListener, LogQuestion, LogStream } from '../../model/feed.ts';
import { Backoff } from '../../values/backoff.ts';
import type { ChangedTables } from './names.ts';
import { LogWindow } from './window.ts';

export interface LogReaderOptions {
  open(listener: LogListener): Promise<LogStream>;
  opened(): void;
  /** Called when the log could not be opened, or its stream has ended. */
  lost(cause: unknown): void;
  /** Called when we pause reading the log, because the server has too many commits per second. */
  tooBusy(commits: number): void;
  /** The commits per second above which we pause reading the log; null: no limit. */
  readonly maxCommitsPerSecond: number | null;
}

/** Milliseconds that a query for changed tables waits for the log. Usually it need not wait: a commit is logged before it is visible. */
const answerTimeoutMs = 50;
/** While such a query waits, milliseconds between two checks of how far the stream has come. */
const askIntervalMs = 5;
/** Milliseconds over which commits are counted. */
const countingMs = 5000;
/** Milliseconds for which we pause reading a log with too many commits: sending each one costs the server 0.05 ms. */
const busyPauseMs = 60_000;

/** Reads one server's log. The first query opens it; the owner closes it when no query has come for a while. */
export class LogReader {
  readonly #options: LogReaderOptions;
  #open: { readonly stream: LogStream; readonly window: LogWindow } | null = null;
  #isOpening = false;
  #isClosed = false;
  /** The pause between two attempts to open the log. */
  readonly #backoff = new Backoff(1000, 60_000);
  #openAgainAt = Number.NEGATIVE_INFINITY;
  /** Functions that wake waiting queries; called when the stream has delivered more transactions. */
  #waiting: (() => void)[] = [];
  #counted = { commits: 0, since: 0 };
  /** When the last query came, by `performance.now()`. */
  askedAt = performance.now();

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  /** Finds the tables that the question's transactions changed. Never waits for the log to open: until then it resolves to `closed`. */
  async tablesOf(question: LogQuestion): Promise<ChangedTables> {
    this.askedAt = performance.now();
    if (this.#open === null) this.#begin();
    const until = this.askedAt + answerTimeoutMs;
    for (;;) {
      if (this.#open === null) return 'closed';
      const answer = this.#open.window.answer(question);
      if (answer !== 'late') return answer ?? 'anything';
      if (performance.now() >= until) return 'anything';
      this.#open.stream.ask();
      await this.#nextDelivery();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  async #begin(): Promise<void> {
    if (this.#isOpening || this.#isClosed || performance.now() < this.#openAgainAt) return;
    this.#isOpening = true;
    // The stream may deliver transactions, and even end, before `open` returns it.
    const early: ((window: LogWindow) => void)[] = [];
    let isOver = false;
    const deliver = (to: (window: LogWindow) => void) => {
      if (this.#open === null) early.push(to);
      else to(this.#open.window);
    };
    const lost = (cause: unknown) => {
      isOver = true;
      this.#end();
      this.#openAgainAt = performance.now() + this.#backoff.next();
      this.#options.lost(cause);
    };
    try {
      const stream = await this.#options.open({
        committed: (transaction) => {
          this.#counted.commits++;
          deliver((window) => window.add(transaction));
        },
        reached: (position) => {
          deliver((window) => window.reached(position));
          this.#closeWhenBusy();
          this.#wake();
        },
        ended: lost,
      });
      if (isOver) return;
      if (this.#isClosed) return stream.close();
      const window = new LogWindow(stream.start);
      for (const to of early) to(window);
      this.#open = { stream, window };
      this.#backoff.reset();
      this.#counted = { commits: 0, since: performance.now() };
      this.#options.opened();
    } catch (cause) {
      if (!isOver) lost(cause);
    } finally {
      this.#isOpening = false;
    }
  }

  #closeWhenBusy(): void {
    const now = performance.now();
    const { commits, since } = this.#counted;
    if (this.#open === null || now - since < countingMs) return;
    this.#counted = { commits: 0, since: now };
    const commitsPerSecond = Math.round((1000 * commits) / (now - since));
    if (commitsPerSecond <= (this.#options.maxCommitsPerSecond ?? Number.POSITIVE_INFINITY)) return;
    this.#end();
    this.#openAgainAt = now + busyPauseMs;
    this.#options.tooBusy(commitsPerSecond);
  }

  #end(): void {
    this.#open?.stream.close();
    this.#open = null;
    this.#wake();
  }

  #nextDelivery(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, askIntervalMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
