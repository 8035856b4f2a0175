/** Pure. What a browser on another site is told (contract 1.9). Tokens travel in headers, so never with credentials. */

/**
 * @param origin the request's `Origin`
 * @returns headers for every reply to it, the preflight too. `Vary` stands there even where this origin is not allowed:
 *   a shared cache must not hand its answer to one that is.
 */
export function corsHeaders(
  origin: string | undefined,
  origins: '*' | 'none' | readonly string[],
): Record<string, string> {
  if (origins === 'none') return {};
  if (origins === '*') return origin === undefined ? {} : allow('*');
  const vary = { Vary: 'Origin' };
  return origin !== undefined && origins.includes(origin) ? { ...allow(origin), ...vary } : vary;
}

/** What of an origin decides, by the settings: all that have the same are told the same. There are as many as the settings name. */
export function decisive(origin: string | undefined, origins: '*' | 'none' | readonly string[]): string | undefined {
  if (origin === undefined || origins === 'none') return undefined;
  if (origins === '*') return '*';
  return origins.includes(origin) ? origin : undefined;
}

/** The headers of a reply with those of `corsHeaders`; both may say what the reply varies by. */
export function withCors(
  headers: Readonly<Record<string, string>>,
  origin: string | undefined,
  origins: '*' | 'none' | readonly string[],
): Readonly<Record<string, string>> {
  if (origins === 'none' || (origins === '*' && origin === undefined)) return headers;
  const cors = corsHeaders(origin, origins);
  const vary = [cors.Vary, headers.Vary].filter((name) => name !== undefined).join(', ');
  return { ...cors, ...headers, ...(vary === '' ? {} : { Vary: vary }) };
}

function allow(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, HEAD',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-CKAN-API-Key',
    'Access-Control-Max-Age': '86400',
  };
}
