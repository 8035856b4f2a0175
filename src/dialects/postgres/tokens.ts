/** What changes with every commit, on PostgreSQL: the snapshot that a statement would read. */
import type { Server } from '../../model/catalog.ts';
import type { TokenSource } from '../../model/token.ts';

/**
 * A server that has crashed may give a number to a second transaction, and so may one that was a standby. The statistics begin
 * anew after a crash, which the time of the start does not tell.
 */
export const startId = `(SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' || coalesce(extract(epoch FROM stats_reset)::text, '') FROM pg_stat_bgwriter)`;

/** A transaction that ends raises the snapshot's upper end or leaves its list. The snapshot of a standby lists none: hence its position. */
export function tokens({ version: [major = 0] }: Server): readonly TokenSource[] {
  const snapshot = major >= 13 ? 'pg_current_snapshot' : 'txid_current_snapshot';
  return [
    {
      name: snapshot,
      unless: [],
      statements: [`SELECT ${snapshot}()::text, ${startId}, pg_last_wal_replay_lsn()::text`],
      token: ([answer]) => (answer?.cells[0] === undefined ? null : JSON.stringify(answer.cells[0].map(String))),
      early: 0,
      ofAllTables: true,
    },
  ];
}
