import { Worker } from 'node:worker_threads';
import type { Emit, Event } from '../../model/events.ts';
import type { FeedSource, LogQuestion } from '../../model/feed.ts';
import type { ChangedTables, ChangeFeed } from './names.ts';

export interface ToThread {
  readonly ask: number;
  readonly source: FeedSource;
  readonly question: LogQuestion;
}
export type FromThread = { readonly answer: number; readonly tables: ChangedTables } | { readonly event: Event };

/** Milliseconds before a thread that has crashed is replaced. */
const restartPauseMs = 10_000;

/** Reads logs in a separate thread, which is started by the first query. */
export function namesInThread(emit: Emit): ChangeFeed {
  let thread: Worker | null = null;
  /** How many queries the thread was sent, in shared memory. A new value wakes the sleeping thread (see `ThreadSleep`). */
  const bell = new Int32Array(new SharedArrayBuffer(4));
  let isReady = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  let questions = 0;
  /** The databases whose logs the thread reads. */
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
    // The thread has crashed: report its logs as lost. The next thread opens them again.
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
      if (thread === null && performance.now() - endedAt < restartPauseMs) return Promise.resolve('closed');
      thread ??= start();
      const ask = ++questions;
      const message: ToThread = { ask, source, question };
      thread.postMessage(message);
      Atomics.add(bell, 0, 1);
      Atomics.notify(bell, 0);
      // Don't make a request wait until the thread has started: its log is not open yet, so the answer would be `closed` anyway.
      if (!isReady) return Promise.resolve('closed');
      return new Promise((resolve) => waiting.set(ask, resolve));
    },
    close() {
      thread?.terminate();
    },
  };
}
