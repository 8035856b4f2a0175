import type { Relation } from '../../model/catalog.ts';
import type { Emit } from '../../model/events.ts';
import type { FeedSource, LogQuestion } from '../../model/feed.ts';

/** The tables that were changed, each once. `anything`: unknown, any table may be. `closed`: the log is not being read. */
export type ChangedTables = readonly Relation[] | 'anything' | 'closed';

/** Finds out from the logs of servers which tables the transactions of other clients have changed. */
export interface ChangeFeed {
  /** The first question about a server opens its log, and is answered `closed`. */
  tablesOf(source: FeedSource, question: LogQuestion): Promise<ChangedTables>;
  close(): void;
}

/** @param emit gets the events of the logs: opened, lost and closed */
export type OpenChangeFeed = (emit: Emit) => ChangeFeed;
