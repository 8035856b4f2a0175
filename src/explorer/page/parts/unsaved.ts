/** Tracks whether a form has unsaved changes. */
import { say } from '../texts/index.ts';

const state = { isUnsaved: false };
const warn = (event: BeforeUnloadEvent) => event.preventDefault();

export function setUnsaved(to: boolean): void {
  state.isUnsaved = to;
  if (to) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
}

export const isUnsaved = (): boolean => state.isUnsaved;

/** Asks before unsaved changes are lost. Returns whether to leave. */
export const mayLeave = (): boolean => !state.isUnsaved || confirm(say.discard);
