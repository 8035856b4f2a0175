/** Commit markers of MySQL and MariaDB: GTIDs, the position of the binary log, or InnoDB's counter of transactions. */
import type { Server } from '../../model/catalog.ts';
import type { CommitMarkerLog, CommitMarkerSource } from '../../model/commit-marker.ts';
import { type Answer, plain } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { definitionCounters } from './definition-counters.ts';
import { addedGtids } from './gtids.ts';
import { engineState, openTransactions } from './open-transactions.ts';
import { positionIn } from './position.ts';
import { replicaQuery } from './replica.ts';
import { visibleAfterMs } from './until-visible.ts';

/** The commit markers available on a server of this product and version, best first. */
export function commitMarkers(server: Server): readonly CommitMarkerSource[] {
  const { product, version } = server;
  const [major = 0, minor = 0] = version;
  if (product === 'mariadb') return [consistentSnapshot, transactionCounter];
  const logged = [executedGtids, logPosition(server)];
  // Before MySQL 5.7 reads move the counter, too, so there would be hardly any cache hits.
  return major > 5 || minor >= 7 ? [...logged, engineStatus] : logged;
}

/** The statement that shows the position of the log, and the databases that the log leaves out. */
export function logStatus({ product, version: [major = 0, minor = 0] }: Server): string {
  const isRenamed = product === 'mysql' && (major > 8 || (major === 8 && minor >= 2));
  return `SHOW ${isRenamed ? 'BINARY LOG' : 'MASTER'} STATUS`;
}

/** All cells of all answers as one string; null if an answer has no rows. */
function whole(answers: readonly Answer[]): string | null {
  const cells = answers.flatMap((answer) => answer.cells.map((row) => row.map(text)));
  return answers.some((answer) => answer.cells.length === 0) ? null : JSON.stringify(cells);
}

/** Part of the marker: after RESET MASTER the server uses the same GTIDs and positions again. */
const resets = `SHOW GLOBAL STATUS LIKE 'Com_reset'`;

/** The set gets a GTID after InnoDB has committed the transaction. Without a binary log, client transactions have no GTIDs. */
const executedGtids: CommitMarkerSource = {
  name: 'gtid_executed',
  unless: [`SELECT 1 FROM DUAL WHERE NOT (@@global.log_bin = 1 AND @@global.gtid_mode = 'ON')`],
  statements: [
    `SELECT @@global.gtid_executed, @@global.server_uuid FROM DUAL WHERE @@global.log_bin = 1 AND @@global.gtid_mode = 'ON'`,
    resets,
  ].map(plain),
  readMarker: whole,
  ended: addedGtids,
  maxEarlyMs: 0,
  coversAllStorageEngines: true,
  log: {
    // Before MySQL 9.6, and with innodb_native_foreign_keys, InnoDB runs foreign-key cascades itself and does not log their rows.
    namesCascades: false,
    question: (_, ids) => (ids === null ? null : { ids, after: null, until: null, ddlMarks: [] }),
  },
};

/** `ended` for markers that are log positions: unlike GTID sets, they don't name the transactions between two of them. */
const unnamed = () => null;

const positioned = (file: string, offset: string, resets: string): string => `${file} ${offset} ${resets}`;

function partsOf(marker: string) {
  const [, file, offset, resets] = /^(.*) (\d+) (\d+)$/s.exec(marker) ?? [];
  return { at: positionIn(file, offset), resets };
}

const byPosition = (namesCascades: boolean): CommitMarkerLog => ({
  namesCascades,
  question({ before, after }) {
    const [from, to] = [partsOf(before), partsOf(after)];
    if (from.at === null || to.at === null || from.resets !== to.resets) return null;
    return { ids: [], after: from.at, until: to.at, ddlMarks: [] };
  },
});

/**
 * Whether any open transaction has written. Its commit may take long (group commit, a slow disk, a replica that has to acknowledge).
 * A transaction that only inserted changes no counter when it commits, so we could miss the moment.
 */
const isOpen = ([state]: readonly Answer[]): boolean =>
  openTransactions(state, { product: 'mysql' })?.some(({ hasWritten }) => hasWritten) ?? true;

/** With a semi-synchronous replica, a commit may be in the log seconds before it is visible. It can be switched on at any time. */
const semiSync = `Variable_name IN ('Rpl_semi_sync_master_status', 'Rpl_semi_sync_source_status') AND Value = 'ON'`;

/**
 * The end of the binary log, which moves before the commit is visible. A server may become a replica at any time, and then may not log
 * what it applies. We notice even a replica that starts and stops between two samples by the number of resets, because `RESET SLAVE ALL`
 * counts as one. So we read the resets before the replica status.
 */
