/** What changes with every commit, on PostgreSQL: the snapshot that a statement would read. */
import type { Server } from '../../model/catalog.ts';
import type { TokenLog, TokenSource } from '../../model/token.ts';
import { text } from '../cells.ts';
import { definitionsIn, definitionsSince, words } from './definitions.ts';
import { positionOf } from './position.ts';
import { cells, isAnyBefore, numberOf, snapshot, transaction } from './snapshots.ts';

/**
 * A server that has crashed may give a number to a second transaction, and so may one that was a standby. The statistics begin anew
 * after a crash, which the time of the start does not show.
 */
export const startId = `(SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' || coalesce(extract(epoch FROM stats_reset)::text, '') FROM pg_stat_bgwriter)`;

/** A transaction that ends raises the snapshot's upper end or leaves its list. The snapshot of a standby lists none: hence its position. */
export function tokens({ version: [major = 0] }: Server): readonly TokenSource[] {
  const snapshot = major >= 13 ? 'pg_current_snapshot' : 'txid_current_snapshot';
  return [
    {
      // After a recovery or a promotion the position stays, and would hide whose transactions ended.
      name: snapshot,
      unless: [],
      statements: [
        `SELECT ${snapshot}()::text, ${startId}, CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END`,
      ],
      token: ([answer]) => (answer?.cells[0] === undefined ? null : JSON.stringify(answer.cells[0].map(String))),
      ended,
      early: 0,
      ofAllTables: true,
      log: major >= 13 ? log : null,
    },
  ];
}

/** More transactions between two tokens are not listed. */
const most = 10_000n;

/**
 * Transactions below the end of the later snapshot, and not in its list, that the earlier one did not see. Their ids begin with that
 * of the running server, because another may give the same numbers again.
 */
function ended(before: string, after: string): readonly string[] | null {
  const [[old, ...where], [now, ...there]] = [cells(before), cells(after)];
  // Another server, a crash, or a standby, which lists none.
  if (where.join() !== there.join() || there.at(-1) !== 'null') return null;
  const [earlier, later] = [snapshot(old), snapshot(now)];
  if (earlier === null || later === null || later.end < earlier.end || later.end - earlier.end > most) return null;
  const found = earlier.running.filter((id) => !later.running.includes(id));
  for (let id = earlier.end; id < later.end; id++) if (!later.running.includes(String(id))) found.push(String(id));
  return found.map((id) => transaction(where[0], id));
}

/**
 * The identity of the log: another server, or another database of this one, gives the same numbers to other transactions. A stream
 * does not outlive a crash.
 */
export const logId = `(SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' || oid FROM pg_database WHERE datname = current_database())`;

/** Decoded rows do not say whether their transaction was rolled back, or has changed definitions, too. */
const log: TokenLog = {
  namesCascades: true,
  inspect: (before, ids, related) => [definitionsSince(before, related, more, JSON.stringify(ids.map(numberOf)))],
  question(_, others, [inspected]) {
    const { more, ...compared } = definitionsIn((inspected?.cells[0] ?? []).map(text));
    const [committed = '', position = '', where] = more;
    const until = positionOf(position);
    if (others === null || until === null) return null;
    return {
      ids: words(committed).map((id) => transaction(where, id)),
      ...{ after: null, until, ...compared },
    };
  },
  // Others may rename a schema while a transaction writes to its tables.
  mayBeEarlier: isAnyBefore,
};
const more = `(SELECT string_agg(id, ' ') FROM json_array_elements_text($3::json) id WHERE pg_xact_status(id::xid8) = 'committed'),
  pg_current_wal_insert_lsn()::text, ${logId}`;
