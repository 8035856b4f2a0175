/** Sessions as their server shows them. */
import type pg from 'pg';

/** One session of one server: another server gives the same pids, and a server gives them again. */
export interface Identity {
  readonly pid: number;
  readonly began: string;
}

/** Microseconds: the text of a time depends on settings that two sessions need not share. */
const began = '(extract(epoch FROM backend_start) * 1000000)::bigint';

/** The identity of the client's own session. The pid that a pooler has told the client is not the server's. */
export async function identityOf(client: pg.Client): Promise<Identity | undefined> {
  const own = `SELECT pid, ${began} AS began FROM pg_stat_activity WHERE pid = pg_backend_pid()`;
  return (await client.query<Identity>(own)).rows[0];
}

/** Selects `what` of the session with this identity; no row where the server does not show it. */
export function ofSession(what: string, { pid, began: since }: Identity): pg.QueryConfig {
  return { text: `SELECT ${what} FROM pg_stat_activity WHERE pid = $1 AND ${began} = $2`, values: [pid, since] };
}