const logPosition = (server: Server): CommitMarkerSource => ({
  name: 'the position of the binary log',
  // While a semi-synchronous replica is connected, this marker can't be used. So we never use it where such replicas are enabled.
  unless: [
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('rpl_semi_sync_master_enabled', 'rpl_semi_sync_source_enabled') AND Value = 'ON'`,
  ],
  statements: [
    engineState,
    logStatus(server),
    `SHOW GLOBAL STATUS WHERE Variable_name = 'Com_reset' OR ${semiSync}`,
    replicaQuery(server),
  ].map(plain),
  isOpen,
  readMarker([, status, reset, replicas]) {
    const [file, position, only, never] = (status?.cells[0] ?? []).map(text);
    if (reset?.cells.length !== 1 || replicas?.cells.length !== 0) return null;
    // Some databases are excluded from the log: we would miss writes to them.
    if (file === undefined || only !== '' || never !== '') return null;
    return positioned(file, position ?? '', text(reset.cells[0]?.[1]));
  },
  ended: unnamed,
  maxEarlyMs: visibleAfterMs,
  coversAllStorageEngines: true,
  log: byPosition(false),
});

/**
 * Whether the snapshot's position misses writes. With binlog_format STATEMENT, a MyISAM row written in a transaction is visible before
 * it is logged; and a replica may not log what it applies. A replica may run just between two samples, so the marker is unusable from
 * the first START SLAVE on. Replication that starts with the server is not counted.
 */
const isBlind = `(Variable_name = 'Slaves_running' AND @@global.binlog_format = 'STATEMENT'
  OR Variable_name IN ('Slaves_running', 'Com_start_slave', 'Com_start_all_slaves') AND Value <> '0' AND NOT @@global.log_slave_updates)`;

const statusIn = (status: Answer | null | undefined): ReadonlyMap<string, string> =>
  new Map(status?.cells.map(([name, value]) => [text(name).toLowerCase(), text(value)]));

/** The log file and offset of a snapshot; empty if there is no log. */
export function snapshotIn(status: Answer | null | undefined): { readonly file: string; readonly offset: string } {
  const values = statusIn(status);
  return {
    file: values.get('binlog_snapshot_file') ?? '',
    offset: values.get('binlog_snapshot_position') ?? '',
  };
}

/** WITH CONSISTENT SNAPSHOT has no effect under READ COMMITTED. */
export const beginSnapshot = [
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
];

/** Lists prepared XA transactions; every user may run it. */
const listPrepared = 'XA RECOVER';

/**
 * MariaDB takes the snapshot and the log position under one lock. (Its GTID variables change before a commit is visible.) An XA COMMIT
 * that adds many words to a FULLTEXT index may be logged before its rows are visible; until then it stays among the prepared ones.
 */
const consistentSnapshot: CommitMarkerSource = {
  name: 'binlog_snapshot_position',
  unless: ['SELECT 1 FROM DUAL WHERE @@global.log_bin = 0', `SHOW GLOBAL STATUS WHERE ${isBlind}`],
  statements: [
    ...beginSnapshot,
    `SHOW GLOBAL STATUS LIKE 'binlog_snapshot_%'`,
    'COMMIT',
    // Read this after the snapshot: a commit that was logged earlier, and is no longer listed as prepared, is visible.
    listPrepared,
    `SHOW GLOBAL STATUS WHERE Variable_name = 'Com_reset' OR ${isBlind}`,
  ].map(plain),
  readMarker([, , first, , , last]) {
    const { file, offset } = snapshotIn(first);
    const after = statusIn(last);
    const resets = after.get('com_reset');
    return file === '' || resets === undefined || after.size !== 1 ? null : positioned(file, offset, resets);
  },
  isUnsure: ([, , , , listed]) => listed?.cells.length !== 0,
  ended: unnamed,
  maxEarlyMs: 0,
  coversAllStorageEngines: true,
  log: byPosition(true),
};

/** InnoDB's transaction counter. It moves when a transaction first writes, and again when it commits. */
const transactionCounter: CommitMarkerSource = {
  name: 'Innodb_max_trx_id',
  unless: [],
  statements: [`SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_max_trx_id', ${definitionCounters})`].map(plain),
  readMarker: whole,
  ended: unnamed,
  maxEarlyMs: visibleAfterMs,
  coversAllStorageEngines: false,
  log: null,
};

const engineStatus: CommitMarkerSource = {
  name: `InnoDB's transaction counter`,
  unless: [],
  statements: [engineState, `SHOW GLOBAL STATUS WHERE Variable_name IN (${definitionCounters})`].map(plain),
  isOpen,
  readMarker([state, definitions]) {
    // The text also quotes running statements, which may contain such a line, so we use all matching lines together.
    const counters = [...text(state?.cells[0]?.[2]).matchAll(/^Trx id counter (\S+)/gm)].map(([, counter]) => counter);
    return counters.length === 0 || definitions === undefined ? null : `${counters.join(' ')} ${whole([definitions])}`;
  },
  ended: unnamed,
  maxEarlyMs: visibleAfterMs,
  coversAllStorageEngines: false,
  log: null,
};
