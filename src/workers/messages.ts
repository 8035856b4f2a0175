/** The messages between the primary and its workers, beside those of the bus. */

import type { States } from '../app/health.ts';
import type { FromHub, ToHub } from '../cache/buses/hub.ts';
import type { ChangedTables } from '../changes/log/names.ts';
import type { Texts } from '../config/texts.ts';
import type { FeedSource, LogQuestion } from '../model/feed.ts';
import type { MetricValues } from '../watch/metrics.ts';

/** The settings that a worker starts with. */
export interface Orders {
  readonly texts: Texts;
  /** Those with which the first workers started; null: the same. */
  readonly first: Texts | null;
  /** Its number among the workers, from 1; its replacement gets the same. */
  readonly number: number;
  readonly workers: number;
  /** Replaces an absent `server.secret`. */
  readonly secret: string;
  /** Whether to serve the remaining resources where a database disagrees: true for the replacement of a serving worker. */
  readonly lenient: boolean;
}

export type ToWorker =
  | FromHub
  /** The answer to its question about the log of a server. */
  | { readonly named: number; readonly tables: ChangedTables }
  | { readonly ask: 'start'; readonly orders: Orders }
  /** Precedes `joined` where a reload came while the worker started: it serves with these texts instead. */
  | { readonly ask: 'renew'; readonly texts: Texts }
  | { readonly ask: 'prepare'; readonly round: number; readonly texts: Texts }
  | { readonly ask: 'adopt'; readonly round: number }
  | { readonly ask: 'drop' }
  /** For the admin port, which is the primary's. */
  | { readonly ask: 'states'; readonly round: number }
  | { readonly ask: 'shown'; readonly round: number }
  | { readonly ask: 'stop' };

/** The state of a worker. */
export type WorkerState =
  /** It listens; earlier messages to it are lost. */
  { readonly did: 'listen' } | { readonly did: 'serve'; readonly port: number };

export type WorkerReply =
  | { readonly did: 'prepare'; readonly round: number; readonly complaints: readonly string[] }
  | { readonly did: 'adopt'; readonly round: number }
  | { readonly did: 'states'; readonly round: number; readonly states: States }
  | { readonly did: 'shown'; readonly round: number; readonly shown: MetricValues };

/** A question about the log of a server: one process reads it for all. */
export interface AskNames {
  readonly name: number;
  readonly source: FeedSource;
  readonly question: LogQuestion;
}

export type FromWorker = ToHub | WorkerState | WorkerReply | AskNames;
