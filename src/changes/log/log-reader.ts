import type { LogListener, LogQuestion, LogStream } from '../../model/feed.ts';
import { Backoff } from '../../values/backoff.ts';
import type { ChangedTables } from './names.ts';
import { LogWindow } from './window.ts';

export interface LogReaderOptions {
  open(listener: LogListener): Promise<LogStream>;
  opened(): void;
  /** The log could not be opened, or was lost. */
  lost(cause: unknown): void;
  /** The log was closed for a while, because it has so many commits per second. */
  tooBusy(commits: number): void;
  /** As `FeedSource.mostCommits`. */
  readonly mostCommits: number | null;
}

/** Milliseconds that a question waits for the log. A commit is in it before it is visible, unless the server writes it later. */
const patience = 50;
/** Milliseconds after which the server is asked again how far the stream is. */
const askAgain = 5;
/**
 * Milliseconds over which commits are counted, and for which a log with too many is not read. Each one costs the server 0.05 ms.
 */
const busy = { counted: 5000, leftAlone: 60_000 };

/** Reads one server's log while there are questions about it. */
export class LogReader {
  readonly #options: LogReaderOptions;
  #open: { readonly stream: LogStream; readonly window: LogWindow } | null = null;
  #isOpening = false;
  #isClosed = false;
  /** Between two attempts to open the log. */
  readonly #backoff = new Backoff(1000, 60_000);
  #openAgainAt = Number.NEGATIVE_INFINITY;
  /** Called when the stream has delivered more. */
  #waiting: (() => void)[] = [];
  #counted = { commits: 0, since: 0 };
  /** When the last question came, by `performance.now()`. */
  askedAt = performance.now();

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  /** Resolves soon, also while the log is being opened. */
  async tablesOf(question: LogQuestion): Promise<ChangedTables> {
    this.askedAt = performance.now();
    if (this.#open === null) this.#begin();
    const until = this.askedAt + patience;
    for (;;) {
      if (this.#open === null) return 'closed';
      const answer = this.#open.window.answer(question);
      if (answer !== 'late') return answer ?? 'anything';
      if (performance.now() >= until) return 'anything';
      this.#open.stream.ask();
      await this.#more();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  async #begin(): Promise<void> {
    if (this.#isOpening || this.#isClosed || performance.now() < this.#openAgainAt) return;
    this.#isOpening = true;
    // The stream may deliver, and even end, before it is handed over.
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
          this.#restWhenBusy();
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

  #restWhenBusy(): void {
    const now = performance.now();
    const { commits, since } = this.#counted;
    if (this.#open === null || now - since < busy.counted) return;
    this.#counted = { commits: 0, since: now };
    const each = Math.round((1000 * commits) / (now - since));
    if (each <= (this.#options.mostCommits ?? Number.POSITIVE_INFINITY)) return;
    this.#end();
    this.#openAgainAt = now + busy.leftAlone;
    this.#options.tooBusy(each);
  }

  #end(): void {
    this.#open?.stream.close();
    this.#open = null;
    this.#wake();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, askAgain);
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
