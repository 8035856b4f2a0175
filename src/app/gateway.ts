/** The one value that a call takes: settings, catalogues, resources and the cache. */
import type { Trust } from '../accept/client.ts';
import type { Rates } from '../accept/rates.ts';
import type { Bounds } from '../actions/action.ts';
import type { Spool } from '../execute/dump/spool.ts';
import type { Assets } from '../explorer/assets.ts';
import type { Emit } from '../model/events.ts';
import type { Subscriber } from '../notices/subscriber.ts';
import type { Resolved, Served } from '../tables/served.ts';
import type { Cache } from './cache.ts';

/** All that one call needs, in one immutable value: a call takes it once (docs/architecture.md). */
export interface Gateway extends Served {
  /** The limits of an action, and the sealing of its cursors. */
  readonly bounds: Bounds;
  /** Changes with settings and catalogues. */
  readonly version: number;
  /** The epoch of the generations in which this gateway was made. Counters of a resource may differ from those before. */
  readonly since: number;
  /** When it was made, by `performance.now()`. */
  readonly madeAt: number;
  readonly cache: Cache;
  /**
   * Invalidates in every process all entries that a write to this resource affects. Answer the write when it has resolved.
   * @param transactions the ids of the write's transactions, as far as the engine says them
   */
  invalidate(resource: Resolved, transactions: readonly string[]): Promise<void>;
  /**
   * Suspends, in every process, caching of all entries that a write to this resource affects. Starts when it resolves, ends
   * when `settled` has.
   */
  suspend(resource: Resolved, settled: Promise<void>): Promise<void>;
  /**
   * Opens a stream of change notices for these resources, each under the name that the client has for it. It ends when the client
   * leaves, or may not read one of them any more.
   * @throws Refusal unavailable (503) over `limits.subscribers`
   */
  subscribe(resources: ReadonlyMap<string, Resolved>, by: Subscriber): AsyncIterable<string>;
  /** The files of downloads whose clients lag. */
  readonly spool: Spool;
  /** The files of the explorer. */
  readonly assets: Assets;
  readonly emit: Emit;
  readonly random: () => number;
  /** Null without a rate limit. */
  readonly rates: Rates | null;
  /** The proxies whose forwarding headers are trusted. */
  readonly trust: Trust;
  /** Whether another configuration was taken over since: it may have revoked what this one granted. */
  isReplaced(): boolean;
  /**
   * Whether the table of this resource is as it was read. Asks the server, unless that was since `since`, by `performance.now()`.
   * Throws what the query threw.
   */
  isCurrent(resource: Resolved, since: number): Promise<boolean>;
  /** A gateway with a newer reading of the database of this resource, for a call that met an unknown name. Null: there is none. */
  reread(resource: string, why: 'refused' | 'failed'): Promise<Gateway | null>;
}
