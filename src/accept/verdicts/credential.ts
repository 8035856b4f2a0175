/** Pure. What of a request shows the upstream who sends it: a token, cookies, or nothing. */
import type { Headers, PresentedToken } from '../caller.ts';

export interface Credential {
  readonly kind: 'token' | 'cookies' | 'anonymous';
  /** Differs between credentials: a hash, never the secret itself. */
  readonly key: string;
  /** The headers for the upstream. */
  readonly headers: Readonly<Record<string, string>>;
}

/** All callers without a login are one to the upstream. */
export const anonymous: Credential = { kind: 'anonymous', key: '', headers: {} };

type Hash = (text: string) => string;

/** The login by a token. The upstream gets the header as it came. */
export const ofToken = ({ header, value }: Pick<PresentedToken, 'header' | 'value'>, hash: Hash): Credential => ({
  kind: 'token',
  key: hash(`${header} ${value}`),
  headers: { [header]: value },
});

/** The login by cookies. @param cookies as `loginCookies` returns them */
export const ofCookies = (cookies: string, hash: Hash): Credential =>
  cookies === '' ? anonymous : { kind: 'cookies', key: hash(`cookie ${cookies}`), headers: { cookie: cookies } };

/**
 * The cookies that are logins, as `a=1; b=2`; '' if there are none. They come with requests that other sites make a browser send, so
 * they only count if the browser says that none did (https://www.w3.org/TR/fetch-metadata/), and without its word for GET alone, whose
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
