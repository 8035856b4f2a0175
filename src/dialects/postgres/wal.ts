/**
 * `pg_walinspect` shows the write-ahead log, where it cannot be decoded: which transaction wrote to which file. The log between a
 * position before the first record of a transaction and its commit record has all that it wrote.
 */
import type { NamedTables } from '../../model/feed.ts';
import type { Memory, TokenLog } from '../../model/token.ts';
import { list, text } from '../cells.ts';
import { definitionsIn, definitionsSince, namesBelow, used } from './definitions.ts';
import { isAnyBefore, numberOf, snapshotOf } from './snapshots.ts';
import { after, readable, startFor, type WalMark } from './wal-marks.ts';

/** The function of the extension. It shows no rows of tables. */
export const walFunction = 'pg_get_wal_records_info';

/** Records of locks on rows, and of cleaning a page, change nothing that is shown. Any other kind counts, also an unknown one. */
const isChange = `manager IN ('Heap', 'Heap2', 'XLOG') AND type <> ALL ('{LOCK,LOCK_UPDATED,VISIBLE,FREEZE_PAGE,VACUUM,FPI_FOR_HINT}') AND type NOT LIKE 'PRUNE%'`;
/** Where the first block of a record is: `blkref #0: rel TABLESPACE/DATABASE/FILE fork …`. All blocks of such a record are of one file. */
const place = `split_part(block_ref, ' ', 4)`;

/**
 * JSON: whether it is known what the transactions have changed, the bytes that were read, and the tables. `$3` is the end of the earlier
 * snapshot, `$4` a position before the first record of the transactions `$5`.
 *
 * Records after the flushed position cannot be read, and the commits of some sessions are seen before they are flushed: so each commit
 * has to be found. Subtransactions have numbers of their own, which commit with another. In a server whose texts
 * have another form, a commit would be missing.
 */
const more = `current_database(), age($3::text::xid8::xid), (
  WITH bounds AS MATERIALIZED (SELECT nullif($4::text, '')::pg_lsn AS first, pg_current_wal_flush_lsn() AS last),
  wal AS MATERIALIZED (SELECT xid::text AS xid, resource_manager AS manager, record_type AS type, description, block_ref
    FROM bounds, LATERAL ${walFunction}(first, last) WHERE last > first AND last - first <= ${readable}),
  commits AS MATERIALIZED (SELECT CASE type WHEN 'COMMIT' THEN xid ELSE split_part(description, ':', 1) END AS top,
    string_to_array(substring(description FROM 'subxacts:((?: [0-9]+)+)'), ' ') AS subs FROM wal WHERE manager = 'Transaction' AND type LIKE 'COMMIT%'),
  asked AS MATERIALIZED (SELECT id::xid::text AS xid, pg_xact_status(id) = 'committed' AS committed FROM unnest($5::xid8[]) id),
  changes AS MATERIALIZED (SELECT DISTINCT xid, ${place} AS place FROM wal WHERE ${isChange} AND block_ref <> ''),
  files AS MATERIALIZED (SELECT DISTINCT split_part(place, '/', 3) AS file FROM changes
    WHERE split_part(place, '/', 2) = (SELECT oid::text FROM pg_database WHERE datname = current_database())
    AND xid NOT IN (SELECT unnest(top || subs) FROM commits WHERE top NOT IN (SELECT xid FROM asked))
    AND CASE WHEN age(xid::xid) > 0 THEN pg_xact_status(($3::text::bigint + age($3::text::xid8::xid) - age(xid::xid))::text::xid8) = 'committed' END)
  SELECT json_build_array(
    last - first <= ${readable} AND NOT EXISTS (SELECT FROM changes WHERE place !~ '^[0-9]+/[0-9]+/[0-9]+$') AND NOT EXISTS (SELECT FROM asked
      WHERE committed AND xid NOT IN (SELECT unnest(top || subs) FROM commits)),
    CASE WHEN last - first BETWEEN 0 AND ${readable} THEN last - first ELSE 0 END,
    ${namesBelow(`SELECT unnest(${used})`, `c.relkind IN ('r', 'm') AND (c.relpersistence <> 'p' OR c.relam <> 2 OR c.relfilenode = 0 OR c.relfilenode::text IN (SELECT file FROM files))`)})
  FROM bounds)::text`;
/** Asked before the rest: a transaction that gets its number later writes behind it. */
const position = { text: 'SELECT pg_current_wal_insert_lsn()::text', values: [] };

export const wal: TokenLog = {
  namesCascades: true,
  inspect: (before, ids, relations, memory) => [
    position,
    definitionsSince(before, relations.related, wal, more, [
      ...[String(endOf(before)), startFor(ids.map(numberOf), marksOf(memory)) ?? ''],
      `{${ids.map(numberOf).join()}}`,
    ]),
  ],
  question({ before }, ids, [at, inspected], memory): NamedTables | null {
    const { more, ...compared } = definitionsIn((inspected?.cells[0] ?? []).map(text));
    const [database = '', age = '', said] = more;
    if (ids === null || said === undefined) return null;
    const [isKnown, bytes, tables]: readonly unknown[] = JSON.parse(said);
    const mark = { next: String(endOf(before) + BigInt(age)), position: text(at?.cells[0]?.[0]) };
    const named = Array.isArray(tables) ? tables.map((name) => list(String(name))) : [];
    return {
      ...{ ids, ...compared },
      memory: JSON.stringify(after(marksOf(memory), mark)),
      work: Number(bytes) / bytesPerMillisecond,
      tables:
        isKnown === true ? [...named, unknown].map(([schema = '', name = '']) => ({ database, schema, name })) : null,
    };
  },
  mayBeEarlier: isAnyBefore,
};

/** Of the log, in a millisecond of the server's processor. */
const bytesPerMillisecond = 20_000;

/** In place of what is not among the tables of the answers: a view over what the catalogue does not show is never kept. */
const unknown = ['pg_catalog', 'pg_class'];

const endOf = (token: string): bigint => snapshotOf(token)?.end ?? 0n;

const marksOf = (memory: Memory | null): readonly WalMark[] => (memory === null ? [] : JSON.parse(memory.text));
