/** The answer of a read: as it is kept, or made and kept. Joins the cache with what an answer depends on. */
import { createHash } from 'node:crypto';
import type { Generations } from '../cache/generations.ts';
import { keyOf } from '../cache/key.ts';
import type { EntryRef, Loaded, Results } from '../cache/results.ts';
import type { Gateway } from '../gateway/build.ts';
import { Refusal } from '../model/errors.ts';
import type { CachedBody, Found } from '../model/http.ts';
import type { JsonObject } from '../model/value.ts';
import { toJson } from '../values/json.ts';

export interface Question {
  readonly resource: string;
  readonly action: string;
  readonly language: string | null;
  readonly params: JsonObject;
}

/** Where the answer to a question is kept, for as long as the gateway is this one. There may be a million: each is one object and one text. */
export class CacheHandle {
  readonly reads: readonly string[];
  /** Milliseconds. */
  readonly ttl: number;
  readonly #generations: Generations;
  /** The question, a space, and the counts. */
  #key: string;
  #epoch = -1;
  /** Where its answer was found last. */
  #place: EntryRef | null = null;

  /** @param question what is asked, without a space */
  constructor(question: string, reads: readonly string[], ttl: number, generations: Generations) {
    this.reads = reads;
    this.ttl = ttl;
    this.#generations = generations;
    this.#key = `${question} `;
  }

  /** The key by the counts of now. Take it before the database is asked. */
  key(): string {
    if (this.#epoch !== this.#generations.epoch) {
      this.#epoch = this.#generations.epoch;
      const question = this.#key.slice(0, this.#key.indexOf(' ') + 1);
      this.#key = question + this.#generations.now(this.reads);
      this.#place = null;
    }
    return this.#key;
  }

  /** What is kept now, of any age. */
  kept(results: Results): CachedBody | null {
    const key = this.key();
    if (!this.#place?.kept) this.#place = results.place(key);
    return this.#place?.kept ?? null;
  }
}

/** @returns null where answers over this resource are not kept */
export function cacheHandle(
  { dependencies, settings, cache, version }: Gateway,
  question: Question,
): CacheHandle | null {
  const { ttl = 0 } = settings.resources.get(question.resource)?.cache ?? {};
  const reads = dependencies.get(question.resource)?.dependsOn;
  if (ttl === 0 || reads === undefined) return null;
  // Half as long as what it stands for, and unlike all others from its first character on: to find one among many takes less.
  const name = createHash('sha256')
    .update(keyOf({ ...question, version }, toJson))
    .digest('base64url');
  return new CacheHandle(name, reads, ttl, cache.generations);
}

/**
 * Finds the answer or has it made, once for all who ask at the same time. A write that is answered meanwhile leaves this answer
 * under a key that nobody asks for any more.
 * @param isFresh the caller wants none that was kept (`Cache-Control: no-cache`)
 * @param gone aborted when this caller has left; `make` is told when all have who wait for the same answer
 * @returns null where a commit is in doubt: call `make` yourself then
 */
export function getOrLoad(
  { cache: { results, generations }, settings }: Gateway,
  slot: CacheHandle,
  isFresh: boolean,
  gone: AbortSignal,
  make: (gone: AbortSignal) => Promise<{ readonly body: string | Uint8Array; readonly mayKeep: boolean }>,
): Promise<Found> | null {
  const { reads, ttl } = slot;
  if (generations.isSuspended(reads)) return null;
  const load = async (left: AbortSignal): Promise<Loaded> => {
    const { body, mayKeep } = await make(left);
    return { body, mayKeep: () => mayKeep && !generations.isSuspended(reads) };
  };
  if (isFresh) return results.renew(slot.key(), ttl, gone, load);
  return results.find(slot.key(), { ttl, staleIfError: settings.cache.staleIfError, isFailure }, gone, load);
}

/**
 * What is kept now and young enough, without waiting for anything.
 * @param now by `performance.now()`
 */
export function getFresh(
  { cache: { results, generations } }: Gateway,
  slot: CacheHandle,
  now: number,
): CachedBody | null {
  if (generations.isSuspended(slot.reads)) return null;
  const kept = slot.kept(results);
  return kept !== null && now - kept.at < slot.ttl ? kept : null;
}

/** A refusal of the call itself is its answer, whatever was kept before. */
const isFailure = (error: unknown): boolean => !(error instanceof Refusal) || error.status >= 500;
