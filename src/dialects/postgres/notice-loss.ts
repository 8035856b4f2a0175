/** Settings by which the server notices that its client is gone, even if no packet tells it. */

/** Milliseconds, but keepalives in seconds: a silent client counts as gone after 25 s. */
const always = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 };
/** Checks the connection while a statement runs. Since PostgreSQL 14; on Windows the server refuses the setting. */
const whileRunning = { client_connection_check_interval: 10_000 };
const inTransactions = { idle_in_transaction_session_timeout: 20_000 };
/** Without it, the server goes on resending a lost answer for a quarter of an hour. */
const whileAnswering = { tcp_user_timeout: 20_000 };

/**
 * A SELECT that applies these settings if the server has them and is not stricter already. On systems other than Linux a server may
 * refuse the TCP settings, or log that it cannot use them. PGlite has no client to lose, and hangs if idle transactions have a
 * timeout.
 * @param writes whether the session writes. In other sessions, a client that pauses a download must not count as gone
 */
export function lostClientSettings(writes: boolean): string {
  const settings = { ...always, ...whileRunning, ...(writes ? { ...inTransactions, ...whileAnswering } : {}) };
  const rows = Object.entries(settings).map(([name, value]) => `('${name}', ${value})`);
  return `SELECT set_config(name, wanted::text, false) FROM pg_settings JOIN (VALUES ${rows.join(', ')}) AS loss (name, wanted) USING (name)
       WHERE version() NOT LIKE '%emscripten%' AND (version() LIKE '%linux%' OR name LIKE 'idle%')
         AND NOT CASE WHEN vartype = 'integer' THEN setting::bigint BETWEEN 1 AND wanted END`;
}
