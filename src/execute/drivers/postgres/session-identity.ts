/** How a session is told from one that has its pid later, or on another server. */
import type { Statement } from '../../../model/rows.ts';

/** Another server gives the same pids, and a server gives them again: the start is in microseconds. */
export type Identity = readonly [pid: string, startedAt: string];

/** Microseconds: the text of a time depends on settings that two sessions need not share. */
const startedAt = '(extract(epoch FROM backend_start) * 1000000)::bigint';

/** Selects the identity of its own session. The pid that a pooler has told the client is not the server's. */
export const selectIdentity: Statement = {
  text: `SELECT pid, ${startedAt} FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
  values: [],
};

/** Selects `what` of the session with this identity; no row where the server does not show it. */
export const selectFromSession = (what: string, [pid, since]: Identity): Statement => ({
  text: `SELECT ${what} FROM pg_stat_activity WHERE pid = $1 AND ${startedAt} = $2`,
  values: [pid, since],
});
