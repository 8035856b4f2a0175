/** Tracks whether a form has unsaved changes. */
import { useLayoutEffect } from 'preact/hooks';
import { say } from '../texts/index.ts';

const state = { isUnsaved: false };
const warn = (event: BeforeUnloadEvent) => event.preventDefault();

export function setUnsaved(to: boolean): void {
  state.isUnsaved = to;
  if (to) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
}

/** Tracks a form for as long as it is rendered. */
export function useUnsaved(to: boolean): void {
  useLayoutEffect(() => {
    setUnsaved(to);
    return () => setUnsaved(false);
  }, [to]);
}

export const isUnsaved = (): boolean => state.isUnsaved;

/** Asks before unsaved changes are lost. Returns whether to leave. */
export const mayLeave = (): boolean => !state.isUnsaved || confirm(say.discard);
