/** Whether the log of a database's server can be read, and by which login. */
import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import { haveOneLog, readFeedFacts } from '../execute/catalog.ts';
import type { Database } from '../execute/connection/database.ts';
import { outageOf } from '../execute/connection/outage.ts';
import type { FeedSource } from '../feed/names.ts';
import type { Dialect, Family } from '../model/dialect.ts';
import type { FeedFacts } from '../model/feed.ts';
import type { DatabaseSnapshot } from './gateway.ts';
import { outageText } from './outage-text.ts';
import { openReadOnlyPool } from './pools.ts';

/** Null where the log is not to be read, or the engine has none. Throws where the database cannot be used. */
export async function readFeed(
  settings: DatabaseSettings,
  database: Database,
  dialect: Dialect,
  family: Family,
): Promise<FeedFacts | null> {
  if (settings.feed === 'none' || dialect.feed === null || !('connection' in settings)) return null;
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

/** What forbids to serve, because `feed: required` was asked for. */
export function missingFeed({ name, feed }: DatabaseSettings, facts: FeedFacts | null): readonly Finding[] {
  if (feed !== 'required') return [];
  const obstacles = facts?.obstacles ?? [{ why: 'its answers are not cached, or have no token', remedy: null }];
  return obstacles.map(({ why, remedy }) => ({
    path: ['databases', name, 'feed'],
    says: `is required, but the log cannot be read: ${why}${remedy === null ? '' : `. To change that: ${remedy}`}`,
  }));
}

/** Null where the log is not read. */
export function feedSourceOf({ databases }: Settings, { name, connected }: DatabaseSnapshot): FeedSource | null {
  const settings = databases.get(name);
  if (settings === undefined || !('connection' in settings)) return null;
  if (connected?.feed?.obstacles.length !== 0) return null;
  const { client, connection, feedConnection } = settings;
  return { database: name, client, connection: feedConnection ?? connection, server: connected.server };
}
