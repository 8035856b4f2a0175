/** Pure. What a browser on another site is told (contract 1.9). Tokens travel in headers, so never with credentials. */

/** `cors.origins`. */
export type Origins = '*' | 'none' | readonly string[];

/**
 * The headers of every answer. Where all origins may read it, each answer says so, asked by a page or not: a shared cache keeps one copy
 * for all (`Vary: Origin` would make it keep one for each site). Where some may, `Vary` stands in every answer, also to the others: a
 * shared cache must not hand theirs to one that may.
 * @param origin the request's `Origin`
 */
export function corsHeaders(origin: string | undefined, origins: Origins): Readonly<Record<string, string>> {
  if (origins === 'none') return {};
  if (origins === '*') return allow('*');
  const vary = { Vary: 'Origin' };
  return origin !== undefined && origins.includes(origin) ? { ...allow(origin), ...vary } : vary;
}

/** What of an origin decides, by the settings: all that have the same are told the same. There are as many as the settings name. */
export function decisive(origin: string | undefined, origins: Origins): string | undefined {
  if (origin === undefined || typeof origins === 'string') return undefined;
  return origins.includes(origin) ? origin : undefined;
}

/**
 * The headers of a reply with those of `corsHeaders`; both may say what the reply varies by.
 * @param isPreflight whether it answers OPTIONS, by which browsers ask what they may send
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
  const vary = [cors.Vary, headers.Vary].filter((name) => name !== undefined).join(', ');
  return { ...cors, ...more, ...headers, ...(vary === '' ? {} : { Vary: vary }) };
}

const allow = (origin: string) => ({
  'Access-Control-Allow-Origin': origin,
  // Of the headers of our answers those that a page could not read else.
  'Access-Control-Expose-Headers': 'ETag, X-Cache, Age, Retry-After, X-Request-Id, Content-Disposition',
});

const preflight = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, HEAD',
  // All that the gateway reads and that a page may send.
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, X-CKAN-API-Key, Cache-Control, If-None-Match, X-Request-Id, Content-Encoding',
  'Access-Control-Max-Age': '86400',
};
