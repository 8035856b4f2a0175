import type { DatabaseSnapshot } from '../tables/served.ts';

/** A difference of two readings: nothing, the time, what no answer shows, the reason of a failure, or what the resources show. */
export type Difference = 'none' | 'time' | 'unseen' | 'failure' | 'content';

type Compared = Pick<DatabaseSnapshot, 'connectError' | 'fingerprint' | 'definitions' | 'server'>;

/** Compares a reading of a database with the one in service. */
export function differenceOf(before: Compared, after: Compared): Difference {
  // A database that was read once stays in service while it is down. Its calls fail fast, and the pool reconnects. Still
  // being down is no reason for a new gateway, whose cache would be empty for the other databases. A new cause is a reason: a
  // server that has come back refuses the login.
  if (after.connectError !== null)
    return before.connectError === null || before.connectError.why === after.connectError.why ? 'none' : 'failure';
  if (after.fingerprint !== before.fingerprint || before.connectError !== null) return 'content';
  return before.server === after.server && before.definitions === after.definitions ? 'time' : 'unseen';
}
