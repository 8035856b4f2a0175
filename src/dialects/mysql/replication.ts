/** Compares a replica's position with its primary's by GTIDs: by GTID sets on MySQL, by the last GTID of each domain on MariaDB. */
import type { Server } from '../../model/catalog.ts';
import type { ReplicaState, Replication } from '../../model/replication.ts';
import type { Answer } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { hasGtids } from './gtids.ts';

export const replication = (server: Server): Replication =>
  server.product === 'mariadb' ? ofDomains(server) : ofSets(server);

const cells = ({ cells: [row = []] }: Answer): readonly string[] => row.map(text);

/** Settings that make a MariaDB replica skip tables. */
const filters = ['do_db', 'ignore_db', 'do_table', 'ignore_table', 'wild_do_table', 'wild_ignore_table'];
const allFilters = `CONCAT(${filters.map((name) => `@@global.replicate_${name}`).join(', ')})`;

/** Asks a replica for its state. GTIDs identify servers but not databases, so the state includes the database. */
function stateReader({ version }: Server, has: string): Pick<Replication, 'replicaQuery' | 'state'> {
  // Such as `10.11`. A replica of another version may run the same statement differently.
  const series = version.slice(0, 2).join('.');
  return {
    replicaQuery: `SELECT @@global.read_only, VERSION(), DATABASE(), ${has}`,
    state(answer) {
      const [readOnly = '', version = '', cluster = '', filters = '', ...has] = cells(answer);
      const notReplica = (why: string): ReplicaState => ({ isReplica: false, why });
      if (['', '0', 'OFF'].includes(readOnly)) return notReplica('it is not read-only (read_only)');
      if (filters !== '') return notReplica('it leaves out tables (replicate_ filters)');
      return version.startsWith(`${series}.`)
        ? { isReplica: true, cluster, has }
        : notReplica(`its version is not ${series}`);
    },
  };
}

const errant = 'it has transactions that its primary does not have';

/**
 * A transaction becomes visible, and then its GTID moves from `gtid_owned` to `gtid_executed`. A primary's position includes owned GTIDs:
 * a later read on a replica must not miss what an earlier read on the primary showed. A replica's state includes them, too, so that we
 * find transactions that the primary lacks. We read the owned ones first, because a GTID that moves between the two reads is then still
 * counted.
 */
const ofSets = (server: Server): Replication => ({
  ...stateReader(server, "'', @@global.gtid_owned, @@global.gtid_executed"),
  primaryQuery: `SELECT DATABASE(), @@global.gtid_owned, @@global.gtid_executed FROM DUAL WHERE @@global.log_bin = 1 AND @@global.gtid_mode = 'ON'`,
  position(answer) {
    const [cluster = '', owned, executed] = cells(answer);
    return owned === undefined ? null : { cluster, log: [joined(owned, executed)] };
  },
  hasReached: ([, executed = ''], [log = '']) => hasGtids(executed, log),
  exceeds: ([owned = '', executed], [log = '']) => (hasGtids(log, joined(owned, executed)) ? null : errant),
});

/** @param owned such as `uuid:7#31`, where 31 is the number of the session */
const joined = (owned: string, executed = ''): string => `${executed},${owned.replace(/#\d+/g, '')}`.replace(/\s/g, '');

/**
 * On MariaDB a primary's position moves before a commit is visible, a replica's position after it, so equal positions are safe. The state
 * of a log has the last GTID of each server that wrote to it, because two servers may use the same number. We check for filters, because
 * a skipped transaction moves the position, too. (MySQL shows its filters to few users.) We can't tell servers with the same id apart,
 * because a replica does not know its primary's `server_uid` (docs/read-replicas.md).
 */
const ofDomains = (server: Server): Replication => ({
  ...stateReader(server, `${allFilters}, @@global.gtid_slave_pos, @@global.gtid_binlog_state`),
  primaryQuery: `SELECT DATABASE(), @@global.gtid_binlog_pos, @@global.gtid_binlog_state FROM DUAL WHERE @@global.log_bin = 1`,
  position(answer) {
    const [cluster = '', position = '', state = ''] = cells(answer);
    return position === '' ? null : { cluster, log: [position, state] };
  },
  hasReached: ([applied = ''], [position = '']) => gtids(position).every(isIn(gtids(applied))),
  exceeds: (has, [, log = '']) => (has.flatMap(gtids).every(isIn(gtids(log))) ? null : errant),
});

/** Compare the server, too: before and after a failover, two primaries may have used the same number. */
const isIn =
  (present: readonly Gtid[]) =>
  ({ domain, server, number }: Gtid): boolean =>
    present.some((one) => one.domain === domain && one.server === server && one.number >= number);

type Gtid = ReturnType<typeof gtids>[number];

/** Parses a list such as `0-1-100,1-1-7`: domain, server, number. */
const gtids = (list: string) =>
  [...list.matchAll(/(\d+)-(\d+)-(\d+)/g)].map(([, domain = '', server = '', number = '0']) => ({
    ...{ domain, server },
    number: BigInt(number),
  }));
