import type { DatabaseSnapshot } from '../tables/served.ts';

/**
 * How two readings of a database differ. `time`: only the time of reading; `unseen`: something that no answer shows, such as an index;
 * `failure`: the reason why the database cannot be used; `content`: what the resources show.
 */
export type Difference = 'none' | 'time' | 'unseen' | 'failure' | 'content';

type Compared = Pick<DatabaseSnapshot, 'connectError' | 'fingerprint' | 'definitions' | 'server'>;

/** Compares a reading of a database with the one in service. */
export function differenceOf(before: Compared, after: Compared): Difference {
  // A database that was read once stays in service while it is down: its calls fail fast, and the pool reconnects. If it was never
  // read, only a new reason counts: the server may be up now, but refuse the login.
  if (after.connectError !== null)
    return before.connectError === null || before.connectError.why === after.connectError.why ? 'none' : 'failure';
  if (after.fingerprint !== before.fingerprint || before.connectError !== null) return 'content';
  return before.server === after.server && before.definitions === after.definitions ? 'time' : 'unseen';
}
