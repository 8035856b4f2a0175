/** Replies of the fast path: their heads are copied from templates. */
import type { CacheEntry, ReadyReply } from '../model/http.ts';
import {
  type CacheHeaders,
  type ConditionalHeaders,
  cachedReply,
  etagOf,
  isSentZipped,
  matchesEtag,
} from './cached-reply.ts';
import { type Origins, originKey, withCors } from './cors.ts';
import { listed } from './send.ts';

/** The templates for answers with the same cache headers and CORS settings. */
export class HeadTemplates {
  readonly #cacheHeaders: CacheHeaders;
  readonly #origins: Origins;
  /** The templates by allowed origin; each origin has one for 200 and one for 304, each with and without gzip. */
  readonly #templates = new Map<string | undefined, HeadTemplate[]>();

  /**
   * @param origins the setting `cors.origins`
   */
  constructor(cacheHeaders: CacheHeaders, origins: Origins) {
    this.#cacheHeaders = cacheHeaders;
    this.#origins = origins;
  }

  /**
   * The same reply as the full path would send.
   * @param acceptsGzip whether `wants` accepts gzip; callers remember it, because parsing the header is slow
   * @param now the time in milliseconds, on the clock of `entry.storedAt`
   * @returns null if the gzip copy does not exist yet
   */
  ready(
    entry: CacheEntry,
    wants: ConditionalHeaders,
    acceptsGzip: boolean,
    origin: string | undefined,
    now: number,
  ): ReadyReply | null {
    const isZipped = isSentZipped(entry, acceptsGzip);
    const body = isZipped ? entry.zipped : entry.body;
    if (body === null) return null;
    const validator = etagOf(entry, isZipped);
    const isUnchanged = wants.ifNoneMatch === validator || matchesEtag(wants.ifNoneMatch, entry.etag);
    const heads = this.#of(originKey(origin, this.#origins));
    const nth = (isUnchanged ? 2 : 0) + (isZipped ? 1 : 0);
    heads[nth] ??= this.#make(entry, wants, origin, now);
    const { status, list, age, etag, length } = heads[nth];
    const head = list.slice();
    head[age] = String(Math.floor((now - entry.storedAt) / 1000));
    head[etag] = validator;
    if (isUnchanged) return { status, head, body: null };
    head[length] = String(body.length);
    return { status, head, body };
  }

  #of(origin: string | undefined): HeadTemplate[] {
    const existing = this.#templates.get(origin);
    if (existing !== undefined) return existing;
    const heads: HeadTemplate[] = [];
    this.#templates.set(origin, heads);
    return heads;
  }

  #make(entry: CacheEntry, wants: ConditionalHeaders, origin: string | undefined, now: number): HeadTemplate {
    const reply = cachedReply({ entry, source: 'hit' }, wants, this.#cacheHeaders, now);
    const list = listed({ ...reply, headers: withCors(reply.headers, origin, this.#origins) });
    const value = (name: string) => list.indexOf(name) + 1;
    return { status: reply.status, list, age: value('Age'), etag: value('ETag'), length: value('Content-Length') };
  }
}

interface HeadTemplate {
  readonly status: number;
  readonly list: readonly string[];
  /** The indexes in `list` of the three values that differ between answers: `Age`, `ETag` and `Content-Length`. */
  readonly age: number;
  readonly etag: number;
  readonly length: number;
}
