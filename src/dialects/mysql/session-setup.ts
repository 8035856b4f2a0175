import type { Server } from '../../model/catalog.ts';
import type { SessionUse } from '../../model/dialect/session.ts';
import { sortedBytes } from './column.ts';
import { lostClientSettings, slowReaderSettings } from './notice-loss.ts';
import { readTimeout } from './time-limit.ts';

/**
 * SQL for every new session.
 * - sql_mode: we replace all of it. The driver escapes values with backslashes, so NO_BACKSLASH_ESCAPES would allow SQL injection;
 *   PAD_CHAR_TO_FULL_LENGTH would change what we read. (DEFAULT would mean the server's global value.)
 * - lc_messages: we read the names of columns and keys from English errors.
 * - NO_AUTO_VALUE_ON_ZERO: an AUTO_INCREMENT column stores a 0 that a client sends, as on PostgreSQL.
 * - div_precision_increment: an average gets 30 places before we round it to 16.
 * - The lock timeouts are longer than the statement timeout. They end the writes of a gateway that has died: MySQL only times out reads.
 */
export function sessionSetup(server: Server, { statementTimeout, writes }: SessionUse): readonly string[] {
  const lockTimeoutSeconds = Math.ceil(statementTimeout / 1000) + 1;
  return [
    `SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO', time_zone = '+00:00', autocommit = 1, sql_auto_is_null = 0, lc_messages = 'en_US',
        sql_select_limit = 18446744073709551615, sql_safe_updates = 0, completion_type = 0, foreign_key_checks = 1, unique_checks = 1,
        div_precision_increment = 4, innodb_lock_wait_timeout = ${lockTimeoutSeconds}, lock_wait_timeout = ${lockTimeoutSeconds}, max_sort_length = ${sortedBytes},
        ${writes ? lostClientSettings(server) : slowReaderSettings(statementTimeout)}`,
    // Memory to sort by as many long columns (each up to `max_sort_length`) as a search may name; MySQL 5.6 has 256 kB by default.
    'SET SESSION sort_buffer_size = CAST(GREATEST(@@sort_buffer_size, 2097152) AS UNSIGNED)',
    'SET NAMES utf8mb4',
    `SET SESSION TRANSACTION ISOLATION LEVEL ${server.logsStatements ? 'REPEATABLE READ' : 'READ COMMITTED'}`,
    ...readTimeout(server, statementTimeout),
    ...ownGtids(server),
  ];
}

/** Makes the server report the GTID of each commit to the session. */
function ownGtids({ product, version: [major = 0, minor = 0, patch = 0] }: Server): readonly string[] {
  const isKnown = major > 5 || (major === 5 && (minor > 7 || (minor === 7 && patch >= 6)));
  return product === 'mysql' && isKnown ? ['SET SESSION session_track_gtids = OWN_GTID'] : [];
}
