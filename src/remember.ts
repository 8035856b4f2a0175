/** The answer of a read: as it is kept, or made and kept. Joins the cache with what an answer depends on. */
import { keyOf } from './cache/key.ts';
import type { Loaded } from './cache/results.ts';
import type { Found, Kept } from './call.ts';
import { Refusal } from './errors.ts';
import { toJson } from './reply/json.ts';
import type { Gateway } from './setup/gateway.ts';
import type { JsonObject } from './value.ts';

export interface Question {
  readonly resource: string;
  readonly action: string;
  readonly language: string | null;
  readonly params: JsonObject;
}

/** Where the answer to a question is kept, for as long as the gateway is this one. */
export interface Slot {
  /** The key by the counts of now. Take it before the database is asked. */
  key(): string;
  readonly reads: readonly string[];
  /** Milliseconds. */
  readonly ttl: number;
}

/** @returns null where answers over this resource are not kept */
export function slotOf({ counters, settings, cache, version }: Gateway, question: Question): Slot | null {
  const { ttl = 0 } = settings.resources.get(question.resource)?.cache ?? {};
  const reads = counters.get(question.resource)?.reads;
  if (ttl === 0 || reads === undefined) return null;
  const asked = keyOf({ ...question, version }, toJson);
  const { generations } = cache;
  let key = '';
  let epoch = -1;
  const keyNow = () => {
    if (epoch !== generations.epoch) {
      epoch = generations.epoch;
      key = `${generations.now(reads)} ${asked}`;
    }
    return key;
  };
  return { key: keyNow, reads, ttl };
}

/**
 * Finds the answer or has it made, once for all who ask at the same time. A write that is answered meanwhile leaves this answer
 * under a key that nobody asks for any more.
 * @param isFresh the caller wants none that was kept (`Cache-Control: no-cache`)
 * @param gone aborted when this caller has left; `make` is told when all have who wait for the same answer
 * @returns null where a commit is in doubt: call `make` yourself then
 */
export function remember(
  { cache: { results, generations }, settings }: Gateway,
  { key, reads, ttl }: Slot,
  isFresh: boolean,
  gone: AbortSignal,
  make: (gone: AbortSignal) => Promise<{ readonly body: string | Uint8Array; readonly mayKeep: boolean }>,
): Promise<Found> | null {
  if (generations.isDoubted(reads)) return null;
  const load = async (left: AbortSignal): Promise<Loaded> => {
    const { body, mayKeep } = await make(left);
    return { body, mayKeep: () => mayKeep && !generations.isDoubted(reads) };
  };
  if (isFresh) return results.renew(key(), ttl, gone, load);
  return results.find(key(), { ttl, staleIfError: settings.cache.staleIfError, isFailure }, gone, load);
}

/**
 * What is kept now and young enough, without waiting for anything.
 * @param now by `performance.now()`
 */
export function recall(
  { cache: { results, generations } }: Gateway,
  { key, reads, ttl }: Slot,
  now: number,
): Kept | undefined {
  return generations.isDoubted(reads) ? undefined : results.peek(key(), ttl, now);
}

/** A refusal of the call itself is its answer, whatever was kept before. */
const isFailure = (error: unknown): boolean => !(error instanceof Refusal) || error.status >= 500;
