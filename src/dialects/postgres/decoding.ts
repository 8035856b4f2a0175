/** Where to begin decoding the log, and the ids of the transactions in it. */
import type { DecodingSource } from '../../model/feed.ts';
import { logId } from './commit-markers.ts';
import { DecodedNames, namesWithin } from './decoded.ts';
import { feedName } from './feed.ts';
import { positionOf, wholeNumber } from './position.ts';
import { numberOf, transactionIdOf } from './snapshots.ts';

export const decoding: DecodingSource = {
  name: feedName,
  query: `SELECT ${logId}, pg_snapshot_xmax(pg_current_snapshot())::text, current_database(), current_setting('server_encoding'), pg_current_wal_insert_lsn()::text`,
  begin([where, next, database, encoding = '', position = '']) {
    const start = positionOf(position);
    if (where === undefined || next === undefined || database === undefined || start === null) return null;
    const names = new DecodedNames(database, encoding === 'UTF8' || encoding === 'SQL_ASCII');
    /** Transactions with this number or a higher one began after the slot was created, so the stream has them. Earlier ones may be missing. */
    let first = Number(next);
    /** The full number of the last transaction. The log only has the lower half of each number; we complete the next one from this. */
    let last = first;
    return {
      start,
      keep: namesWithin,
      covers: (id) => id.startsWith(`${where} `) && Number(numberOf(id)) >= first,
      forget(id) {
        first = Math.max(first, Number(numberOf(id)) + 1);
      },
      read(message, end) {
        const decoded = names.read(message);
        if (decoded === null) return null;
        last = wholeNumber(decoded.xid, last);
        return { id: transactionIdOf(where, String(last)), tables: decoded.tables, end };
      },
    };
  },
};
