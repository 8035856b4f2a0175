/** Runs a write's steps (check, save) one at a time, and keeps the last one's error. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { isAbort, Refused } from '../ask/call.ts';
import { type WriteError, writeErrorOf } from './write-error.ts';

/** Ignores the second click of a double click. Otherwise a user could press "Check" and then "Save" before seeing the check's result. */
export function onlyOnce(event: MouseEvent): boolean {
  if (event.detail > 1) event.preventDefault();
  return event.detail <= 1;
}

export interface Steps {
  readonly isBusy: boolean;
  readonly wrong: WriteError | null;
  /** Runs a step, unless one is running. Its error becomes `wrong`. The signal aborts when the component unmounts. */
  run(step: (signal: AbortSignal) => Promise<void>): void;
}

/** @param onWrong called when a step has failed */
export function useSteps(onWrong: () => void): Steps {
  const [stop] = useState(() => new AbortController());
  const [isBusy, setBusy] = useState(false);
  /** A ref, because state changes only with the next render: two key presses in the same moment must not save twice. */
  const isRunning = useRef(false);
  const [wrong, setWrong] = useState<WriteError | null>(null);
  useEffect(() => () => stop.abort(), []);
  const { signal } = stop;
  const take = async (step: (signal: AbortSignal) => Promise<void>) => {
    isRunning.current = true;
    setBusy(true);
    setWrong(null);
    try {
      await step(signal);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      setWrong(writeErrorOf(error instanceof Refused ? error : new Refused(String(error), 0, null)));
      onWrong();
    } finally {
      isRunning.current = false;
      if (!signal.aborted) setBusy(false);
    }
  };
  return { isBusy, wrong, run: (step) => void (isRunning.current || take(step)) };
}
