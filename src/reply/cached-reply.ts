/** A cached body → the status, headers and bytes of an answer. */
import type { CacheEntry, Lookup, Reply } from '../model/http.ts';
import { weights } from '../values/weights.ts';

export interface ConditionalHeaders {
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
}

/** The headers that tell caches who may be served this answer. */
export interface CacheHeaders {
  /** `Cache-Control` */
  readonly control: string;
  /** `Vary` */
  readonly vary: string;
}

/** Bodies of fewer bytes are not worth compressing. */
export const minZippedBytes = 1000;
const xCacheValues = { hit: 'HIT', miss: 'MISS', stale: 'STALE', bypass: 'BYPASS' } as const;

/**
 * `Cache-Control` of an answer: `no-cache`, unless `cache.maxAge` lets clients and proxies cache it.
 * @param isPrivate whether the answer depends on the caller
 * @param maxAge milliseconds from the time the query was sent, like `Age`
 */
export function cacheControl(isPrivate: boolean, maxAge = 0): string {
  const freshness = maxAge < 1000 ? 'no-cache' : `max-age=${Math.floor(maxAge / 1000)}`;
  return `${isPrivate ? 'private' : 'public'}, ${freshness}`.replace('public, no-cache', 'no-cache');
}

/**
 * The reply for a cache entry.
 * @param now the time in milliseconds, on the clock of `entry.storedAt`
 * @returns a 304 if the client already has the body; else the body, as gzip if the client accepts it and the copy exists
 */
export function cachedReply(
  { entry, source }: Lookup,
  wants: ConditionalHeaders,
  { control, vary }: CacheHeaders,
  now: number,
): Reply {
  const zipped = isSentZipped(entry, acceptsGzip(wants.acceptEncoding)) ? entry.zipped : null;
  const headers: Record<string, string> = {
    'Cache-Control': control,
    ETag: etagOf(entry, zipped !== null),
    'X-Cache': xCacheValues[source],
    Age: String(Math.floor((now - entry.storedAt) / 1000)),
    Vary: vary,
  };
  if (matchesEtag(wants.ifNoneMatch, entry.etag)) return { status: 304, headers, body: '' };
  if (zipped === null) return { status: 200, headers, body: entry.body };
  headers['Content-Encoding'] = 'gzip';
  return { status: 200, headers, body: zipped };
}

/** Whether `Accept-Encoding` prefers gzip to no encoding (RFC 9110 12.5.3); false without the header. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const accepted = weights(header);
  const gzip = accepted.get('gzip') ?? accepted.get('x-gzip') ?? accepted.get('*') ?? 0;
  return gzip > 0 && gzip >= (accepted.get('identity') ?? 0);
}

/** Whether a client that accepts gzip gets the gzip copy. */
export function isSentZipped({ body }: CacheEntry, acceptsOne: boolean): boolean {
  return acceptsOne && body.length >= minZippedBytes;
}

/** The ETag of a body. The gzip copy needs an ETag of its own (RFC 9110 8.8.3); `matchesEtag` accepts either of the two. */
export function etagOf({ etag }: CacheEntry, isZipped: boolean): string {
  return isZipped ? `${etag.slice(0, -1)}-gzip"` : etag;
}

/** Whether `If-None-Match` has the ETag. The comparison is weak, because a proxy may have changed the ETag to `W/"…"`. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\/|-gzip(?="$)/g, '') === etag);
}
