/** Pure. The part of a request by which the upstream knows the sender: a token, cookies, or nothing. */
import type { Headers, PresentedToken } from '../caller.ts';

export interface Credential {
  readonly kind: 'token' | 'cookies' | 'anonymous';
  /** Differs between credentials: a hash, never the secret itself. */
  readonly key: string;
  /** The headers that show the upstream who sends the request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** To the upstream, all callers without a login are the same. */
export const anonymous: Credential = { kind: 'anonymous', key: '', headers: {} };

type Hash = (text: string) => string;

/** The login by a token. The upstream gets the header unchanged. */
export const ofToken = ({ header, value }: Pick<PresentedToken, 'header' | 'value'>, hash: Hash): Credential => ({
  kind: 'token',
  key: hash(`${header} ${value}`),
  headers: { [header]: value },
});

/** The login by cookies. @param cookies as `loginCookies` returns them */
export const ofCookies = (cookies: string, hash: Hash): Credential =>
  cookies === '' ? anonymous : { kind: 'cookies', key: hash(`cookie ${cookies}`), headers: { cookie: cookies } };

/**
 * The login cookies, as `a=1; b=2`; '' if there are none. A browser also sends them when another site triggers the request, so they count
 * only if `Sec-Fetch-Site` rules that out (https://www.w3.org/TR/fetch-metadata/). Without that header they count for GET and HEAD, whose
 * answers other sites cannot read.
 */
export function loginCookies(method: string, headers: Headers, names: readonly string[]): string {
  const { cookie, 'sec-fetch-site': site } = headers;
  if (names.length === 0 || typeof cookie !== 'string') return '';
  const isOwn = site === undefined ? method === 'GET' || method === 'HEAD' : site === 'same-origin' || site === 'none';
  if (!isOwn) return '';
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => names.includes(pair.slice(0, Math.max(0, pair.indexOf('=')))))
    .join('; ');
}
