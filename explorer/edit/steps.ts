/** Steps of a write, one at a time, and what went wrong in the last one. */
import { useEffect, useState } from 'preact/hooks';
import { isAbort, Refused } from '../ask/call.ts';
import { type Wrong, wrongOf } from './write.ts';

export interface Steps {
  readonly isBusy: boolean;
  readonly wrong: Wrong | null;
  /** Takes a step, unless one is under way. What it throws becomes `wrong`. The signal aborts when the component goes. */
  run(step: (signal: AbortSignal) => Promise<void>): void;
}

/** @param onWrong called when a step has failed */
export function useSteps(onWrong: () => void): Steps {
  const [stop] = useState(() => new AbortController());
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  useEffect(() => () => stop.abort(), []);
  const { signal } = stop;
  const taken = async (step: (signal: AbortSignal) => Promise<void>) => {
    setBusy(true);
    setWrong(null);
    try {
      await step(signal);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      setWrong(wrongOf(error instanceof Refused ? error : new Refused(String(error), 0, null)));
      onWrong();
    } finally {
      if (!signal.aborted) setBusy(false);
    }
  };
  return { isBusy, wrong, run: (step) => void (isBusy || taken(step)) };
}
