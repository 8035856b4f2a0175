import { useEffect, useReducer, useState } from 'preact/hooks';
import { isAbort, Refused } from '../ask/call.ts';

export interface Loaded<T> {
  /** The newest result. While the next one loads, the previous one stays. */
  readonly data: T | null;
  /** The error of the last load; null after a success. */
  readonly error: Refused | null;
  readonly isLoading: boolean;
  /** Loads again. */
  onRetry(): void;
}

const notLoaded = { data: null, error: null, isLoading: true } as const;

/**
 * Loads data whenever the key changes, and aborts a load that is still running.
 * @param key null to load nothing
 */
export function useLoaded<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'onRetry'>>(notLoaded);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (key === null) return;
    const stop = new AbortController();
    setState((now) => ({ ...now, isLoading: true }));
    load(stop.signal).then(
      (data) => stop.signal.aborted || setState({ data, error: null, isLoading: false }),
      (error: unknown) => {
        if (isAbort(error) || stop.signal.aborted) return;
        const refused = error instanceof Refused ? error : new Refused(String(error), 0, null);
        setState(({ data }) => ({ data, error: refused, isLoading: false }));
      },
    );
    return () => stop.abort();
  }, [key, tries]);
  return { ...state, onRetry: () => setTries(tries + 1) };
}

/** Narrower screens show a list instead of the grid, and sheets instead of popovers. */
export const phone = '(max-width: 700px)';

/** Whether a media query matches, such as `(max-width: 640px)`. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setMatches(list.matches);
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [query]);
  return matches;
}

/** Returns a function that renders the component again. */
export function useRedraw(): () => void {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  return () => redraw(undefined);
}
