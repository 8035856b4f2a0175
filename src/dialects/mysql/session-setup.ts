import type { Server } from '../../model/catalog.ts';
import type { SessionUse } from '../../model/dialect/session.ts';
import { sortedBytes } from './column.ts';
import { lostClientSettings, slowReaderSettings } from './notice-loss.ts';
import { readTimeout } from './time-limit.ts';

/**
 * SQL for every new session.
 * - sql_mode is replaced as a whole: the driver escapes values with backslashes, which under NO_BACKSLASH_ESCAPES would allow SQL
 *   injection; PAD_CHAR_TO_FULL_LENGTH would change what we read. (DEFAULT would mean the server's global value.)
 * - lc_messages: we read the names of columns and keys from English errors.
 * - NO_AUTO_VALUE_ON_ZERO: an AUTO_INCREMENT column stores the 0 it is sent, as on PostgreSQL.
 * - div_precision_increment: an average has 30 places before it is rounded to 16.
 * - The lock timeouts exceed the statement timeout. They end the writes of a gateway that has died: MySQL times out only reads.
 */
export function sessionSetup(server: Server, { statementTimeout, writes }: SessionUse): readonly string[] {
  const lockTimeoutSeconds = Math.ceil(statementTimeout / 1000) + 1;
  return [
    `SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO', time_zone = '+00:00', autocommit = 1, sql_auto_is_null = 0, lc_messages = 'en_US',
        sql_select_limit = 18446744073709551615, sql_safe_updates = 0, completion_type = 0, foreign_key_checks = 1, unique_checks = 1,
        div_precision_increment = 4, innodb_lock_wait_timeout = ${lockTimeoutSeconds}, lock_wait_timeout = ${lockTimeoutSeconds}, max_sort_length = ${sortedBytes},
        ${writes ? lostClientSettings(server) : slowReaderSettings(statementTimeout)}`,
    // Room to sort by as many long columns (`max_sort_length`) as a search may name; the default of MySQL 5.6 is 256 kB.
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
