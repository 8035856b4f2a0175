import { Refusal } from '../../../src/model/errors.ts';

/** The members of `error` in the refusal of a call. Fails the test if the call is not refused. */
export function refused(work: () => unknown): Record<string, unknown> {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return { ...error.details };
    throw error;
  }
  throw new Error('it was not refused');
}
