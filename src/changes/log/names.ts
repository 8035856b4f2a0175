import type { Relation } from '../../model/catalog.ts';
import type { Emit } from '../../model/events.ts';
import type { FeedSource, LogQuestion } from '../../model/feed.ts';

/** The tables that were changed, each once. `anything`: they are not known. `closed`: the log is not read at present. */
export type ChangedTables = readonly Relation[] | 'anything' | 'closed';

/** Names the tables that transactions past the gateway have changed, from the logs of their servers. */
export interface Names {
  /** The first question about a server opens its log, and is answered `closed`. */
  tablesOf(source: FeedSource, question: LogQuestion): Promise<ChangedTables>;
  close(): void;
}

/** @param emit gets the events of the logs: opened, lost and closed */
export type OpenNames = (emit: Emit) => Names;
