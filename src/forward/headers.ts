/** Pure. Which headers go on, to the application and back to the client. */
import type { Passed } from '../call.ts';

export type Headers = Record<string, string | string[] | undefined>;

/** They tell of one connection only (RFC 9110 7.6.1); `Expect` has been answered by then. */
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
/** They tell of the way to here, which the gateway tells itself; a stranger could say anything. */
const ofTheWay = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip)$/;

/**
 * The headers of a request as the application is to see them.
 * @param host what `Host` says to the application
 */
export function toApplication(headers: Readonly<Headers>, passed: Passed, host: string): Headers {
  const out: Headers = {};
  const named = namedBy(headers.connection);
  const { client, tokens } = passed;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || ofConnection.has(name) || named?.includes(name) || tokens.includes(name)) continue;
    if (!isForged(name, client.isTrusted)) out[name] = value;
  }
  out.host = host;
  out['x-forwarded-for'] = client.chain;
  out['x-forwarded-host'] = client.host;
  out['x-forwarded-proto'] = client.proto;
  return out;
}

/** The headers of the application's answer as the client is to see them, in the order and the spelling they came in. */
export function* toClient(
  raw: readonly string[],
  connection: string | undefined,
): Iterable<[name: string, value: string]> {
  const named = namedBy(connection);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const lower = name.toLowerCase();
    if (!ofConnection.has(lower) && named?.includes(lower) !== true) yield [name, raw[i + 1] ?? ''];
  }
}

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
