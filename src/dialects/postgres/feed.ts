/** Checks the settings and rights without which we can't decode PostgreSQL's log. */

import type { Server } from '../../model/catalog.ts';
import type { FeedFact, LogCheck } from '../../model/feed.ts';
import { plain } from '../../model/rows.ts';
import { text } from '../cells.ts';
import { logId } from './commit-markers.ts';

/** The `application_name` of the connection that reads the log. */
export const feedName = 'datastore-gateway feed';

const facts = `SELECT current_setting('wal_level'), pg_is_in_recovery(), current_setting('synchronous_standby_names'),
  r.rolreplication OR r.rolsuper OR EXISTS (SELECT FROM pg_roles g WHERE g.rolname = 'rds_replication' AND pg_has_role(g.oid, 'MEMBER')), quote_ident(r.rolname),
  (SELECT count(*) FROM pg_replication_slots) >= current_setting('max_replication_slots')::int, current_setting('max_replication_slots')::int
  FROM pg_roles r WHERE r.rolname = current_user`;

export const feed = ({ version: [major = 0] }: Server): LogCheck => ({
  identity: plain(`SELECT ${logId}`),
  queries: [plain(facts)],
  facts([answer]) {
    const [level = '', standby = '', synchronous = '', mayReplicate = '', role = '', isFull = '', slots = ''] = (
      answer?.cells[0] ?? []
    ).map(text);
    const obstacles: FeedFact[] = [];
    const add = (isIn: boolean, why: string, remedy: string | null) => void (isIn && obstacles.push({ why, remedy }));
    add(major < 13, 'the server is older than version 13', null);
    add(standby === 't', 'the server is a standby', null);
    add(
      level !== 'logical',
      `wal_level is ${level}, and must be logical`,
      'ALTER SYSTEM SET wal_level = logical; -- then restart the server',
    );
    add(
      mayReplicate !== 't',
      `the role ${role} may not replicate`,
      `CREATE ROLE gateway_feed LOGIN REPLICATION PASSWORD '…'; -- for feedConnection: it can read all data of the server`,
    );
    // If our connection were a synchronous standby, every commit would wait until the gateway has confirmed it.
    add(
      synchronous.includes('*') || synchronous.includes(feedName),
      `synchronous_standby_names is ${synchronous}, so the gateway would count as a synchronous standby`,
      'ALTER SYSTEM SET synchronous_standby_names = …; -- the names of the standbys',
    );
    add(
      isFull === 't',
      `all of max_replication_slots (${slots}) are in use`,
      `ALTER SYSTEM SET max_replication_slots = ${Number(slots) + 2}; -- then restart the server`,
    );
    return { obstacles, remarks: [] };
  },
});
