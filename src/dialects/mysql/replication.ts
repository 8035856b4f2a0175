/** Replicas by GTIDs: sets of them on MySQL, on MariaDB the last one of each domain. Sets are compared, never single GTIDs alone. */
import type { Server } from '../../model/catalog.ts';
import type { ReplicaState, Replication } from '../../model/replication.ts';
import type { Answer } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { hasGtids } from './gtids.ts';

export const replication = (server: Server): Replication =>
  server.product === 'mariadb' ? ofDomains(server) : ofSets(server);

const cells = ({ cells: [row = []] }: Answer): readonly string[] => row.map(text);

/** What replicas of MariaDB leave out. */
const filters = ['do_db', 'ignore_db', 'do_table', 'ignore_table', 'wild_do_table', 'wild_ignore_table'];
const allFilters = `CONCAT(${filters.map((name) => `@@global.replicate_${name}`).join(', ')})`;

/** GTIDs name their servers, but not the database. */
function asked({ version }: Server, has: string): Pick<Replication, 'replicaQuery' | 'state'> {
  // `10.11`: a server of another version may take the same statement for another one.
  const series = version.slice(0, 2).join('.');
  return {
    replicaQuery: `SELECT @@global.read_only, VERSION(), DATABASE(), ${has}`,
    state(answer) {
      const [readOnly = '', version = '', cluster = '', filters = '', ...has] = cells(answer);
      const no = (why: string): ReplicaState => ({ isReplica: false, why });
      if (['', '0', 'OFF'].includes(readOnly)) return no('it is not read-only (read_only)');
      if (filters !== '') return no('it leaves out tables (replicate_ filters)');
      return version.startsWith(`${series}.`) ? { isReplica: true, cluster, has } : no(`its version is not ${series}`);
    },
  };
}

const errant = 'it has transactions that its primary does not have';

/**
 * A GTID is in the set right after its transaction has become visible, on a primary and on a replica. Before that the transaction
 * owns it. So the position has those that are owned, too: of two answers of a primary the later one must not be of a replica that
 * lacks what the earlier one showed. And what a replica may show that its primary lacks has them. They are asked for first: meanwhile
 * they only go over into the set.
 */
const ofSets = (server: Server): Replication => ({
  ...asked(server, "'', @@global.gtid_owned, @@global.gtid_executed"),
  primaryQuery: `SELECT DATABASE(), @@global.gtid_owned, @@global.gtid_executed FROM DUAL WHERE @@global.log_bin = 1 AND @@global.gtid_mode = 'ON'`,
  position(answer) {
    const [cluster = '', owned, executed] = cells(answer);
    return owned === undefined ? null : { cluster, log: [joined(owned, executed)] };
  },
  hasReached: ([, executed = ''], [log = '']) => hasGtids(executed, log),
  exceeds: ([owned = '', executed], [log = '']) => (hasGtids(log, joined(owned, executed)) ? null : errant),
});

/** @param owned `uuid:7#31`, with the number of the session */
const joined = (owned: string, executed = ''): string => `${executed},${owned.replace(/#\d+/g, '')}`.replace(/\s/g, '');

/**
 * The position in the log moves before a commit is visible, so it covers all that are. That of a replica moves after it. The state
 * of a log has the last GTID of each server that has written to it. GTIDs of two servers may have equal numbers. A transaction that
 * a filter leaves out moves the position, too. (MySQL shows its filters to few users.) The primary's `server_uid` is not known to a replica,
 * and `SHOW SLAVE STATUS` needs a right: servers with equal ids look alike (docs/read-replicas.md).
 */
const ofDomains = (server: Server): Replication => ({
  ...asked(server, `${allFilters}, @@global.gtid_slave_pos, @@global.gtid_binlog_state`),
  primaryQuery: `SELECT DATABASE(), @@global.gtid_binlog_pos, @@global.gtid_binlog_state FROM DUAL WHERE @@global.log_bin = 1`,
  position(answer) {
    const [cluster = '', position = '', state = ''] = cells(answer);
    return position === '' ? null : { cluster, log: [position, state] };
  },
  hasReached: ([applied = ''], [wanted = '']) => gtids(wanted).every(isIn(gtids(applied))),
  exceeds: (has, [, log = '']) => (has.flatMap(gtids).every(isIn(gtids(log))) ? null : errant),
});

/** After a failover a number may be of the old primary, or of the new one. */
const isIn =
  (known: readonly Gtid[]) =>
  ({ domain, server, number }: Gtid): boolean =>
    known.some((one) => one.domain === domain && one.server === server && one.number >= number);

type Gtid = ReturnType<typeof gtids>[number];

/** `0-1-100,1-1-7`. */
const gtids = (list: string) =>
  [...list.matchAll(/(\d+)-(\d+)-(\d+)/g)].map(([, domain = '', server = '', number = '0']) => ({
    ...{ domain, server },
    number: BigInt(number),
  }));
