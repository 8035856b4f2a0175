/** Physical replicas (hot standbys): positions in the write-ahead log, of one cluster and one timeline. */
import type { Replication } from '../../model/replication.ts';
import { text } from '../cells.ts';
import { positionOf } from './position.ts';

/** Includes the database: a standby also has the other databases of its primary, whose tables may have equal names. */
const cluster = `(SELECT system_identifier FROM pg_control_system()) || ' ' || current_database()`;

/**
 * The end of the log in memory, because a commit is logged before it is visible. (The flushed position would miss commits with
 * `synchronous_commit: off`.) The name of a log file begins with the current timeline.
 */
const primaryQuery = `SELECT ${cluster}, left((pg_walfile_name_offset(here)).file_name, 8), here::text,
    (pg_walfile_name_offset(here)).file_offset::text, current_setting('wal_block_size')
  FROM (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_insert_lsn() END AS here OFFSET 0) log`;

/** Bytes of the header of a log page, and of the first page of a file. */
const [head, firstHead] = [24, 40];

/**
 * The end of the last record. Right after a page header, that is the beginning of the page: a standby that has replayed everything
 * reports that position, and would seem to be behind until the next write.
 */
function endOf(here: string, offset: number, block: number): number | null {
  const position = positionOf(here);
  if (position === null) return null;
  if (offset === firstHead) return position - firstHead;
  return position % block === head ? position - head : position;
}

/**
 * Replayed commits are visible. Only members of `pg_read_all_stats` see the timeline that is received. For other users we read it from
 * the control file, which has it some time later.
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
