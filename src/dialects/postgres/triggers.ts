/**
 * Triggers of the operator note in a table which tables a transaction has changed, where the log cannot be read. A note becomes
 * visible with its transaction: it is neither early nor late.
 */
import type { Relation } from '../../model/catalog.ts';
import type { TokenLog } from '../../model/token.ts';
import { list, text } from '../cells.ts';
import { definitionsIn, definitionsSince, namesBelow, used } from './definitions.ts';
import { isMeddled, isUnnoted, notes, notesSchema, swept } from './note-trigger.ts';
import { isAnyBefore, numberOf, snapshotOf } from './snapshots.ts';

/**
 * Below which transaction notes are deleted: null where they may be hidden, or made by others. And the tables whose changes are not
 * noted, with those that have a note.
 */
const more = `current_database(), CASE WHEN NOT ${isMeddled} THEN (SELECT xid FROM ${swept}) END,
  ${namesBelow(`SELECT c.oid FROM pg_class c WHERE c.oid = ANY ${used} AND ${isUnnoted} UNION ALL SELECT rel FROM ${notes} WHERE xid = ANY ($3::xid8[])`)}`;
/** Deleted at once, at most: that takes the server a tenth of a second. */
const mostSwept = 100_000;

export const triggers: TokenLog = {
  namesCascades: true,
  inspect: (before, ids, relations) => [
    definitionsSince(before, [...relations.related, ...own], triggers, more, [`{${ids.map(numberOf).join()}}`]),
  ],
  question(_, ids, [inspected]) {
    const { more, ...compared } = definitionsIn((inspected?.cells[0] ?? []).map(text));
    const [database = '', mark = '', noted] = more;
    if (ids === null || mark === '' || ids.some((id) => BigInt(numberOf(id)) < BigInt(mark))) return null;
    const tables = list(noted).map((name) => list(name));
    return {
      ...{ ids, ...compared },
      tables: tables.map(([schema = '', name = '']) => ({ database, schema, name })),
    };
  },
  mayBeEarlier: isAnyBefore,
  sweep: (token) => ({
    // After a restore in another server the mark may be of the future.
    text: `WITH mark AS (UPDATE ${swept} SET xid = $1::xid8 WHERE (xid < $1::xid8 OR xid > pg_snapshot_xmax(pg_current_snapshot()))
    AND EXISTS (SELECT FROM ${notes} WHERE xid < $1::xid8) RETURNING xid)
  DELETE FROM ${notes} WHERE ctid = ANY (ARRAY(SELECT t.ctid FROM ${notes} t WHERE t.xid < (SELECT xid FROM mark) ORDER BY t.xid LIMIT ${mostSwept}))`,
    values: [String(snapshotOf(token)?.first ?? 0n)],
  }),
};

/** Their definitions count, too. As they have no trigger themselves, a view over what the catalogue does not show is never kept. */
const own: readonly Relation[] = ['touched', 'swept'].map((name) => ({ database: '', schema: notesSchema, name }));
