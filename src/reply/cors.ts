/** Pure. CORS headers. Credentials are never allowed, because tokens travel in headers and not in cookies. */

/** The setting `cors.origins`. */
export type Origins = '*' | 'none' | readonly string[];

/**
 * The CORS headers of every answer. With `*`, all answers have the same headers, so that a shared cache needs only one copy. With a
 * list of origins, all answers have `Vary: Origin`, even to origins not in the list: a shared cache must not serve an answer
 * without CORS headers to an allowed origin.
 * @param origin the request's `Origin`
 */
export function corsHeaders(origin: string | undefined, origins: Origins): Readonly<Record<string, string>> {
  if (origins === 'none') return {};
  if (origins === '*') return allow('*');
  const vary = { Vary: 'Origin' };
  return origin !== undefined && origins.includes(origin) ? { ...allow(origin), ...vary } : vary;
}

/**
 * Returns an origin if it is in the configured list, else undefined. All other origins get the same CORS headers, so they share one
 * ready-made head.
 */
export function originKey(origin: string | undefined, origins: Origins): string | undefined {
  if (origin === undefined || typeof origins === 'string') return undefined;
  return origins.includes(origin) ? origin : undefined;
}

/**
 * The headers of a reply together with its CORS headers; the two `Vary` headers are merged.
 * @param isPreflight whether the reply answers OPTIONS, which browsers send before some cross-origin calls
 */
export function withCors(
  headers: Readonly<Record<string, string>>,
  origin: string | undefined,
  origins: Origins,
  isPreflight = false,
): Readonly<Record<string, string>> {
  if (origins === 'none') return headers;
  const cors = corsHeaders(origin, origins);
  const more = isPreflight && cors['Access-Control-Allow-Origin'] !== undefined ? preflight : {};
  // `Object.assign`, because object spreads would create a hidden class per reply, which is slow (CONTRIBUTING.md, Benchmarks).
  const all: Record<string, string> = Object.assign({}, cors, more, headers);
  const vary = [cors.Vary, headers.Vary].filter(Boolean).join(', ');
  if (vary !== '') all.Vary = vary;
  return all;
}

const allow = (origin: string) => ({
  'Access-Control-Allow-Origin': origin,
  // Browsers hide all other headers of our answers from scripts, except a few standard ones.
  'Access-Control-Expose-Headers': 'ETag, X-Cache, Age, Retry-After, X-Request-Id, Content-Disposition',
});

const preflight = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, HEAD',
  // The request headers that the gateway reads and that scripts can set, without the one in `upstream.access.header`.
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, X-CKAN-API-Key, Cache-Control, If-None-Match, Last-Event-ID, X-Request-Id, Content-Encoding',
  'Access-Control-Max-Age': '86400',
};
