/** The body of a read: from the cache, or made and stored. Joins the cache with the counters that an answer depends on. */
import { createHash } from 'node:crypto';
import type { Gateway } from '../app/gateway.ts';
import type { Freshness } from '../cache/freshness.ts';
import type { Generations } from '../cache/generations.ts';
import { type CacheQuestion, keyOf } from '../cache/key.ts';
import type { EntryRef, LoadedBody, Results } from '../cache/results.ts';
import { Refusal } from '../model/errors.ts';
import type { CacheEntry, Lookup } from '../model/http.ts';
import { keptFor } from '../tables/other-gateways.ts';
import type { Resolved } from '../tables/served.ts';
import { toJson } from '../values/json.ts';

/** What a request asks, beside its resource. */
export type Question = Omit<CacheQuestion, 'version' | 'resource'>;

/** For the request cache: how a permitted request was answered from the cache. */
export interface CacheHint {
  readonly gateway: Gateway;
  readonly handle: CacheHandle;
  /** `Cache-Control` of its answers. */
  readonly control: string;
}

/**
 * The cache key of one request and a reference to its entry, valid for one gateway. There may be a million: each is one object
 * and one string.
 */
export class CacheHandle {
  readonly reads: readonly string[];
  /** Milliseconds. */
  readonly ttl: number;
  /** Null where the age of an entry is its only limit. */
  readonly freshness: Freshness | null;
  readonly #generations: Generations;
  /** The hash of the request, a space, and the counts. */
  #key: string;
  #epoch = -1;
  /** The entry that was found last. */
  ref: EntryRef | null = null;

  /** @param question the hash of the request; contains no space */
  constructor(
    question: string,
    reads: readonly string[],
    ttl: number,
    freshness: Freshness | null,
    generations: Generations,
  ) {
    this.reads = reads;
    this.ttl = ttl;
    this.freshness = freshness;
    this.#generations = generations;
    this.#key = `${question} `;
  }

  /** The key with the current counts. Take it before the query is sent. */
  key(): string {
    if (this.#epoch !== this.#generations.epoch) {
      this.#epoch = this.#generations.epoch;
      const question = this.#key.slice(0, this.#key.indexOf(' ') + 1);
      this.#key = question + this.#generations.now(this.reads);
      this.ref = null;
    }
    return this.#key;
  }

  /** The current entry, of any age. */
  entry(results: Results): CacheEntry | null {
    const key = this.key();
    if (!this.ref?.entry) this.ref = results.refOf(key);
    return this.ref?.entry ?? null;
  }
}

/** @returns null where the resource has no cache */
export function cacheHandle(
  { cache, settings, version }: Gateway,
  resource: Resolved,
  question: Question,
): CacheHandle | null {
  const { id, dependencies, freshness } = resource;
  const ttl = keptFor(settings, resource);
  const reads = dependencies?.dependsOn;
  if (ttl === 0 || reads === undefined) return null;
  // A hash is half as long as the JSON and differs from the first character on. So a lookup among many keys is cheaper.
  const name = createHash('sha256')
    .update(keyOf({ resource: id, version, ...question }, toJson))
    .digest('base64url');
  return new CacheHandle(name, reads, ttl, freshness, cache.generations);
}

/**
 * Finds the body or loads it, once for all concurrent requests. A write answered meanwhile bumps the counts, so no later key
 * matches this entry.
 * @param noCache the client accepts no cached body (`Cache-Control: no-cache`)
 * @param gone aborted when this client has left; the signal of `make` is aborted when all waiting clients have
 * @param asked when the request came, by `performance.now()`
 * @returns null while a counter is suspended: call `make` instead
 */
export async function getOrLoad(
  { cache: { results, generations }, settings }: Gateway,
  handle: CacheHandle,
  noCache: boolean,
  gone: AbortSignal,
  asked: number,
  make: (gone: AbortSignal) => Promise<Pick<LoadedBody, 'body' | 'lasts'>>,
): Promise<Lookup | null> {
  const { reads, ttl, freshness } = handle;
  // Before the key is taken: a new token changes it.
  const isProved = noCache || freshness === null || freshness.isProved(asked) || (await freshness.prove(asked));
  if (generations.isSuspended(reads)) return null;
  const load = async (left: AbortSignal): Promise<LoadedBody> => {
    return { mayStore: () => !generations.isSuspended(reads), ...(await make(left)) };
  };
  if (noCache) return results.renew(handle.key(), ttl, gone, load);
  const { staleIfError } = settings.cache;
  const unproved = isProved ? 0 : freshness.unprovedFor(asked, performance.now());
  return results.find(handle.key(), { ttl, staleIfError, unproved, isFailure }, gone, load);
}

/**
 * The current entry if it is younger than `ttl`, and than it lasts; synchronous. Serve it only if its freshness is proved.
 * @param now by `performance.now()`
 */
export function getStored(
  { cache: { results, generations } }: Gateway,
  handle: CacheHandle,
  now: number,
): CacheEntry | null {
  if (generations.isSuspended(handle.reads)) return null;
  const entry = handle.entry(results);
  return entry !== null && now - entry.at < Math.min(handle.ttl, entry.lasts) ? entry : null;
}

/** A 4xx is the answer to the request; no stale entry replaces it. */
const isFailure = (error: unknown): boolean => !(error instanceof Refusal) || error.status >= 500;
