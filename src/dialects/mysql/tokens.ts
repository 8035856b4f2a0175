/** What changes with every commit, on MySQL and MariaDB: the position of the binary log, or InnoDB's counter of transactions. */
import type { Server } from '../../model/catalog.ts';
import type { Answer } from '../../model/rows.ts';
import type { TokenLog, TokenSource } from '../../model/token.ts';
import { text } from '../cells.ts';
import { definitionCounters } from './definition-counters.ts';
import { addedGtids } from './gtids.ts';
import { engineState, openTransactions } from './open-transactions.ts';
import { positionIn } from './position.ts';
import { replicaQuery } from './replica.ts';
import { untilVisible } from './until-visible.ts';

/** The best first. */
export function tokens(server: Server): readonly TokenSource[] {
  const { product, version } = server;
  const [major = 0, minor = 0] = version;
  if (product === 'mariadb') return [consistentSnapshot, transactionCounter];
  const logged = [executedGtids, logPosition(server)];
  // Before 5.7 the counter moves with reads, too: there would hardly be a hit.
  return major > 5 || minor >= 7 ? [...logged, engineStatus] : logged;
}

/** The query for the position of the log, and for the databases that it leaves out. */
export function logStatus({ product, version: [major = 0, minor = 0] }: Server): string {
  const isRenamed = product === 'mysql' && (major > 8 || (major === 8 && minor >= 2));
  return `SHOW ${isRenamed ? 'BINARY LOG' : 'MASTER'} STATUS`;
}

/** All cells of all answers; null where one of them is empty. */
function whole(answers: readonly Answer[]): string | null {
  const cells = answers.flatMap((answer) => answer.cells.map((row) => row.map(text)));
  return answers.some((answer) => answer.cells.length === 0) ? null : JSON.stringify(cells);
}

/** After a RESET the same GTIDs and positions come again. */
const resets = `SHOW GLOBAL STATUS LIKE 'Com_reset'`;

/** A GTID is added when the engine has committed. Without a binary log no transaction of a client gets one. */
const executedGtids: TokenSource = {
  name: 'gtid_executed',
  unless: [`SELECT 1 FROM DUAL WHERE NOT (@@global.log_bin = 1 AND @@global.gtid_mode = 'ON')`],
  statements: [
    `SELECT @@global.gtid_executed, @@global.server_uuid FROM DUAL WHERE @@global.log_bin = 1 AND @@global.gtid_mode = 'ON'`,
    resets,
  ],
  token: whole,
  ended: addedGtids,
  early: 0,
  ofAllTables: true,
  log: {
    // Before 9.6, and with innodb_native_foreign_keys, InnoDB changes what refers to a record by itself, and logs nothing of it.
    namesCascades: false,
    question: (_, ids) => (ids === null ? null : { ids, after: null, until: null, definitions: [] }),
  },
};

/** A position does not say whose transactions are before it. */
const unnamed = () => null;

const positioned = (file: string, offset: string, resets: string): string => `${file} ${offset} ${resets}`;

function partsOf(token: string) {
  const [, file, offset, resets] = /^(.*) (\d+) (\d+)$/s.exec(token) ?? [];
  return { at: positionIn(file, offset), resets };
}

const byPosition = (namesCascades: boolean): TokenLog => ({
  namesCascades,
  question({ before, after }) {
    const [from, to] = [partsOf(before), partsOf(after)];
    if (from.at === null || to.at === null || from.resets !== to.resets) return null;
    return { ids: [], after: from.at, until: to.at, definitions: [] };
  },
});

/**
 * Whether a transaction has written and not ended. A commit may take long (group commit, a slow disk, a replica that has to answer),
 * and that of a transaction which has only inserted moves no counter.
 */
const isOpen = ([state]: readonly Answer[]): boolean =>
  openTransactions(state, { product: 'mysql' })?.some(({ hasWritten }) => hasWritten) ?? true;

/** A semi-synchronous replica may delay by seconds what the log already has. This may be set at any time. */
const semiSync = `Variable_name IN ('Rpl_semi_sync_master_status', 'Rpl_semi_sync_source_status') AND Value = 'ON'`;

/**
 * The end of the binary log. It moves before the commit is visible. A replica may log nothing of what it applies, and a server may
 * become one at any time. One that was made and ended between two samples shows in the number of resets: `RESET SLAVE ALL` is one.
 * Therefore they are counted before replicas are asked for.
 */
