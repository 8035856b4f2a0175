import type { z } from 'zod';
import { type Connection, type ServerClient, serverEngine, type Tls } from '../model/engines.ts';
import { connectionObject } from './settings.ts';

/** `must`: the text after "must be". It never contains a part of the setting, which may be a password. */
export type Connected =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly must: string };

/** With the server's certificate verified by Node's own list. */
export const verified: Tls = { ca: null, rejectUnauthorized: true };
/** `REQUIRED` and `require` in the clients of MySQL and PostgreSQL: encrypted, without verifying the server. */
const unverified: Tls = { ca: null, rejectUnauthorized: false };
const encryption = { verified, unverified, none: null };

/** Reads a connection URL. */
export function connectionFromUrl(client: ServerClient, written: string): Connected {
  const { port: preset, protocols, parameters } = serverEngine(client);
  const example = `${client}://user:password@host:${preset}/database`;
  const refused = (must: string): Connected => ({ ok: false, must });
  // The parser drops line breaks and tabs everywhere; in a password that would change the password.
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
  // A raw "/" in a password would start the database, and the text before it would be host and port.
  if (url.pathname.includes('@')) return refused(`a URL with special characters percent-encoded, as ${example}`);
  if (database === '' || url.pathname.slice(1).includes('/'))
    return refused(`a URL that ends in one database: ${example}`);

  const asked = [...url.searchParams].map(([name, value]) => `${name}=${value}`);
  const known = new Map(Object.entries(parameters).map(([parameter, how]) => [parameter, encryption[how]]));
  if (asked.length > 1 || asked.some((parameter) => !known.has(parameter))) {
    return refused(`a URL with at most one parameter, of ${[...known.keys()].join(', ')}`);
  }
  const tls = known.get(asked[0] ?? '') ?? null;
  const port = url.port === '' ? preset : Number(url.port);
  const connection = { host, port, user: user || null, password: password || null, database, socketPath: null, tls };
  return { ok: true, connection };
}

/**
 * Reads the mapping form.
 * @param pem returns the text of a certificate file, null when it cannot be read
 * @returns null when the mapping itself is wrong, which the table of settings reports
 */
export function connectionFromMapping(
  client: ServerClient,
  written: unknown,
  pem: (path: string) => string | null,
): Connected | null {
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

/** Undefined where the file of the certificate authority cannot be read. */
export function tlsFrom(
  written: z.output<typeof connectionObject>['tls'],
  pem: (path: string) => string | null,
): Tls | undefined {
  if (typeof written === 'boolean') return written ? verified : null;
  if (written.ca === null || written.ca.includes('-----BEGIN')) return written;
  const ca = pem(written.ca);
  return ca === null ? undefined : { ...written, ca };
}

/** Null: it is none. */
function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Null where a `%` stands before anything but two hexadecimal digits. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
