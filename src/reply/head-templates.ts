/** Replies on the fast path, with heads that were made before. */
import type { CacheEntry, ReadyReply } from '../model/http.ts';
import { type ConditionalHeaders, cachedReply, etagOf, isSentZipped, matchesEtag } from './cached-reply.ts';
import { decisive, type Origins, withCors } from './cors.ts';
import { listed } from './send.ts';

/** The heads of answers that share `Cache-Control` and CORS settings. */
export class HeadTemplates {
  readonly #control: string;
  readonly #origins: Origins;
  /** By the decisive part of the origin; for each, a head per status, with and without gzip. */
  readonly #made = new Map<string | undefined, HeadTemplate[]>();

  /**
   * @param control their `Cache-Control`
   * @param origins `cors.origins`
   */
  constructor(control: string, origins: Origins) {
    this.#control = control;
    this.#origins = origins;
  }

  /**
   * The reply as `found` would make it.
   * @param acceptsGzip parsed from `wants` before, because parsing takes a while
   * @param now on the clock of `CachedBody.at`
   * @returns null where the gzip copy must be made first
   */
  ready(
    entry: CacheEntry,
    wants: ConditionalHeaders,
    acceptsGzip: boolean,
    origin: string | undefined,
    now: number,
  ): ReadyReply | null {
    const isZipped = isSentZipped(entry, acceptsGzip);
    const whole = isZipped ? entry.zipped : entry.body;
    if (whole === null) return null;
    const validator = etagOf(entry, isZipped);
    const isThere = wants.ifNoneMatch === validator || matchesEtag(wants.ifNoneMatch, entry.etag);
    const heads = this.#of(decisive(origin, this.#origins));
    const nth = (isThere ? 2 : 0) + (isZipped ? 1 : 0);
    heads[nth] ??= this.#make(entry, wants, origin, now);
    const { status, list, age, etag, length } = heads[nth];
    const head = list.slice();
    head[age] = String(Math.floor((now - entry.at) / 1000));
    head[etag] = validator;
    if (isThere) return { status, head, body: null };
    head[length] = String(whole.length);
    return { status, head, body: whole };
  }

  #of(origin: string | undefined): HeadTemplate[] {
    const known = this.#made.get(origin);
    if (known !== undefined) return known;
    const heads: HeadTemplate[] = [];
    this.#made.set(origin, heads);
    return heads;
  }

  #make(entry: CacheEntry, wants: ConditionalHeaders, origin: string | undefined, now: number): HeadTemplate {
    const reply = cachedReply({ entry, source: 'hit' }, wants, this.#control, now);
    const list = listed({ ...reply, headers: withCors(reply.headers, origin, this.#origins) });
    const value = (name: string) => list.indexOf(name) + 1;
    return { status: reply.status, list, age: value('Age'), etag: value('ETag'), length: value('Content-Length') };
  }
}

interface HeadTemplate {
  readonly status: number;
  readonly list: readonly string[];
  /** The indexes in the list of values that differ between answers. */
  readonly age: number;
  readonly etag: number;
  readonly length: number;
}
