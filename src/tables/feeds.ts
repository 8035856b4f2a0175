/** Whether we can read the log of a database's server, and with which login. */
import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import { haveOneLog, readFeedFacts } from '../execute/catalog.ts';
import type { Database } from '../execute/connection/database.ts';
import { outageOf } from '../execute/connection/outage.ts';
import type { CommitMarkerSource } from '../model/commit-marker.ts';
import type { ChangeDialect } from '../model/dialect/change.ts';
import type { SessionDialect } from '../model/dialect/session.ts';
import type { Family } from '../model/dialect.ts';
import type { FeedFacts, FeedSource } from '../model/feed.ts';
import { outageText } from '../servers/outage-text.ts';
import { openReadOnlyPool } from '../servers/pools.ts';
import type { DatabaseSnapshot, TableNameSource } from './served.ts';

interface Reachable {
  readonly database: Database;
  readonly dialect: ChangeDialect & SessionDialect;
  readonly family: Family;
  readonly commitMarker: CommitMarkerSource | null;
}

/** What prevents reading the server's log; null if `feed` is none, or the engine has no log. Throws if the database can't be used. */
export async function readFeed(
  settings: DatabaseSettings | undefined,
  { database, dialect, family, commitMarker }: Reachable,
): Promise<FeedFacts | null> {
  if (settings === undefined || settings.feed === 'none' || !('connection' in settings)) return null;
  if (dialect.feed === null || (commitMarker?.log ?? null) === null) return null;
  const { feedConnection: connection } = settings;
  if (connection === null) return readFeedFacts(database, dialect, dialect.feed);
  const other = await openReadOnlyPool({ ...settings, connection, pool: { ...settings.pool, max: 1 } });
  try {
    if (!(await haveOneLog(database, other, dialect.feed)))
      return { obstacles: [{ why: elsewhere, remedy: null }], remarks: [] };
    return await readFeedFacts(other, dialect, dialect.feed);
  } catch (cause) {
    const why = outageText(outageOf(cause, family.outage), { ...settings, connection }, true);
    return { obstacles: [{ why: `feedConnection cannot be used: ${why}`, remedy: null }], remarks: [] };
  } finally {
    await other.close();
  }
}

const elsewhere = 'feedConnection leads to another server, or to another database of PostgreSQL';

/** A complaint, which forbids serving, if `feed` is `required` but the log can't be read. */
export function complaintsOfMissingFeed(
  { name, feed: setting }: DatabaseSettings,
  feed: FeedFacts | null,
): readonly Finding[] {
  if (setting !== 'required' || feed?.obstacles.length === 0) return [];
  const none = [{ why: 'the engine has none, or its answers are not cached', remedy: null }];
  return (feed?.obstacles ?? none).map(({ why, remedy }) => ({
    path: ['databases', name, 'feed'],
    says: `is required, but the log cannot be read: ${why}${remedy === null ? '' : `. To change that: ${remedy}`}`,
  }));
}

/** The log that names changed tables; null if it is not read. */
export function nameSourceOf(settings: Settings, snapshot: DatabaseSnapshot): TableNameSource | null {
  const log = snapshot.connected?.commitMarker?.log ?? null;
  const feed = feedSourceOf(settings, snapshot);
  const mayPause = settings.databases.get(snapshot.name)?.feed === 'auto';
  return feed === null || log === null ? null : { log, feed, mayPause };
}

/** Above this limit, reading the log would cost the server more than a twentieth of a core. */
const maxCommitsPerSecond = 1000;

/** How to read the log; null if it is not read. */
function feedSourceOf({ databases }: Settings, { name, connected }: DatabaseSnapshot): FeedSource | null {
  const settings = databases.get(name);
  if (settings === undefined || !('connection' in settings)) return null;
  if (connected?.feed?.obstacles.length !== 0) return null;
  const { client, connection, feedConnection, feed: setting } = settings;
  const { server, feed } = connected;
  return {
    database: name,
    client,
    connection: feedConnection ?? connection,
    server,
    log: feed.log,
    maxCommitsPerSecond: setting === 'required' ? null : maxCommitsPerSecond,
  };
}
