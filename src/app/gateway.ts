import type { Trust } from '../accept/client.ts';
import type { Rates } from '../accept/rates.ts';
import type { Bounds } from '../actions/action.ts';
import type { Spool } from '../execute/dump/spool.ts';
import type { Assets } from '../explorer/assets.ts';
import type { Shadow } from '../forward/shadow.ts';
import type { Emit } from '../model/events.ts';
import type { Permitted, Subscriber } from '../notices/subscriber.ts';
import type { SelectParser } from '../parse/select-parser.ts';
import type { Resolved, Served } from '../tables/served.ts';
import type { Cache } from './cache.ts';
import type { LastChanges } from './last-changes.ts';

/** Everything that a call needs, in one immutable value. A call takes it once at its start, so a reload changes nothing midway. */
export interface Gateway extends Served {
  /** The limits on actions, and the encryption for their page cursors. */
  readonly bounds: Bounds;
  /** Part of every cache key. It rises when settings or catalogues change what answers show. */
  readonly version: number;
  /** The generations' epoch when this gateway was created: change notices treat every resource as changed in that epoch. */
  readonly sinceEpoch: number;
  /** When this gateway was made, by `performance.now()`. */
  readonly madeAt: number;
  /** When the configuration file was last changed, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly cache: Cache;
  readonly lastChanges: LastChanges;
  /**
   * Invalidates, in every process, all entries that a write to this resource affects. Await it before answering the write.
   * @param transactions the ids of the write's transactions; empty if the engine does not report them
   */
  invalidate(resource: Resolved, transactions: readonly string[]): Promise<void>;
  /**
   * Suspends caching of all entries that a write to this resource affects, in every process. The suspension lasts from when the returned
   * promise resolves until `settled` does.
   */
  suspend(resource: Resolved, settled: Promise<void>): Promise<void>;
  /**
   * Opens a stream of change notices. It ends when the client disconnects, or when it may no longer read one of the resources.
   * @throws Refusal unavailable (503) over `limits.subscribers`
   */
  subscribe(permitted: Permitted, by: Subscriber): AsyncIterable<string>;
  /** Files on disk that buffer downloads for slow clients. */
  readonly spool: Spool;
  /** Parses the clients' SQL. */
  readonly selects: SelectParser;
  /** The explorer's files. */
  readonly assets: Assets;
  readonly emit: Emit;
  readonly random: () => number;
  /** Null without a rate limit. */
  readonly rates: Rates | null;
  /** Compares answers with the upstream's; null without an upstream. */
  readonly shadow: Shadow | null;
  /** The `Vary` header of answers that depend on the caller. */
  readonly vary: string;
  /** The proxies whose forwarding headers are trusted. */
  readonly trust: Trust;
  /** Whether the configuration was reloaded after this gateway was created: the new one may have revoked a right that this one grants. */
  isReplaced(): boolean;
  /**
   * Whether this resource's table still has the definition that we read. Asks the server, unless we read it after `since` (by
   * `performance.now()`). Throws what the query threw.
   */
  isCurrent(resource: Resolved, since: number): Promise<boolean>;
  /** A gateway with a newer catalogue of the resource's database, to retry a failed call; null if there is none. */
  reread(resource: string, why: 'refused' | 'failed'): Promise<Gateway | null>;
}
