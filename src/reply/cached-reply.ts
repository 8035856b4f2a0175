/** A cached body → status, headers and bytes (docs/caching.md). */
import type { CacheEntry, Lookup, Reply } from '../model/http.ts';
import { acceptsGzip } from './compress.ts';

export interface ConditionalHeaders {
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
}

/** Bytes below which gzip gains nothing. */
const worthZipping = 1000;
const verdicts = { hit: 'HIT', miss: 'MISS', stale: 'STALE', bypass: 'BYPASS' } as const;

/**
 * `Cache-Control` of an answer: `no-cache`, unless the operator allows an age in other caches.
 * @param isPrivate whether it depends on the caller
 * @param maxAge milliseconds since the query was sent; `Age` counts from there, too
 */
export function cacheControl(isPrivate: boolean, maxAge = 0): string {
  const freshness = maxAge < 1000 ? 'no-cache' : `max-age=${Math.floor(maxAge / 1000)}`;
  return `${isPrivate ? 'private' : 'public'}, ${freshness}`.replace('public, no-cache', 'no-cache');
}

/**
 * @param control its `Cache-Control`
 * @param now on the clock of `CachedBody.at`
 * @returns 304 where the client has the body, else the bytes: the gzip copy where it is wanted and has been made
 */
export function cachedReply({ entry, source }: Lookup, wants: ConditionalHeaders, control: string, now: number): Reply {
  const zipped = isSentZipped(entry, acceptsGzip(wants.acceptEncoding)) ? entry.zipped : null;
  const headers: Record<string, string> = {
    'Cache-Control': control,
    ETag: etagOf(entry, zipped !== null),
    'X-Cache': verdicts[source],
    Age: String(Math.floor((now - entry.at) / 1000)),
    Vary: 'Authorization, X-CKAN-API-Key, Accept-Encoding',
  };
  if (matchesEtag(wants.ifNoneMatch, entry.etag)) return { status: 304, headers, body: '' };
  if (zipped === null) return { status: 200, headers, body: entry.body };
  headers['Content-Encoding'] = 'gzip';
  return { status: 200, headers, body: zipped };
}

/** Whether a client that accepts gzip gets the gzip copy. */
export function isSentZipped({ body }: CacheEntry, acceptsOne: boolean): boolean {
  return acceptsOne && body.length >= worthZipping;
}

/** Other bytes need another validator (RFC 9110 8.8.3), but both validators match an unchanged body. */
export function etagOf({ etag }: CacheEntry, isZipped: boolean): string {
  return isZipped ? `${etag.slice(0, -1)}-gzip"` : etag;
}

/** `If-None-Match` compares weakly: a cache on the way may have changed the ETag to `W/`. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\/|-gzip(?="$)/g, '') === etag);
}
