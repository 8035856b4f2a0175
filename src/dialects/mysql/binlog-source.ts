/**
 * Where to begin reading the binary log: at the last visible transaction. The end of the log would be too late, because a transaction is
 * logged before it becomes visible.
 */
import type { Server } from '../../model/catalog.ts';
import type { BinlogSource } from '../../model/feed.ts';
import type { Answer } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { Binlog } from './binlog.ts';
import { beginSnapshot, logStatus, snapshotIn } from './commit-markers.ts';
import { identity, identityIn } from './feed.ts';
import { encodedGtids, gtidSet } from './gtids.ts';
import { logFile, positionIn } from './position.ts';
import { visibleAfterMs } from './until-visible.ts';

/** Milliseconds between the heartbeats of an idle server. It notices that we are gone when it sends the second one. */
const heartbeatMs = 500;

const rowsOf = (answer: Answer | null | undefined): readonly (readonly string[])[] =>
  (answer?.cells ?? []).map((row) => row.map(text));

const checksums = 'SELECT @@global.binlog_checksum';
const hasChecksums = (answer: Answer | null | undefined) => rowsOf(answer)[0]?.[0] !== 'NONE';

/**
 * @param log the identity that the log must have (`identityIn`). An address may lead to another server at any time, whose log has other
 *   positions. Undefined accepts any log
 */
export function binlogSource(server: Server, log?: string): BinlogSource {
  const { statements, begin } = server.product === 'mariadb' ? snapshotSource : statusSource(server);
  return {
    statements: [identity, ...statements],
    begin([own, ...answers]) {
      if (log !== undefined && identityIn(own?.cells ?? []) !== log) throw new Error('it is the log of another server');
      return begin(answers);
    },
  };
}

const snapshot = [...beginSnapshot, `SHOW STATUS LIKE 'binlog_snapshot_%'`, 'COMMIT'];

const snapshotSource: BinlogSource = {
  statements: [
    checksums,
    'SHOW SLAVE HOSTS',
    // Capability 4 makes the server send its events unchanged.
    `SET @master_binlog_checksum = @@global.binlog_checksum, @master_heartbeat_period = ${heartbeatMs * 1e6}, @mariadb_slave_capability = 4`,
    ...snapshot,
  ],
  begin([checksum, replicas, , , , shown]) {
    const { file, offset } = snapshotIn(shown);
    const start = positionIn(file, offset);
    if (start === null) return null;
    const begin = { file: logFile(file), offset: Number(offset), start, hasChecksums: hasChecksums(checksum) };
    return {
      ...{ file, offset: begin.offset, start, gtids: null, early: 0 },
      replicas: rowsOf(replicas).map(([id]) => Number(id)),
      // MariaDB's commit markers name no transactions.
      covers: () => false,
      reader: (committed) => new Binlog(begin, committed),
    };
  },
};

const statusSource = (server: Server): BinlogSource => ({
  statements: [
    checksums,
    // Without a UUID, the server would take two streams with the same server id for one that reconnected, and end the first.
    'SET @slave_uuid = UUID()',
    `SET @replica_uuid = @slave_uuid, @master_binlog_checksum = @@global.binlog_checksum, @source_binlog_checksum = @@global.binlog_checksum,
    @master_heartbeat_period = ${heartbeatMs * 1e6}, @source_heartbeat_period = ${heartbeatMs * 1e6}`,
    `SELECT @@global.gtid_executed FROM DUAL WHERE @@global.gtid_mode = 'ON'`,
    // Read the position after the GTIDs, so that the GTIDs include no transaction that ends after this position.
    logStatus(server),
  ],
  begin([checksum, , , executed, status]) {
    const [file = '', offset = ''] = rowsOf(status)[0] ?? [];
    const start = positionIn(file, offset);
    if (start === null || executed === null) return null;
    const set = rowsOf(executed)[0]?.[0];
    const isVisible = set === undefined ? null : gtidSet(set);
    const gtids = set === undefined ? null : encodedGtids(set);
    const begin = {
      ...(gtids === null ? { file: logFile(file), offset: Number(offset) } : { file: null, offset: 0 }),
      ...{ start, hasChecksums: hasChecksums(checksum) },
    };
    return {
      ...{ file, offset: Number(offset), start, gtids, replicas: [] },
      // Without GTIDs, some commits before the position are not visible yet.
      early: gtids === null ? visibleAfterMs : 0,
      covers: (id) => isVisible?.(id) === false,
      reader: (committed) => new Binlog(begin, committed),
    };
  },
});
