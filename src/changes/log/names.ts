import type { Relation } from '../../model/catalog.ts';
import type { Emit } from '../../model/events.ts';
import type { FeedSource, LogQuestion } from '../../model/feed.ts';

/** The changed tables, each once. `anything`: unknown, so any table may have changed. `closed`: the log is not being read. */
export type ChangedTables = readonly Relation[] | 'anything' | 'closed';

/** Finds out from servers' logs which tables other clients' transactions have changed. */
export interface ChangeFeed {
  /** The first query about a server opens its log, and gets the answer `closed`. */
  tablesOf(source: FeedSource, question: LogQuestion): Promise<ChangedTables>;
  close(): void;
}

/** @param emit gets events about the logs: opened, lost and closed */
export type OpenChangeFeed = (emit: Emit) => ChangeFeed;
