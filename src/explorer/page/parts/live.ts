/** Whether a table has changed since its records were read. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { listen } from '../ask/changes.ts';
import { text } from '../ask/json.ts';
import { readLastChange, type Table } from '../ask/table.ts';
import type { Search } from './search.ts';

export interface Live {
  /** `perhaps`: the notice may be about another table, and the gateway does not know when this one last changed. */
  readonly is: 'same' | 'changed' | 'perhaps';
  /** The last change, as the API writes it; '' if it is unknown. */
  readonly lastChange: string;
  /** Loads the records again. */
  onShow(): void;
}

/** Milliseconds before the page starts to listen: most visits are shorter, and need no stream. */
const startMs = 3000;
/** Milliseconds between two requests for the last change: a busy server may announce every commit. */
const pauseMs = 10_000;

/** Listens while the tab is visible. A notice only says "may have changed", so after each one we request the time of the last change. */
export function useLive(table: Table, { pages, shown, version, onWritten }: Search): Live {
  const first = text(table.about.last_change);
  const [state, setState] = useState<Omit<Live, 'onShow'>>({ is: 'same', lastChange: first });
  /** The time of the last change when the records were read. */
  const seen = useRef(first);
  const isLoaded = shown.pages.first !== null;
  // A new search reads all its records again.
  useEffect(() => {
    setState(({ lastChange }) => {
      seen.current = lastChange;
      return { is: 'same', lastChange };
    });
  }, [pages.name]);
  // A change that this page has written, or has just loaded, is not news.
  useEffect(() => {
    if (version === '') return;
    const stop = new AbortController();
    readLastChange(table.id, stop.signal).then(
      (lastChange) => {
        seen.current = lastChange;
        setState({ is: 'same', lastChange });
      },
      () => undefined,
    );
    return () => stop.abort();
  }, [version]);
  useEffect(() => {
    if (!isLoaded) return;
    const ask = (isFirst: boolean, signal: AbortSignal): void =>
      void readLastChange(table.id, signal).then(
        (lastChange) => {
          if (lastChange !== '' && lastChange !== seen.current) setState({ is: 'changed', lastChange });
          if (lastChange === '' && !isFirst) setState(({ is }) => ({ is: is === 'same' ? 'perhaps' : is, lastChange }));
        },
        // Ignore the error: the next notice asks again.
        () => undefined,
      );
    return whileVisible((signal) => {
      const later = spaced(() => ask(false, signal));
      const onNotice = (isFirst: boolean) => (isFirst ? ask(true, signal) : later());
      setTimeout(() => signal.aborted || listen(table.id, onNotice, signal), startMs);
    });
  }, [isLoaded]);
  return { ...state, onShow: onWritten };
}

/** Runs a task while the tab is visible. Returns the cleanup. */
function whileVisible(run: (signal: AbortSignal) => void): () => void {
  let stop = new AbortController();
  const follow = () => {
    stop.abort();
    stop = new AbortController();
    if (!document.hidden) run(stop.signal);
  };
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    stop.abort();
  };
}

/** Runs a task at most once every `pauseMs`. Calls in between are combined into one at the end. */
function spaced(run: () => void): () => void {
  let [next, isWaiting] = [0, false];
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(
      () => {
        isWaiting = false;
        next = performance.now() + pauseMs;
        run();
      },
      Math.max(0, next - performance.now()),
    );
  };
}
