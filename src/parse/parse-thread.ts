/** Parses texts in a separate thread, which is started by the first text. */
import { Worker } from 'node:worker_threads';
import { type Select, SqlFault } from '../model/select.ts';

/** What the thread sends: first that it has loaded the parser, then one answer for each text. */
export type FromParseThread =
  | 'ready'
  | { readonly select: Select }
  /** An `SqlFault` in parts, because a message between threads loses an error's class. */
  | { readonly fault: { readonly text: string; readonly at: number | null } };

/** The worst known text of 10,000 characters takes 50 ms, so a text that takes this long is hostile. */
const parseTimeoutMs = 2000;

/** The refusal of a text that makes the parser itself fail. */
export const tooComplex = (): SqlFault => new SqlFault('is too complex', null);

interface Waiting {
  readonly sql: string;
  resolve(select: Select): void;
  reject(error: Error): void;
}

export class ParseThread {
  readonly #url: URL;
  readonly #timeoutMs: number;
  readonly #waiting: Waiting[] = [];
  /** The thread gets one text at a time, so a timeout or a crash has a single cause. */
  #current: Waiting | null = null;
  #timer: NodeJS.Timeout | undefined;
  #thread: Worker | null = null;
  #isReady = false;

  /** @param url the compiled `thread.ts` */
  constructor(url: URL, timeoutMs = parseTimeoutMs) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  /** Parses a text into its SELECT. Rejects with an SqlFault if the text is refused, takes too long, or crashes the thread. */
  parse(sql: string): Promise<Select> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sql, resolve, reject });
      this.#next();
    });
  }

  close(): void {
    this.#thread?.terminate();
  }

  #next(): void {
    if (this.#current !== null) return;
    this.#current = this.#waiting.shift() ?? null;
    if (this.#current === null) return;
    this.#thread ??= this.#start();
    // An idle thread must not keep the process alive, but a thread must while someone waits for its answer.
    this.#thread.ref();
    this.#thread.postMessage(this.#current.sql);
    if (this.#isReady) this.#watch();
  }

  /** Ends the thread if the current text takes too long. Loading the parser does not count. */
  #watch(): void {
    this.#timer = setTimeout(() => this.#thread?.terminate(), this.#timeoutMs);
  }

  #settle(settle: (current: Waiting) => void): void {
    clearTimeout(this.#timer);
    const current = this.#current;
    this.#current = null;
    this.#thread?.unref();
    if (current !== null) settle(current);
    this.#next();
  }

  #start(): Worker {
    let cause: unknown;
    const started = new Worker(this.#url);
    started.on('message', (message: FromParseThread) => {
      if (message === 'ready') {
        this.#isReady = true;
        this.#watch();
        return;
      }
      this.#settle(({ resolve, reject }) => {
        if ('select' in message) resolve(message.select);
        else reject(new SqlFault(message.fault.text, message.fault.at));
      });
    });
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      const fault = this.#isReady ? tooComplex() : new Error('the SQL parser did not load', { cause });
      this.#thread = null;
      this.#isReady = false;
      this.#settle(({ reject }) => reject(fault));
    });
    return started;
  }
}
