import type { Relation, Server } from '../model/catalog.ts';
import type { Connection, ServerClient } from '../model/engines.ts';
import type { Emit } from '../model/events.ts';
import type { LogQuestion } from '../model/feed.ts';

/** A server whose log is read, and the login for that. Structured data: it is sent between threads and processes. */
export interface FeedSource {
  /** The name of the database in the configuration, for the log. */
  readonly database: string;
  readonly client: ServerClient;
  readonly connection: Connection;
  readonly server: Server;
  /** As `FeedFacts.log`. */
  readonly log: string | undefined;
  /** Commits per second of the server above which its log is not read for a while; null: it is always read. */
  readonly mostCommits: number | null;
}

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
