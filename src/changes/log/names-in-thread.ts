import { Worker } from 'node:worker_threads';
import type { Emit, Event } from '../../model/events.ts';
import type { FeedSource, LogQuestion } from '../../model/feed.ts';
import type { ChangedTables, Names } from './names.ts';

export interface ToThread {
  readonly ask: number;
  readonly source: FeedSource;
  readonly question: LogQuestion;
}
export type FromThread = { readonly answer: number; readonly tables: ChangedTables } | { readonly event: Event };

/** Milliseconds before a thread that has ended is replaced. */
const pause = 10_000;

/** Reads logs in a thread of its own, which starts with the first question. */
export function namesInThread(emit: Emit): Names {
  let thread: Worker | null = null;
  /** Wakes the thread up. */
  const bell = new Int32Array(new SharedArrayBuffer(4));
  let isReady = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  let asked = 0;
  /** The databases whose logs it reads. */
  const opened = new Set<string>();
  const waiting = new Map<number, (tables: ChangedTables) => void>();
  const start = (): Worker => {
    const started = new Worker(new URL('./thread.js', import.meta.url), { workerData: bell.buffer });
    started.on('message', (message: FromThread) => {
      if ('event' in message) {
        if (message.event.on === 'log opened') opened.add(message.event.database);
        if (message.event.on === 'log lost' || message.event.on === 'log closed') opened.delete(message.event.database);
        return emit(message.event);
      }
      waiting.get(message.answer)?.(message.tables);
      waiting.delete(message.answer);
    });
    started.once('online', () => {
      isReady = true;
    });
    // The logs are opened anew by its successor.
    started.on('error', (cause) => {
      for (const database of opened) emit({ on: 'log lost', database, cause });
      opened.clear();
    });
    started.on('exit', () => {
      thread = null;
      isReady = false;
      endedAt = performance.now();
      for (const answer of waiting.values()) answer('closed');
      waiting.clear();
    });
    started.unref();
    return started;
  };
  return {
    tablesOf(source, question) {
      if (thread === null && performance.now() - endedAt < pause) return Promise.resolve('closed');
      thread ??= start();
      const ask = ++asked;
      const message: ToThread = { ask, source, question };
      thread.postMessage(message);
      Atomics.add(bell, 0, 1);
      Atomics.notify(bell, 0);
      // Requests wait for the answer, and the first question only opens a log.
      if (!isReady) return Promise.resolve('closed');
      return new Promise((resolve) => waiting.set(ask, resolve));
    },
    close() {
      thread?.terminate();
    },
  };
}
