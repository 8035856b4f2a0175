/** Pure. Which headers go on, to the application and back to the client; in lists of names and values in turn, as node:http has them. */
import type { ForwardedRequest } from '../model/http.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * They tell of one connection only (RFC 9110 7.6.1), or are said anew on the next one: the length and the host. `Expect` has been
 * answered by then.
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
/** They tell of the way to here, which the gateway tells itself; a stranger could say anything. */
const ofTheWay = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip)$/;

/**
 * The headers of a request as the application is to see them, but for those that frame its body. They are taken as Node reads them,
 * who keeps the first where there may be one only: the application sees what the gateway has seen.
 * @param host what `Host` says to the application
 */
export function toApplication(headers: Headers, { client, tokens }: ForwardedRequest, host: string): string[] {
  const out = ['host', host];
  const named = namedBy(headers.connection);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || saidAnew.has(name) || ofConnection.has(name)) continue;
    if (named?.includes(name) || tokens.includes(name) || isForged(name, client.isTrusted)) continue;
    out.push(name, String(value));
  }
  if (takesTrailers(headers)) out.push('te', 'trailers', 'connection', 'keep-alive, TE');
  out.push('x-forwarded-for', client.chain, 'x-forwarded-host', client.host, 'x-forwarded-proto', client.proto);
  return out;
}

/** What a head says, as node:http has read it. */
export interface Head {
  readonly headers: Headers;
  readonly rawHeaders: readonly string[];
}

/**
 * The headers of the application's answer as the client is to see them, in the order and the spelling they came in.
 * @param id by what the request is known
 * @param length of a body that is there as a whole; it need not go on in chunks
 */
export function toClient(
  { headers, rawHeaders }: Head,
  id: string,
  takesTrailers: boolean,
  length: number | null,
): string[] {
  const out = ['X-Request-Id', id];
  if (length !== null && headers['content-length'] === undefined) out.push('Content-Length', String(length));
  const named = namedBy(headers.connection);
  // Behind a body of a length there are none, and Node would refuse to announce them.
  const announces = takesTrailers && headers['transfer-encoding'] !== undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const lower = name.toLowerCase();
    const stays = ofConnection.has(lower) && !(announces && lower === 'trailer');
    if (!stays && lower !== 'x-request-id' && named?.includes(lower) !== true) out.push(name, rawHeaders[i + 1] ?? '');
  }
  return out;
}

/** Whether a client takes headers behind a body: it says so, and that it says so of this connection (RFC 9110 10.1.4). */
export function takesTrailers({ te, connection }: Headers): boolean {
  return te !== undefined && /\btrailers\b/i.test(String(te)) && namedBy(connection)?.includes('te') === true;
}

/** Headers behind a body, in either direction: where it goes, where it ends and who asks cannot be said there (RFC 9110 6.5.1). */
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

/** A header that only a proxy of ours may set, or one that is spelled to be taken for what the gateway sets. */
function isForged(name: string, isTrusted: boolean): boolean {
  if (!name.includes('_')) return !isTrusted && ofTheWay.test(name);
  // To an application behind WSGI, CGI or PHP both spellings are one variable: the client's would stand beside ours.
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

/** Where the message ends hangs on it: no `Connection` takes it away. */
const essential: ReadonlySet<string> = new Set(['', 'content-length']);
