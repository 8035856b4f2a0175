/** Physical replicas (hot standbys) share their primary's write-ahead log; we compare positions in it, within one cluster and timeline. */
import type { Replication } from '../../model/replication.ts';
import { text } from '../cells.ts';
import { positionOf } from './position.ts';

/** The database is included, because a standby also has its primary's other databases, and their tables may have the same names. */
const cluster = `(SELECT system_identifier FROM pg_control_system()) || ' ' || current_database()`;

/**
 * The end of the log in memory: a commit is in the log before it is visible, so this covers every visible commit. (The flushed position
 * would miss commits with `synchronous_commit: off`.) A log file's name begins with the current timeline.
 */
const primaryQuery = `SELECT ${cluster}, left((pg_walfile_name_offset(here)).file_name, 8), here::text,
    (pg_walfile_name_offset(here)).file_offset::text, current_setting('wal_block_size')
  FROM (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_insert_lsn() END AS here OFFSET 0) log`;

/** Bytes in the header of a log page, and of a file's first page. */
const [head, firstHead] = [24, 40];

/**
 * The end of the last record. If the log ends just after a page header, we report the beginning of that page, as a standby does that has
 * replayed everything. Else the standby would seem to lag behind until the next write.
 */
function endOf(here: string, offset: number, block: number): number | null {
  const position = positionOf(here);
  if (position === null) return null;
  if (offset === firstHead) return position - firstHead;
  return position % block === head ? position - head : position;
}

/**
 * What a standby has replayed is visible. The timeline that it receives is only shown to members of `pg_read_all_stats`. For other users
 * we read the timeline from the control file, which is updated a little later.
 */
const replicaQuery = `SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn()::text, ${cluster},
    upper(lpad(to_hex(coalesce((SELECT received_tli FROM pg_stat_wal_receiver),
      (SELECT greatest(min_recovery_end_timeline, timeline_id) FROM pg_control_recovery(), pg_control_checkpoint()))), 8, '0'))`;

export const replication: Replication = {
  primaryQuery,
  position({ cells: [row = []] }) {
    const [cluster = '', timeline = '', here = '', offset, block] = row.map(text);
    const end = endOf(here, Number(offset), Number(block));
    return end === null ? null : { cluster, log: [timeline, String(end)] };
  },
  replicaQuery,
  state({ cells: [row = []] }) {
    const [inRecovery, position = '', cluster = '', timeline = ''] = row.map(text);
    if (inRecovery !== 't' && inRecovery !== 'true') return { isReplica: false, why: 'it is no standby' };
    return { isReplica: true, cluster, has: [timeline, position] };
  },
  hasReached([itsTimeline, replayed = ''], [timeline, end]) {
    const reached = positionOf(replayed);
    return timeline === itsTimeline && reached !== null && reached >= Number(end);
  },
  exceeds([itsTimeline, replayed = ''], [timeline, end]) {
    if (timeline !== itsTimeline) return 'it is on another timeline than its primary';
    return (positionOf(replayed) ?? 0) > Number(end) ? 'it is ahead of its primary' : null;
  },
};
