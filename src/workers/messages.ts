/** The messages between the primary process and its workers, besides those of the bus. */
import type { States } from '../app/health.ts';
import type { FromHub, ToHub } from '../cache/buses/hub.ts';
import type { ChangedTables } from '../changes/log/names.ts';
import type { Texts } from '../config/texts.ts';
import type { FeedSource, LogQuestion } from '../model/feed.ts';
import type { MetricValues } from '../watch/metrics.ts';

/** What the primary tells a worker at its start. */
export interface Orders {
  readonly texts: Texts;
  /** The texts with which the first workers started, for settings that need a restart; null if they are the same as `texts`. */
  readonly first: Texts | null;
  /** The worker's number, from 1; its replacement gets the same number. */
  readonly number: number;
  readonly workers: number;
  /** Used if the configuration has no `server.secret`, because all workers must encrypt cursors with the same secret. */
  readonly secret: string;
  /** Whether to start although some resources fail to load. True for a replacement, which must start even if a database is down. */
  readonly isLenient: boolean;
}

export type ToWorker =
  | FromHub
  /** The answer to an `AskNames`. */
  | { readonly named: number; readonly tables: ChangedTables }
  | { readonly ask: 'start'; readonly orders: Orders }
  /** Sent before `joined` if the configuration was reloaded while the worker started: the worker must then serve with these texts. */
  | { readonly ask: 'renew'; readonly texts: Texts }
  | { readonly ask: 'prepare'; readonly round: number; readonly texts: Texts }
  | { readonly ask: 'adopt'; readonly round: number }
  | { readonly ask: 'drop' }
  /** The primary asks each worker for its health (`states`) or metrics (`shown`), because only the primary has the admin port. */
  | { readonly ask: 'states'; readonly round: number }
  | { readonly ask: 'shown'; readonly round: number }
  | { readonly ask: 'stop' };

/** How far a worker's start has come. */
export type WorkerState =
  /** `listen`: the worker can receive messages; until then they would be lost. `serve`: it accepts requests at `port`. */
  { readonly did: 'listen' } | { readonly did: 'serve'; readonly port: number };

export type WorkerReply =
  | { readonly did: 'prepare'; readonly round: number; readonly complaints: readonly string[] }
  | { readonly did: 'adopt'; readonly round: number }
  | { readonly did: 'states'; readonly round: number; readonly states: States }
  | { readonly did: 'shown'; readonly round: number; readonly shown: MetricValues };

/** A worker's question about a server's log, which the primary reads for all workers. `name` is the question's number. */
export interface AskNames {
  readonly name: number;
  readonly source: FeedSource;
  readonly question: LogQuestion;
}

export type FromWorker = ToHub | WorkerState | WorkerReply | AskNames;
