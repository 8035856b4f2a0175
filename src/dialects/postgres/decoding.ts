/** Where decoding of the log begins, and the ids of what it delivers. */
import type { DecodingSource } from '../../model/feed.ts';
import { DecodedNames, namesWithin } from './decoded.ts';
import { feedName } from './feed.ts';
import { positionOf, wholeNumber } from './position.ts';
import { numberOf, transaction } from './snapshots.ts';
import { logId } from './tokens.ts';

export const decoding: DecodingSource = {
  name: feedName,
  query: `SELECT ${logId}, pg_snapshot_xmax(pg_current_snapshot())::text, current_database(), current_setting('server_encoding'), pg_current_wal_insert_lsn()::text`,
  begin([where, next, database, encoding = '', position = '']) {
    const start = positionOf(position);
    if (where === undefined || next === undefined || database === undefined || start === null) return null;
    const names = new DecodedNames(database, encoding === 'UTF8' || encoding === 'SQL_ASCII');
    /** Transactions with this number, and later ones, began after the slot. An earlier one may be neither visible nor delivered. */
    let first = Number(next);
    /** The number of the last transaction: the next is near to it. */
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
        return { id: transaction(where, String(last)), tables: decoded.tables, end };
      },
    };
  },
};
