import type { RedisHost, RedisServer } from '../model/bus.ts';
import type { Bus } from './assemble.ts';
import type { Finding, Path } from './complaints.ts';
import { decoded, tlsFrom, verified } from './connection.ts';
import { busObject } from './settings.ts';
import { valueAt } from './structure.ts';

const path: Path = ['cache', 'bus'];
const example = 'redis://user:password@host:6379/0';

/**
 * Reads `cache.bus`, as far as it is written.
 * @param pem returns the text of a certificate file, null when it cannot be read
 */
export function readBus(
  tree: unknown,
  pem: (path: string) => string | null,
): { readonly bus: Bus; readonly findings: readonly Finding[] } {
  const written = valueAt(tree, path) ?? 'none';
  const none = (finding: Finding | null) => ({ bus: 'none' as const, findings: finding === null ? [] : [finding] });
  if (written === 'none' || written === 'database') return { bus: written, findings: [] };
  const isUrl = typeof written === 'string';
  const read = busObject.safeParse(isUrl ? { url: written } : written);
  // The table of settings reports that.
  if (!read.success) return none(null);
  const { url, group, required, tls } = read.data;
  const at = isUrl ? path : [...path, 'url'];
  const server = serverOf(url);
  if (typeof server === 'string')
    return none({ path: at, must: isUrl ? `none, database or ${server}` : server, got: url });
  if (tls === null) return { bus: { server, group, required }, findings: [] };
  const encryption = tlsFrom(tls, pem);
  if (server.tls === null)
    return none({ path: at, must: 'a URL that begins with rediss: where tls is given', got: url });
  if (encryption === undefined)
    return none({ path: [...path, 'tls', 'ca'], must: 'PEM text or a file that can be read', got: tls.ca });
  return { bus: { server: { ...server, tls: encryption }, group, required }, findings: [] };
}

/** The server of a URL, or the text after "must be". */
function serverOf(url: string): RedisServer | string {
  const parts = /^(rediss?)(\+sentinel)?:\/\/(?:([^@/?#\s]*)@)?([^@/?#\s]+)(?:\/([^@/?#\s]*))?(?:\/(\d+))?$/.exec(url);
  if (parts === null) return `a URL such as ${example}, with special characters percent-encoded`;
  const [, scheme, sentinel, login = '', hosts = '', name = '', number] = parts;
  const isSentinel = sentinel !== undefined;
  const [user, password] = [
    login.split(':')[0] ?? '',
    login.includes(':') ? login.slice(login.indexOf(':') + 1) : '',
  ].map(decoded);
  if (user === null || user === undefined || password === null || password === undefined)
    return 'a URL in which "%" stands before two hexadecimal digits (a literal one is written %25)';
  const found = hosts.split(',').map((host) => hostOf(host, isSentinel ? 26379 : 6379));
  const known = found.filter((host) => host !== null);
  if (known.length < found.length || (!isSentinel && known.length > 1))
    return `a URL with ${isSentinel ? 'hosts, separated by commas' : 'one host'}, such as ${example}`;
  const wanted = isSentinel ? number : name;
  const database = /^\d*$/.test(wanted ?? '') ? Number(wanted ?? 0) : Number.NaN;
  if (isSentinel && !/^[\w.-]{1,100}$/.test(name))
    return 'a URL such as redis+sentinel://host:26379,host:26379/NAME, with the name that the sentinels have for the server';
  if (!Number.isInteger(database) || database > 65_535 || (!isSentinel && number !== undefined))
    return `a URL that ends in the number of a database, or in none: ${example}`;
  return {
    hosts: known,
    sentinelName: isSentinel ? name : null,
    ...{ user: user === '' ? null : user, password: password === '' ? null : password, database },
    tls: scheme === 'rediss' ? verified : null,
  };
}

function hostOf(text: string, preset: number): RedisHost | null {
  const [, name, inBrackets, port] = /^(?:([\w.-]+)|\[([\da-fA-F:.]+)\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = name ?? inBrackets;
  const number = port === undefined ? preset : Number(port);
  return host === undefined || number < 1 || number > 65_535 ? null : { host, port: number };
}
