import type { z } from 'zod';
import { type Connection, type ServerClient, serverEngine, type Tls } from '../model/engines.ts';
import { connectionObject } from './database-settings.ts';

/** A connection, or how the complaint goes on after "must be". It never quotes the setting, which may contain a password. */
export type ConnectionResult =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly must: string };

/** TLS that verifies the server's certificate with Node's own list of authorities. */
export const verified: Tls = { ca: null, rejectUnauthorized: true };
/** TLS without verifying the server, as `REQUIRED` means for MySQL's clients and `require` for PostgreSQL's. */
const unverified: Tls = { ca: null, rejectUnauthorized: false };
const encryption = { verified, unverified, none: null };

/** Reads a connection from its URL. */
export function connectionFromUrl(client: ServerClient, written: string): ConnectionResult {
  const { port: defaultPort, protocols, parameters } = serverEngine(client);
  const example = `${client}://user:password@host:${defaultPort}/database`;
  const refused = (must: string): ConnectionResult => ({ ok: false, must });
  // The URL parser silently drops line breaks and tabs, which would change a password.
  const url = /[\s\p{Cc}]/u.test(written) ? null : parsed(written);
  if (url === null) return refused(`a URL such as ${example}, with special characters percent-encoded`);
  if (!protocols.some((protocol) => protocol === url.protocol)) {
    return refused(`a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
  }
  if (url.hash !== '' || written.endsWith('#')) return refused('a URL without "#": in a password it is written %23');

  const host = decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const user = decoded(url.username);
  const password = decoded(url.password);
  const database = decoded(url.pathname.slice(1));
  if (host === null || user === null || password === null || database === null) {
    return refused('a URL in which "%" stands before two hexadecimal digits (a literal one is written %25)');
  }
  if (host === '') return refused(`a URL with a host, such as ${example}; a socket needs the mapping with socketPath`);
  // An unencoded "/" in a password ends the host, so the rest of the password and the real host look like the database name.
  if (url.pathname.includes('@')) return refused(`a URL with special characters percent-encoded, as ${example}`);
  if (database === '' || url.pathname.slice(1).includes('/'))
    return refused(`a URL that ends in one database: ${example}`);

  const sentParameters = [...url.searchParams].map(([name, value]) => `${name}=${value}`);
  const tlsByParameter = new Map(Object.entries(parameters).map(([parameter, how]) => [parameter, encryption[how]]));
  if (sentParameters.length > 1 || sentParameters.some((parameter) => !tlsByParameter.has(parameter))) {
    return refused(`a URL with at most one parameter, of ${[...tlsByParameter.keys()].join(', ')}`);
  }
  const tls = tlsByParameter.get(sentParameters[0] ?? '') ?? null;
  const port = url.port === '' ? defaultPort : Number(url.port);
  const connection = { host, port, user: user || null, password: password || null, database, socketPath: null, tls };
  return { ok: true, connection };
}

/**
 * Reads a connection from a mapping.
 * @param pem returns the text of a certificate file; null if it cannot be read
 * @returns null if the mapping is invalid: the settings schema reports that
 */
export function connectionFromMapping(
  client: ServerClient,
  written: unknown,
  pem: (path: string) => string | null,
): ConnectionResult | null {
  const result = connectionObject.safeParse(written);
  if (!result.success) return null;
  const { host, port, user, password, database, socketPath } = result.data;
  if ((host === null) === (socketPath === null)) return { ok: false, must: 'a mapping with either host or socketPath' };
  const tls = tlsFrom(result.data.tls, pem);
  if (tls === undefined) return { ok: false, must: 'a mapping whose tls.ca is PEM text or a file that can be read' };
  return {
    ok: true,
    connection: { host, port: port ?? serverEngine(client).port, user, password, database, socketPath, tls },
  };
}

/** Reads `tls`; undefined if the certificate authority's file cannot be read. */
function tlsFrom(
  written: z.output<typeof connectionObject>['tls'],
  pem: (path: string) => string | null,
): Tls | undefined {
  if (typeof written === 'boolean') return written ? verified : null;
  if (written.ca === null || written.ca.includes('-----BEGIN')) return written;
  const ca = pem(written.ca);
  return ca === null ? undefined : { ...written, ca };
}

/** Parses a URL; null if it is invalid. */
function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Decodes percent-encoding; null if a sequence after `%` is invalid. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
