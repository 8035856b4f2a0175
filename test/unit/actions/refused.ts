import { Refusal } from '../../../src/model/errors.ts';

/** The refusal of a call: the members of `error`. A call that is not refused fails the test. */
export function refused(work: () => unknown): Record<string, unknown> {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return { ...error.details };
    throw error;
  }
  throw new Error('it was not refused');
}
