/** PostgreSQL's commit marker: the snapshot that a new statement would read. */
import type { Server } from '../../model/catalog.ts';
import type { CommitMarkerLog, CommitMarkerSource } from '../../model/commit-marker.ts';
import { plain } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { definitionsIn, definitionsSince, words } from './definitions.ts';
import { positionOf } from './position.ts';
import { cells, isAnyBefore, numberOf, snapshot, transactionIdOf } from './snapshots.ts';

/**
 * Identifies a run of the server: after a crash or a promotion, it may use transaction numbers again. A crash resets the statistics, but
 * leaves the start time unchanged.
 */
export const startId = `(SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' || coalesce(extract(epoch FROM stats_reset)::text, '') FROM pg_stat_bgwriter)`;

/** A transaction that ends raises the snapshot's upper end or leaves its list. A standby lists none, so we add its log position. */
export function commitMarkers({ version: [major = 0] }: Server): readonly CommitMarkerSource[] {
  const snapshot = major >= 13 ? 'pg_current_snapshot' : 'txid_current_snapshot';
  return [
    {
      // NULL on a primary: a promoted server keeps its last position, and `ended` would take it for a standby.
      name: snapshot,
      unless: [],
      statements: [
        plain(
          `SELECT ${snapshot}()::text, ${startId}, CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END`,
        ),
      ],
      readMarker: ([answer]) => (answer?.cells[0] === undefined ? null : JSON.stringify(answer.cells[0].map(String))),
      ended,
      maxEarlyMs: 0,
      coversAllStorageEngines: true,
      log: major >= 13 ? log : null,
    },
  ];
}

/** Limit of `ended`: with more transactions between two commit markers, it returns null. */
const maxListed = 10_000n;

/**
 * Transactions that ended between two snapshots. Their ids begin with `startId`, because another run of the server may use the same
 * numbers again.
 */
function ended(before: string, after: string): readonly string[] | null {
  const [[old, ...where], [now, ...there]] = [cells(before), cells(after)];
  // The server is another one, has crashed, or is a standby, whose snapshots list no transactions.
  if (where.join() !== there.join() || there.at(-1) !== 'null') return null;
  const [earlier, later] = [snapshot(old), snapshot(now)];
  if (earlier === null || later === null || later.end < earlier.end || later.end - earlier.end > maxListed) return null;
  const ids = earlier.running.filter((id) => !later.running.includes(id));
  for (let id = earlier.end; id < later.end; id++) if (!later.running.includes(String(id))) ids.push(String(id));
  return ids.map((id) => transactionIdOf(where[0], id));
}

/**
 * Identifies the log: on other servers, and in other databases of this one, the same numbers mean other transactions. It need not
 * change in a crash, because a crash ends the stream.
 */
export const logId = `(SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' || oid FROM pg_database WHERE datname = current_database())`;

/** Queries what the decoded log doesn't show: whether a transaction was committed, and whether it has changed definitions. */
const log: CommitMarkerLog = {
  namesCascades: true,
  inspect: (before, ids, related) => [definitionsSince(before, related, more, JSON.stringify(ids.map(numberOf)))],
  question(_, others, [inspected]) {
    const { more, ...definitions } = definitionsIn((inspected?.cells[0] ?? []).map(text));
    const [committed = '', position = '', where] = more;
    const until = positionOf(position);
    if (others === null || until === null) return null;
    return {
      ids: words(committed).map((id) => transactionIdOf(where, id)),
      ...{ after: null, until, ...definitions },
    };
  },
  // Another session may rename a schema while a transaction writes to its tables.
  mayHaveOldNames: isAnyBefore,
};
const more = `(SELECT string_agg(id, ' ') FROM json_array_elements_text($3::json) id WHERE pg_xact_status(id::xid8) = 'committed'),
  pg_current_wal_insert_lsn()::text, ${logId}`;
