/** Sessions as their server shows them. */
import type { Statement } from '../../../model/rows.ts';

/** One session of one server, its pid and its beginning: another server gives the same pids, and a server gives them again. */
export type Identity = readonly [pid: string, began: string];

/** Microseconds: the text of a time depends on settings that two sessions need not share. */
const began = '(extract(epoch FROM backend_start) * 1000000)::bigint';

/** Selects the identity of its own session. The pid that a pooler has told the client is not the server's. */
export const ownSession: Statement = {
  text: `SELECT pid, ${began} FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
  values: [],
};

/** Selects `what` of the session with this identity; no row where the server does not show it. */
export const ofSession = (what: string, [pid, since]: Identity): Statement => ({
  text: `SELECT ${what} FROM pg_stat_activity WHERE pid = $1 AND ${began} = $2`,
  values: [pid, since],
});