const logPosition = (server: Server): TokenSource => ({
  name: 'the position of the binary log',
  // Such replicas come and go: a token that they take away each time would be of little use.
  unless: [
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('rpl_semi_sync_master_enabled', 'rpl_semi_sync_source_enabled') AND Value = 'ON'`,
  ],
  statements: [
    engineState,
    logStatus(server),
    `SHOW GLOBAL STATUS WHERE Variable_name = 'Com_reset' OR ${semiSync}`,
    replicaQuery(server),
  ],
  isOpen,
  token([, status, reset, replicas]) {
    const [file, position, only, never] = (status?.cells[0] ?? []).map(text);
    if (reset?.cells.length !== 1 || replicas?.cells.length !== 0) return null;
    // Databases that the log leaves out are written unseen.
    if (file === undefined || only !== '' || never !== '') return null;
    return positioned(file, position ?? '', text(reset.cells[0]?.[1]));
  },
  ended: unnamed,
  early: untilVisible,
  ofAllTables: true,
  log: byPosition(false),
});

/**
 * By statements, a row of MyISAM within a transaction is visible before it is logged. And a replica may not log what it applies. Both
 * may begin at any time. A replica may also have run between two samples only, and may then stop by itself. So the server stays blind
 * from the first start on; those at the start of the server are not counted.
 */
const isBlind = `(Variable_name = 'Slaves_running' AND @@global.binlog_format = 'STATEMENT'
  OR Variable_name IN ('Slaves_running', 'Com_start_slave', 'Com_start_all_slaves') AND Value <> '0' AND NOT @@global.log_slave_updates)`;

const statusIn = (status: Answer | null | undefined): ReadonlyMap<string, string> =>
  new Map(status?.cells.map(([name, value]) => [text(name).toLowerCase(), text(value)]));

/** The file and the offset of a snapshot; empty where there is no log. */
export function snapshotIn(status: Answer | null | undefined): { readonly file: string; readonly offset: string } {
  const values = statusIn(status);
  return {
    file: values.get('binlog_snapshot_file') ?? '',
    offset: values.get('binlog_snapshot_position') ?? '',
  };
}

/** Under READ COMMITTED there would be no snapshot. */
export const beginSnapshot = [
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
];

/** Needs no right. */
const listPrepared = 'XA RECOVER';

/**
 * The snapshot and the position of the log are taken under one lock. (The variables with GTIDs change before visibility.) XA COMMIT of many
 * words of a FULLTEXT index is in the log before its rows are visible, and leaves the list of prepared transactions after that.
 */
const consistentSnapshot: TokenSource = {
  name: 'binlog_snapshot_position',
  unless: ['SELECT 1 FROM DUAL WHERE @@global.log_bin = 0', `SHOW GLOBAL STATUS WHERE ${isBlind}`],
  statements: [
    ...beginSnapshot,
    `SHOW GLOBAL STATUS LIKE 'binlog_snapshot_%'`,
    'COMMIT',
    // After the snapshot: what the log had by then, and is not listed, is visible.
    listPrepared,
    `SHOW GLOBAL STATUS WHERE Variable_name = 'Com_reset' OR ${isBlind}`,
  ],
  token([, , first, , , last]) {
    const { file, offset } = snapshotIn(first);
    const after = statusIn(last);
    const resets = after.get('com_reset');
    return file === '' || resets === undefined || after.size !== 1 ? null : positioned(file, offset, resets);
  },
  isUnsure: ([, , , , listed]) => listed?.cells.length !== 0,
  ended: unnamed,
  early: 0,
  ofAllTables: true,
  log: byPosition(true),
};

/** Moves when a transaction first writes, and when it commits. */
const transactionCounter: TokenSource = {
  name: 'Innodb_max_trx_id',
  unless: [],
  statements: [`SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_max_trx_id', ${definitionCounters})`],
  token: whole,
  ended: unnamed,
  early: untilVisible,
  ofAllTables: false,
  log: null,
};

const engineStatus: TokenSource = {
  name: `InnoDB's transaction counter`,
  unless: [],
  statements: [engineState, `SHOW GLOBAL STATUS WHERE Variable_name IN (${definitionCounters})`],
  isOpen,
  token([state, definitions]) {
    // The state quotes statements, of which one may have such a line. So each of them counts.
    const counters = [...text(state?.cells[0]?.[2]).matchAll(/^Trx id counter (\S+)/gm)].map(([, counter]) => counter);
    return counters.length === 0 || definitions === undefined ? null : `${counters.join(' ')} ${whole([definitions])}`;
  },
  ended: unnamed,
  early: untilVisible,
  ofAllTables: false,
  log: null,
};
