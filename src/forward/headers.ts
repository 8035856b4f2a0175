/** Pure. Selects the headers to forward, in both directions. */
import type { ForwardedRequest } from '../model/http.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Hop-by-hop headers (RFC 9110 7.6.1), which are not forwarded. Neither is `Expect`, because the gateway has already answered it.
 */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
]);
const setByGateway: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]);
/** Headers about the proxies on the way. Only trusted proxies and the gateway may set them, because a client could forge them. */
const forwardingHeader = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip)$/;

/**
 * The headers of a request to the upstream, except those for its body's length. We forward the headers as Node has parsed them: if a header
 * must not be repeated, they have only its first value, so the upstream sees the same values as the gateway.
 * @param host the `Host` header for the upstream
 */
export function toApplication(
  headers: Headers,
  { client, tokens }: ForwardedRequest,
  host: string,
): Record<string, string> {
  const out: Record<string, string> = { host };
  const connectionNames = namesIn(headers.connection);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || setByGateway.has(name) || hopByHop.has(name)) continue;
    if (connectionNames?.includes(name) || tokens.includes(name) || isForged(name, client.isTrusted)) continue;
    out[name] = String(value);
  }
  if (takesTrailers(headers)) Object.assign(out, { te: 'trailers', connection: 'keep-alive, TE' });
  return Object.assign(out, {
    'x-forwarded-for': client.chain,
    'x-forwarded-host': client.host,
    'x-forwarded-proto': client.proto,
  });
}

/** An answer's head, as `node:http` has parsed it. */
export interface UpstreamHead {
  readonly headers: Headers;
  readonly rawHeaders: readonly string[];
}

/**
 * The headers of the upstream's answer for the client, in their original order and spelling, as a list of names and values.
 * @param id the request id
 */
export function toClient({ headers, rawHeaders }: UpstreamHead, id: string, takesTrailers: boolean): string[] {
  const out = ['X-Request-Id', id];
  const connectionNames = namesIn(headers.connection);
  // Only chunked bodies have trailers; for others Node would refuse the header `Trailer`.
  const announces = takesTrailers && headers['transfer-encoding'] !== undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const lower = name.toLowerCase();
    const isHopByHop = hopByHop.has(lower) && !(announces && lower === 'trailer');
    if (!isHopByHop && lower !== 'x-request-id' && connectionNames?.includes(lower) !== true)
      out.push(name, rawHeaders[i + 1] ?? '');
  }
  return out;
}

/** Whether a client accepts trailers: it sends `TE: trailers`, and names `TE` in `Connection` (RFC 9110 10.1.4). */
export function takesTrailers({ te, connection }: Headers): boolean {
  return te !== undefined && /\btrailers\b/i.test(String(te)) && namesIn(connection)?.includes('te') === true;
}

/** The trailers to forward, in either direction: all except fields for routing, framing or authentication (RFC 9110 6.5.1). */
export function trailersOf(raw: readonly string[]): [name: string, value: string][] {
  const out: [name: string, value: string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const canonical = name.toLowerCase().replaceAll('_', '-');
    if (!hopByHop.has(canonical) && !forbiddenTrailers.has(canonical) && !forwardingHeader.test(canonical))
      out.push([name, raw[i + 1] ?? '']);
  }
  return out;
}

const forbiddenTrailers: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'content-type', 'content-encoding', 'content-range', 'location'],
  ...['authorization', 'x-ckan-api-key', 'cookie', 'set-cookie', 'x-request-id'],
]);

/** Whether a header must be removed: it is one that only trusted proxies may set, or a name with `_` that imitates one. */
function isForged(name: string, isTrusted: boolean): boolean {
  if (!name.includes('_')) return !isTrusted && forwardingHeader.test(name);
  // WSGI, CGI and PHP map `X_Forwarded_For` and `X-Forwarded-For` to one variable, so the client's value could replace ours.
  const canonical = name.replaceAll('_', '-');
  return (
    forwardingHeader.test(canonical) ||
    hopByHop.has(canonical) ||
    canonical === 'content-length' ||
    canonical === 'host'
  );
}

/** The hop-by-hop headers that `Connection` names; null if there are none, as in nearly all requests. */
function namesIn(connection: string | string[] | undefined): readonly string[] | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return String(connection)
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !essential.has(name));
}

/** Names that `Connection` cannot make hop-by-hop: without `Content-Length`, the end of the message would be unclear. */
const essential: ReadonlySet<string> = new Set(['', 'content-length']);
