/** Whether the log of a database's server can be read, and by which login; else whether queries name what others write. */
import { type OrderedEffects, shownBy } from '../cache/invalidation.ts';
import type { Database as DatabaseSettings, Settings } from '../config/assemble.ts';
import type { Finding } from '../config/complaints.ts';
import { haveOneLog, readFeedFacts } from '../execute/catalog.ts';
import type { Database } from '../execute/connection/database.ts';
import { outageOf } from '../execute/connection/outage.ts';
import type { FeedSource } from '../feed/names.ts';
import type { Relation } from '../model/catalog.ts';
import type { Dialect, Family } from '../model/dialect.ts';
import { type FeedFacts, type QueriedFacts, type QueriedFeed, queriedFeeds } from '../model/feed.ts';
import type { TokenSource } from '../model/token.ts';
import type { Connected, DatabaseSnapshot } from './gateway.ts';
import { outageText } from './outage-text.ts';
import type { NameSource } from './outside-writes.ts';
import { openReadOnlyPool } from './pools.ts';

interface Read {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly family: Family;
  readonly token: TokenSource | null;
  readonly effects: OrderedEffects;
  /** The tables and views of the resources. */
  readonly shown: readonly Relation[];
}

/** The log and the queries that the settings allow, until one can be used. Throws where the database cannot be used. */
export async function readFeeds(
  settings: DatabaseSettings | undefined,
  read: Read,
): Promise<Pick<Connected, 'feed' | 'queried'>> {
  const { database, dialect, token, effects, shown } = read;
  if (settings === undefined || settings.feed === 'none') return { feed: null, queried: [] };
  const only = isQueried(settings.feed) ? settings.feed : null;
  const feed = only !== null || (token?.log ?? null) === null ? null : await readLog(settings, read);
  const queried: QueriedFacts[] = [];
  for (const { by, isWeak, check } of dialect.queriedFeeds) {
    if (feed?.obstacles.length === 0 || queried.some(isUsable)) break;
    if (token?.queried[by] === undefined || by !== (only ?? by) || (isWeak && settings.feed === 'required')) continue;
    queried.push({ by, facts: await readFeedFacts(database, dialect, check(shownBy(shown, [effects]))) });
  }
  return { feed, queried };
}

const isQueried = (feed: string): feed is QueriedFeed => queriedFeeds.some((by) => by === feed);

/** Null where the engine has no log. */
async function readLog(settings: DatabaseSettings, { database, dialect, family }: Read): Promise<FeedFacts | null> {
  if (dialect.feed === null || !('connection' in settings)) return null;
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

/** What forbids to serve, because names of tables were asked for. */
export function missingNames(
  { name, feed: wanted }: DatabaseSettings,
  feed: FeedFacts | null,
  queried: readonly QueriedFacts[],
): readonly Finding[] {
  if (wanted !== 'required' && !isQueried(wanted)) return [];
  if (feed?.obstacles.length === 0 || queried.some(isUsable)) return [];
  const [facts, says] =
    wanted === 'required'
      ? ([feed, 'is required, but the log cannot be read'] as const)
      : ([queried[0]?.facts, `is ${wanted}, which cannot be used`] as const);
  const obstacles = facts?.obstacles ?? [{ why: 'the engine has none, or its answers are not cached', remedy: null }];
  return obstacles.map(({ why, remedy }) => ({
    path: ['databases', name, 'feed'],
    says: `${says}: ${why}${remedy === null ? '' : `. To change that: ${remedy}`}`,
  }));
}

/** Null where no tables are named. */
export function nameSourceOf(settings: Settings, snapshot: DatabaseSnapshot): NameSource | null {
  const { connected } = snapshot;
  if (connected === null || connected.token === null) return null;
  const { token, queried } = connected;
  const feed = feedSourceOf(settings, snapshot);
  const mayRest = settings.databases.get(snapshot.name)?.feed === 'auto';
  if (feed !== null && token.log !== null) return { log: token.log, feed, mayRest };
  const usable = queried.find(isUsable);
  const log = usable && token.queried[usable.by];
  return log === undefined ? null : { log, feed: null, mayRest };
}

const isUsable = ({ facts }: QueriedFacts): boolean => facts.obstacles.length === 0;

/** Commits per second whose names are worth their cost: a twentieth of a core of the server's. */
const affordable = 1000;

/** Null where the log is not read. */
function feedSourceOf({ databases }: Settings, { name, connected }: DatabaseSnapshot): FeedSource | null {
  const settings = databases.get(name);
  if (settings === undefined || !('connection' in settings)) return null;
  if (connected?.feed?.obstacles.length !== 0) return null;
  const { client, connection, feedConnection, feed: wanted } = settings;
  const { server, feed } = connected;
  return {
    database: name,
    client,
    connection: feedConnection ?? connection,
    server,
    log: feed.log,
    mostCommits: wanted === 'required' ? null : affordable,
  };
}
