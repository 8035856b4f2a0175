/** Pure. CORS headers. Credentials are never allowed, because tokens travel in headers and not in cookies. */

/** The setting `cors.origins`. */
export type Origins = '*' | 'none' | readonly string[];

/**
 * The CORS headers of every answer. With `*`, answers to requests without `Origin` have them, too, so that a shared cache needs
 * one copy and not one per site, as with `Vary: Origin`. With a list, answers to other origins also have `Vary`, because a shared
 * cache must not serve their copy to an allowed origin.
 * @param origin the request's `Origin`
 */
export function corsHeaders(origin: string | undefined, origins: Origins): Readonly<Record<string, string>> {
  if (origins === 'none') return {};
  if (origins === '*') return allow('*');
  const vary = { Vary: 'Origin' };
  return origin !== undefined && origins.includes(origin) ? { ...allow(origin), ...vary } : vary;
}

/**
 * Reduces an origin to what the CORS headers depend on, as a key for ready-made heads: a configured origin, or undefined for all
 * others.
 */
export function decisive(origin: string | undefined, origins: Origins): string | undefined {
  if (origin === undefined || typeof origins === 'string') return undefined;
  return origins.includes(origin) ? origin : undefined;
}

/**
 * The headers of a reply together with its CORS headers; the two `Vary` headers are merged.
 * @param isPreflight whether the reply answers OPTIONS, with which browsers ask before a call
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
  // Spreads would make a new hidden class for each reply, which is slow (CONTRIBUTING.md, Benchmarks).
  const all: Record<string, string> = Object.assign({}, cors, more, headers);
  const vary = [cors.Vary, headers.Vary].filter((name) => name !== undefined).join(', ');
  if (vary !== '') all.Vary = vary;
  return all;
}

const allow = (origin: string) => ({
  'Access-Control-Allow-Origin': origin,
  // The headers of our answers that scripts may only read if they are listed here.
  'Access-Control-Expose-Headers': 'ETag, X-Cache, Age, Retry-After, X-Request-Id, Content-Disposition',
});

const preflight = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, HEAD',
  // All request headers that the gateway reads and a script can set.
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, X-CKAN-API-Key, Cache-Control, If-None-Match, Last-Event-ID, X-Request-Id, Content-Encoding',
  'Access-Control-Max-Age': '86400',
};
