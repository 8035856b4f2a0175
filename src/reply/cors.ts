/** Pure. CORS headers (contract 1.9). Tokens travel in headers, so credentials are never allowed. */

/** `cors.origins`. */
export type Origins = '*' | 'none' | readonly string[];

/**
 * The CORS headers of every answer. With `*`, each answer has them, even without an `Origin`, so that a shared cache keeps one
 * copy for all. (`Vary: Origin` would make it keep one for each site.) With a list, every answer has `Vary`, even for refused
 * origins. A shared cache must not serve their copy to an allowed one.
 * @param origin the request's `Origin`
 */
export function corsHeaders(origin: string | undefined, origins: Origins): Readonly<Record<string, string>> {
  if (origins === 'none') return {};
  if (origins === '*') return allow('*');
  const vary = { Vary: 'Origin' };
  return origin !== undefined && origins.includes(origin) ? { ...allow(origin), ...vary } : vary;
}

/**
 * The part of an origin that determines the headers: equal results have equal headers. At most one value per configured origin,
 * and undefined.
 */
export function decisive(origin: string | undefined, origins: Origins): string | undefined {
  if (origin === undefined || typeof origins === 'string') return undefined;
  return origins.includes(origin) ? origin : undefined;
}

/**
 * The headers of a reply with those of `corsHeaders`; their `Vary` values are merged.
 * @param isPreflight whether it answers OPTIONS, the preflight request of browsers
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
  // Not by spreads, which are slow here (CONTRIBUTING.md, Benchmarks).
  const all: Record<string, string> = Object.assign({}, cors, more, headers);
  const vary = [cors.Vary, headers.Vary].filter((name) => name !== undefined).join(', ');
  if (vary !== '') all.Vary = vary;
  return all;
}

const allow = (origin: string) => ({
  'Access-Control-Allow-Origin': origin,
  // The headers of our answers that a page could not read otherwise.
  'Access-Control-Expose-Headers': 'ETag, X-Cache, Age, Retry-After, X-Request-Id, Content-Disposition',
});

const preflight = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, HEAD',
  // All request headers that the gateway reads and a page may send.
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, X-CKAN-API-Key, Cache-Control, If-None-Match, Last-Event-ID, X-Request-Id, Content-Encoding',
  'Access-Control-Max-Age': '86400',
};
