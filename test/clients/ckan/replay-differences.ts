import { isDeepStrictEqual } from 'node:util';
import type { ReplayedCall } from './replayed-calls.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function differenceBetween(_call: ReplayedCall, theirs: Answer, ours: Answer): string | 'none' | null {
  return theirs.status === ours.status && isDeepStrictEqual(withoutHelp(theirs.body), withoutHelp(ours.body))
    ? 'none'
    : null;
}
const withoutHelp = (body: unknown) => (typeof body === 'object' ? { ...body, help: '' } : body);
