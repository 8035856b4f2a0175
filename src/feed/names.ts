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
}

/** Names the tables that transactions past the gateway have changed, from the logs of their servers. */
export interface Names {
  /** Null: anything may have changed, or the log cannot be read now. The first question about a server opens its log. */
  tablesOf(source: FeedSource, question: LogQuestion): Promise<readonly Relation[] | null>;
  close(): void;
}

/** @param emit gets the events of the logs: opened and lost */
export type OpenNames = (emit: Emit) => Names;
