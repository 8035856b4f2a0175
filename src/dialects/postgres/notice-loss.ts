/** Settings that make the server notice that its client is gone, even if no packet says so. */

/** The keepalives are in seconds, other settings in milliseconds. A silent client counts as gone after 25 s. */
const always = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 };
/** Checks the connection while a statement runs. Since PostgreSQL 14; on Windows the server refuses the setting. */
const whileRunning = { client_connection_check_interval: 10_000 };
const inTransactions = { idle_in_transaction_session_timeout: 20_000 };
/** Without this, the server would resend a lost answer for a quarter of an hour. */
const whileAnswering = { tcp_user_timeout: 20_000 };

/**
 * A SELECT that applies these settings if the server has them and is not stricter already. Servers on systems other than Linux may refuse
 * the TCP settings, or log that they cannot use them. PGlite has no client to lose, and would hang if idle transactions had a timeout.
 * @param writes whether the session writes. In other sessions, a client that pauses a download must not count as gone
 */
export function lostClientSettings(writes: boolean): string {
  const settings = { ...always, ...whileRunning, ...(writes ? { ...inTransactions, ...whileAnswering } : {}) };
  const rows = Object.entries(settings).map(([name, value]) => `('${name}', ${value})`);
  return `SELECT set_config(name, wanted::text, false) FROM pg_settings JOIN (VALUES ${rows.join(', ')}) AS loss (name, wanted) USING (name)
       WHERE version() NOT LIKE '%emscripten%' AND (version() LIKE '%linux%' OR name LIKE 'idle%')
         AND NOT CASE WHEN vartype = 'integer' THEN setting::bigint BETWEEN 1 AND wanted END`;
}
