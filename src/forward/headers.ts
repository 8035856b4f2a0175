/**
 * Pure. Selects the headers to forward, upstream and back to the client.
 */
import type { ForwardedRequest } from '../model/http.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Headers of one connection only (RFC 9110 7.6.1). `Expect` has been answered by then. The next connection sets its own host
 * and length (`saidAnew`).
 */
const ofConnection: ReadonlySet<string> = new Set([
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
const saidAnew: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]);
/** Headers about the path of the request, which the gateway sets itself; an untrusted client could forge them. */
const ofTheWay = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip)$/;

/**
 * The headers of a request for the upstream, except the framing of its body. They are taken from Node's parsed headers, which
 * keep the first of a single-valued header. So the upstream sees the same values as the gateway.
 * @param host the value of `Host` for the upstream
 */
export function toApplication(
  headers: Headers,
  { client, tokens }: ForwardedRequest,
  host: string,
): Record<string, string> {
  const out: Record<string, string> = { host };
  const named = namedBy(headers.connection);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || saidAnew.has(name) || ofConnection.has(name)) continue;
    if (named?.includes(name) || tokens.includes(name) || isForged(name, client.isTrusted)) continue;
    out[name] = String(value);
  }
  if (takesTrailers(headers)) Object.assign(out, { te: 'trailers', connection: 'keep-alive, TE' });
  return Object.assign(out, {
    'x-forwarded-for': client.chain,
    'x-forwarded-host': client.host,
    'x-forwarded-proto': client.proto,
  });
}

/** A head as node:http has parsed it. */
export interface UpstreamHead {
  readonly headers: Headers;
  readonly rawHeaders: readonly string[];
}

/**
 * The headers of the upstream's answer for the client, in their original order and spelling: names and values in turn.
 * @param id of the request
 */
export function toClient({ headers, rawHeaders }: UpstreamHead, id: string, takesTrailers: boolean): string[] {
  const out = ['X-Request-Id', id];
  const named = namedBy(headers.connection);
  // A body with a length has no trailers, and Node would refuse to announce them.
  const announces = takesTrailers && headers['transfer-encoding'] !== undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const lower = name.toLowerCase();
    const stays = ofConnection.has(lower) && !(announces && lower === 'trailer');
    if (!stays && lower !== 'x-request-id' && named?.includes(lower) !== true) out.push(name, rawHeaders[i + 1] ?? '');
  }
  return out;
}

/** Whether a client accepts trailers: `TE: trailers`, named in `Connection` (RFC 9110 10.1.4). */
export function takesTrailers({ te, connection }: Headers): boolean {
  return te !== undefined && /\btrailers\b/i.test(String(te)) && namedBy(connection)?.includes('te') === true;
}

/** The trailers to forward, in either direction, without fields for routing, framing or authentication (RFC 9110 6.5.1). */
export function trailersOf(raw: readonly string[]): [name: string, value: string][] {
  const out: [name: string, value: string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const meant = name.toLowerCase().replaceAll('_', '-');
    if (!ofConnection.has(meant) && !neverBehind.has(meant) && !ofTheWay.test(meant))
      out.push([name, raw[i + 1] ?? '']);
  }
  return out;
}

const neverBehind: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'content-type', 'content-encoding', 'content-range', 'location'],
  ...['authorization', 'x-ckan-api-key', 'cookie', 'set-cookie', 'x-request-id'],
]);

/** A header that only a trusted proxy may set, or one spelled to imitate a header that the gateway sets. */
function isForged(name: string, isTrusted: boolean): boolean {
  if (!name.includes('_')) return !isTrusted && ofTheWay.test(name);
  // An upstream behind WSGI, CGI or PHP maps both spellings to one variable: the client's would stand beside ours.
  const meant = name.replaceAll('_', '-');
  return ofTheWay.test(meant) || ofConnection.has(meant) || meant === 'content-length' || meant === 'host';
}

/** The headers that `Connection` names; null for none, as nearly always. */
function namedBy(connection: string | string[] | undefined): readonly string[] | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return String(connection)
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !essential.has(name));
}

/** The end of the message depends on it: no `Connection` header removes it. */
const essential: ReadonlySet<string> = new Set(['', 'content-length']);
