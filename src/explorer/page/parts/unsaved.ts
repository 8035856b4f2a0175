/** Whether a form holds what has not been saved yet. */
import { say } from '../texts/index.ts';

const state = { isUnsaved: false };
const warn = (event: BeforeUnloadEvent) => event.preventDefault();

export function setUnsaved(to: boolean): void {
  state.isUnsaved = to;
  if (to) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
}

export const isUnsaved = (): boolean => state.isUnsaved;

/** Whether the form may be left: asks where something would be lost. */
export const mayLeave = (): boolean => !state.isUnsaved || confirm(say.discard);
