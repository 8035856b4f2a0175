/** Recognizes a session, even if another session has the same pid, later or on another server. */
import type { Statement } from '../../../model/rows.ts';

/** The pid alone does not identify a session: other servers have the same pids, and a server reuses them. */
export type Identity = readonly [pid: string, startedAt: string];

/** When a session began, in microseconds. The text of a timestamp would depend on the settings of the session that runs the query. */
const startedAt = '(extract(epoch FROM backend_start) * 1000000)::bigint';

/** Selects the identity of the session that runs it. Behind a pooler, the driver has a pid that is not the server's. */
export const selectIdentity: Statement = {
  text: `SELECT pid, ${startedAt} FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
  values: [],
};

/** Selects `what` about the session with this identity; returns no row if the server does not have the session. */
export const selectFromSession = (what: string, [pid, started]: Identity): Statement => ({
  text: `SELECT ${what} FROM pg_stat_activity WHERE pid = $1 AND ${startedAt} = $2`,
  values: [pid, started],
});
