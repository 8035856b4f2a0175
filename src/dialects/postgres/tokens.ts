/** What changes with every commit, on PostgreSQL: the snapshot that a statement would read. */
import type { Server } from '../../model/catalog.ts';
import type { TokenLog, TokenSource } from '../../model/token.ts';
import { text } from '../cells.ts';
import { positionOf } from './position.ts';

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

/** More transactions between two tokens are not told apart. */
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

/** @param start as `startId` reads it */
export const transaction = (start: string | null | undefined, id: string): string => `${start} ${id}`;

/** `first:end:running,running…` */
function snapshot(text = ''): { readonly end: bigint; readonly running: readonly string[] } | null {
  const [, end, running = ''] = /^\d+:(\d+):([\d,]*)$/.exec(text) ?? [];
  return end === undefined ? null : { end: BigInt(end), running: running === '' ? [] : running.split(',') };
}

function cells(token: string): readonly string[] {
  const row: unknown = JSON.parse(token);
  return Array.isArray(row) ? row.map(String) : [];
}

/** Definitions that answers depend on. Those of the system, which begin below this id, do not change. */
const changed = [
  // Partitions, row security, rights, and what a materialized view stores.
  `pg_class WHERE oid >= 16384 AND relpersistence <> 't'`,
  'pg_attribute WHERE TRUE',
  ...['pg_rewrite', 'pg_proc', 'pg_type', 'pg_trigger', 'pg_constraint', 'pg_policy', 'pg_enum', 'pg_namespace'].map(
    (catalog) => `${catalog} WHERE oid >= 16384`,
  ),
  'pg_inherits WHERE TRUE',
  'pg_auth_members WHERE TRUE',
];
/** What is dropped leaves nothing new behind. */
const dropped = ['pg_class', 'pg_policy', 'pg_inherits', 'pg_auth_members'];

/**
 * Decoded rows do not say whether their transaction has changed definitions, too. A definition is a row of the catalogue, whose
 * transaction is at most as old as the oldest one that ran at the earlier token.
 */
const log: TokenLog = {
  namesCascades: true,
  inspect(before, ids) {
    const oldest = BigInt(/^\d+/.exec(cells(before)[0] ?? '')?.[0] ?? 0) % 2n ** 32n;
    const isNew = changed.map((rows) => `EXISTS (SELECT FROM ${rows} AND age(xmin) <= age('${oldest}'::xid))`);
    const counts = dropped.map((catalog) => `(SELECT count(*) FROM ${catalog})`);
    const numbers = ids.map((id) => id.slice(id.lastIndexOf(' ') + 1)).filter((id) => /^\d+$/.test(id));
    return `SELECT (SELECT string_agg(id, ' ') FROM unnest(string_to_array('${numbers.join(' ')}', ' ')) id
    WHERE pg_xact_status(id::xid8) = 'committed'), pg_current_wal_insert_lsn()::text, ${isNew.join(' OR ')},
  concat_ws(' ', ${counts.join(', ')}, (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user))`;
  },
  question({ after }, others, inspected) {
    const [committed = '', position = '', isNew, definitions = null] = (inspected?.cells[0] ?? []).map(text);
    const until = positionOf(position);
    if (others === null || until === null || isNew !== 'f') return null;
    const start = cells(after)[1];
    const ids = committed.split(' ').filter((id) => id !== '');
    return { ids: ids.map((id) => transaction(start, id)), after: null, until, definitions };
  },
};
