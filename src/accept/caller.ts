/** Pure. Request headers → token, token → caller (contract 1.8). Only the SHA-256 of a token is stored. */
import type { Caller } from '../model/http.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface TokenCaller extends Caller {
  /** The SHA-256 of the token, in hex. */
  readonly sha256: string;
}

/**
 * Finds the token a client presents: `Authorization: TOKEN`, `Authorization: Bearer TOKEN`, else `X-CKAN-API-Key: TOKEN`.
 * Another scheme is not a token: `Basic …` may be meant for a proxy on the way, so the next header still counts.
 * @param headers by lower-case name
 */
export function presentedToken(headers: Headers): string | null {
  const authorization = single(headers.authorization).replace(/^bearer[ \t]+/i, '');
  return [authorization, single(headers['x-ckan-api-key'])].find((token) => /^\S+$/.test(token)) ?? null;
}

/**
 * The names of the headers with a token for which `isOurs` is true, in any spelling. The upstream does not get them. WSGI reads
 * `_` as `-`.
 * @param headers by lower-case name
 */
export function headersWithToken(headers: Headers, isOurs: (token: string) => boolean): readonly string[] {
  const found: string[] = [];
  for (const name in headers) {
    if (!mayCarryToken(name)) continue;
    const tokens = single(headers[name]).split(/[\s,]+/);
    if (tokens.some((token) => token !== '' && isOurs(token))) found.push(name);
  }
  return found;
}

const key = 'x-ckan-api-key';
/** The length comes first: this runs for every header of a forwarded request. */
const mayCarryToken = (name: string): boolean =>
  name === 'authorization' || (name.length === key.length && name.replaceAll('_', '-') === key);

/**
 * Finds the caller of a token. Each comparison reads every character, so its time reveals nothing.
 * @param sha256Hex of the presented token
 * @returns null for an unknown token: that is anonymous, not an error
 */
export function identify(sha256Hex: string, tokens: readonly TokenCaller[]): Caller | null {
  const presented = sha256Hex.toLowerCase();
  const matching = tokens.filter((token) => same(presented, token.sha256.toLowerCase()));
  return matching[0] ?? null;
}

function same(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

function single(header: string | readonly string[] | undefined): string {
  return (typeof header === 'string' ? header : (header?.[0] ?? '')).trim();
}
