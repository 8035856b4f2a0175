/** Settings by which a server notices that its client is gone, although the network has lost the news. */

/** Milliseconds, or seconds for keepalives. A silent client is gone after 25 s. */
const always = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 };
/** Since PostgreSQL 14, where the operating system can tell: it refuses the setting on Windows. */
const whileRunning = { client_connection_check_interval: 10_000 };
const inTransactions = { idle_in_transaction_session_timeout: 20_000 };
/** Without it, answers that the network has lost are sent again for a quarter of an hour. */
const whileAnswering = { tcp_user_timeout: 20_000 };

/**
 * A SELECT that sets them where the server has them, unless it is stricter already. Elsewhere than on Linux, a server may refuse those of
 * the connection, or log that it cannot. PGlite has no client to lose, and hangs where an idle transaction is limited.
 * @param writes as in `SessionUse`: a client that pauses a download must not look gone
 */
export function noticeLoss(writes: boolean): string {
  const wanted = { ...always, ...whileRunning, ...(writes ? { ...inTransactions, ...whileAnswering } : {}) };
  const rows = Object.entries(wanted).map(([name, value]) => `('${name}', ${value})`);
  return `SELECT set_config(name, wanted::text, false) FROM pg_settings JOIN (VALUES ${rows.join(', ')}) AS loss (name, wanted) USING (name)
       WHERE version() NOT LIKE '%emscripten%' AND (version() LIKE '%linux%' OR name LIKE 'idle%')
         AND NOT CASE WHEN vartype = 'integer' THEN setting::bigint BETWEEN 1 AND wanted END`;
}
