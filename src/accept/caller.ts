/** Pure. Request headers → token, token → caller (docs/ckan-compatibility.md, Tokens). Only a token's SHA-256 is stored. */
import type { Caller } from '../model/http.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface TokenCaller extends Caller {
  /** The SHA-256 of the token, in hex. */
  readonly sha256: string;
}

/**
 * Finds the token a client presents: `Authorization: TOKEN`, `Authorization: Bearer TOKEN`, else `X-CKAN-API-Key: TOKEN`.
 * `Basic …` and other schemes may be meant for a proxy on the way, so we ignore them and try the next header.
 * @param headers by lower-case name
 */
export function presentedToken(headers: Headers): string | null {
  const authorization = single(headers.authorization).replace(/^bearer[ \t]+/i, '');
  return [authorization, single(headers['x-ckan-api-key'])].find((token) => /^\S+$/.test(token)) ?? null;
}

/**
 * The names of the headers that carry one of our tokens; they are not forwarded to the upstream. `X_CKAN_API_KEY` counts, too,
 * because a WSGI application cannot tell it from `X-CKAN-API-Key`.
 * @param headers by lower-case name
 */
export function headersWithToken(headers: Headers, isOurs: (token: string) => boolean): readonly string[] {
  const names: string[] = [];
  for (const name in headers) {
    if (!mayCarryToken(name)) continue;
    const tokens = single(headers[name]).split(/[\s,]+/);
    if (tokens.some((token) => token !== '' && isOurs(token))) names.push(name);
  }
  return names;
}

const apiKeyHeader = 'x-ckan-api-key';
/** Compares the length first, because this runs for every header of a forwarded request. */
const mayCarryToken = (name: string): boolean =>
  name === 'authorization' || (name.length === apiKeyHeader.length && name.replaceAll('_', '-') === apiKeyHeader);

/**
 * Finds the caller of a token. Each comparison reads every character, so its duration reveals nothing about the hash.
 * @param sha256Hex of the presented token
 * @returns null for an unknown token: its caller is anonymous, as in CKAN
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
