/** Pure. Request headers → token, token → caller (docs/ckan-compatibility.md, Tokens). Only a token's SHA-256 is stored. */
import type { Caller } from '../model/http.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface TokenCaller extends Caller {
  /** The SHA-256 of the token, in hex. */
  readonly sha256: string;
}

/** A token, and the header in which it came. */
export interface PresentedToken {
  readonly token: string;
  /** The header's name, in lower case. */
  readonly header: string;
  /** The value of the header, which may begin with `Bearer`. */
  readonly value: string;
}

/**
 * Finds the token a client presents: `Authorization: TOKEN`, `Authorization: Bearer TOKEN`, else `X-CKAN-API-Key: TOKEN`.
 * `Basic …` and other schemes may be meant for a proxy on the way, so we ignore them and try the next header.
 * @param headers by lower-case name
 * @param other a further header to try last, in lower case (`upstream.access.header`)
 */
export function presentedToken(headers: Headers, other: string | null): PresentedToken | null {
  for (const header of ['authorization', apiKeyHeader, other]) {
    if (header === null) continue;
    const value = single(headers[header]);
    const token = header === 'authorization' ? value.replace(/^bearer[ \t]+/i, '') : value;
    if (/^\S+$/.test(token)) return { token, header, value };
  }
  return null;
}

/**
 * The names of the headers that carry one of our tokens; they are not forwarded to the upstream. `X_CKAN_API_KEY` counts, too,
 * because a WSGI application cannot tell it from `X-CKAN-API-Key`.
 * @param headers by lower-case name
 * @param other as in `presentedToken`
 */
export function headersWithToken(
  headers: Headers,
  other: string | null,
  isOurs: (token: string) => boolean,
): readonly string[] {
  const names: string[] = [];
  for (const name in headers) {
    if (!mayCarryToken(name) && name !== other) continue;
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
 * @param sha256Hex the hash of the presented token
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
