/** Replicas by GTIDs: sets of them on MySQL, on MariaDB the last one of each domain. Sets are compared, never single GTIDs alone. */
import type { Server } from '../../model/catalog.ts';
import type { ReplicaState, Replication } from '../../model/replication.ts';
import type { Answer } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { hasGtids } from './gtids.ts';

export const replication = (server: Server): Replication =>
  server.product === 'mariadb' ? ofDomains(server) : ofSets(server);

const cells = ({ cells: [row = []] }: Answer): readonly string[] => row.map(text);

/** `10.11`: a server of another version may take the same statement for another one. */
const series = ({ version }: Server): string => version.slice(0, 2).join('.');

/** @param cells of the answer: whether it is read-only, its version, the database, its filters, and what it has */
function stateOf(
  server: Server,
  [readOnly = '', version = '', cluster = '', filters = '', ...has]: readonly string[],
): ReplicaState {
  if (readOnly === '' || readOnly === '0' || readOnly === 'OFF')
    return { isReplica: false, why: 'it is not read-only (read_only)' };
  if (filters !== '') return { isReplica: false, why: 'it leaves out tables (replicate_ filters)' };
  const isSame = version.startsWith(`${series(server)}.`);
  return isSame ? { isReplica: true, cluster, has } : { isReplica: false, why: `its version is not ${series(server)}` };
}

/** What replicas of MariaDB leave out. */
const filters = ['do_db', 'ignore_db', 'do_table', 'ignore_table', 'wild_do_table', 'wild_ignore_table'];
const allFilters = `CONCAT(${filters.map((name) => `@@global.replicate_${name}`).join(', ')})`;

/** Variables cost nothing: all of them are asked for each time. GTIDs name their servers, but not the database. */
function inOneQuery(
  server: Server,
  has: string,
): Pick<Replication, 'clusterQuery' | 'replicaQuery' | 'state' | 'progressQuery' | 'progress'> {
  const query = `SELECT @@global.read_only, VERSION(), DATABASE(), ${has}`;
  const state = (answer: Answer) => stateOf(server, cells(answer));
  return {
    clusterQuery: 'SELECT DATABASE()',
    replicaQuery: query,
    state,
    progressQuery: query,
    progress: (_, answer) => state(answer),
  };
}

const errant = 'it has transactions that its primary does not have';

/**
 * A GTID is in the set right after its transaction has become visible, on a primary and on a replica. Before that the transaction
 * owns it. So the position has those that are owned, too: of two answers of a primary the later one must not be of a replica that
 * lacks what the earlier one showed. They are asked for first: meanwhile they only go over into the set.
 */
const ofSets = (server: Server): Replication => ({
  ...inOneQuery(server, "'', @@global.gtid_executed"),
  primaryQuery: `SELECT @@global.gtid_owned, @@global.gtid_executed FROM DUAL WHERE @@global.log_bin = 1 AND @@global.gtid_mode = 'ON'`,
  position(answer) {
    const [owned, executed] = cells(answer);
    // `uuid:7#31`: the number of the session.
    return owned === undefined ? null : `${executed},${owned.replace(/#\d+/g, '')}`.replace(/\s/g, '');
  },
  hasReached: (state, position) => state.isReplica && hasGtids(state.has[0] ?? '', position),
  strays(state, position) {
    if (!state.isReplica) return state.why;
    return hasGtids(position, state.has[0] ?? '') ? null : errant;
  },
});

/**
 * The position in the log moves before a commit is visible, so it covers all that are. That of a replica moves after it. The state
 * of a log has the last GTID of each server that has written to it. GTIDs of two servers may have equal numbers. A transaction that
 * a filter leaves out moves the position, too. (MySQL shows its filters to few users.)
 */
const ofDomains = (server: Server): Replication => ({
  ...inOneQuery(server, `${allFilters}, @@global.gtid_slave_pos, @@global.gtid_binlog_state`),
  primaryQuery: `SELECT @@global.gtid_binlog_pos, @@global.gtid_binlog_state FROM DUAL WHERE @@global.log_bin = 1`,
  position(answer) {
    const [position, state] = cells(answer);
    return position === undefined || position === '' ? null : `${position} ${state}`;
  },
  hasReached(state, position) {
    const [applied = ''] = state.isReplica ? state.has : [];
    const [wanted = ''] = position.split(' ');
    const known = gtids(applied);
    return gtids(wanted).every(({ domain, number }) =>
      known.some((one) => one.domain === domain && one.number >= number),
    );
  },
  strays(state, position) {
    if (!state.isReplica) return state.why;
    const [, log = ''] = position.split(' ');
    const known = gtids(log);
    const isKnown = ({ domain, server, number }: Gtid) =>
      known.some((one) => one.domain === domain && one.server === server && one.number >= number);
    return state.has.flatMap(gtids).every(isKnown) ? null : errant;
  },
});

interface Gtid {
  readonly domain: string;
  readonly server: string;
  readonly number: bigint;
}

/** `0-1-100,1-1-7`. */
const gtids = (list: string): readonly Gtid[] =>
  [...list.matchAll(/(\d+)-(\d+)-(\d+)/g)].map(([, domain = '', server = '', number = '0']) => ({
    ...{ domain, server },
    number: BigInt(number),
  }));
