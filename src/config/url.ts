/** A database configured by its URL alone, with defaults for all other settings. */
import { isDeepStrictEqual } from 'node:util';
import { type ServerClient, serverClients, serverEngine } from '../model/engines.ts';
import type { ServerDatabase } from './assemble.ts';
import { connectionFromUrl } from './connection.ts';
import { serverSettings } from './database-settings.ts';
import { type ExternalValues, substitute } from './substitute.ts';

export interface DatabaseOfUrl {
  readonly ok: true;
  readonly url: string;
  readonly database: ServerDatabase;
  /** The URL for a configuration file: a literal password is replaced by `${variable}`. */
  readonly written: string;
  /** The URL with `${variable}` as its password, even if the original URL had none. */
  readonly writtenWithPassword: string;
  readonly variable: string;
}

/** `why` is a sentence that quotes no part of the URL, because any part may be a password. */
export type NoDatabase = { readonly ok: false; readonly why: string };

/**
 * Reads a URL, with `${NAME}` substituted, as a configuration file would.
 * @param taken the names of other databases and of their password variables, which are not used again
 */
export function databaseOfUrl(
  url: string,
  outside: ExternalValues,
  taken: ReadonlySet<string>,
): DatabaseOfUrl | NoDatabase {
  const filled = substitute(url, true, outside);
  if (!filled.ok) return { ok: false, why: `the URL ${filled.problems.join(', and ')}` };
  const client = serverClients.find((one) =>
    serverEngine(one).protocols.some((p) => filled.text.toLowerCase().startsWith(`${p}//`)),
  );
  if (client === undefined) {
    const begins = serverClients.flatMap((one) => serverEngine(one).protocols).map((p) => `${p}//`);
    return { ok: false, why: `the URL must begin with ${begins.join(', ')}` };
  }
  const read = connectionFromUrl(client, filled.text);
  if (!read.ok) return { ok: false, why: `the URL must be ${read.must}` };
  const { connection } = read;
  const name = unusedName(plain(connection.database), taken);
  const variable = unusedName(variableOf(name), taken);
  const { written, withVariable } = withoutPassword(url, variable);
  const database = { ...defaults(client), name, client, connection, feedConnection: null, replicas: [] };
  const result = { ok: true, url, database, written, writtenWithPassword: withVariable, variable } as const;
  return isSameConnection(result, outside)
    ? result
    : { ok: false, why: 'the URL must have its user and password percent-encoded' };
}

/** Checks that the written URL, read back from a configuration file, gives the same connection: we may have misread where the password is. */
function isSameConnection({ written, variable, database }: DatabaseOfUrl, outside: ExternalValues): boolean {
  const { connection, client } = database;
  const variables = (name: string) => (name === variable ? connection.password : outside.variable(name));
  const filled = substitute(written, true, { ...outside, variable: variables });
  const again = filled.ok ? connectionFromUrl(client, filled.text) : null;
  return again?.ok === true && isDeepStrictEqual(again.connection, connection);
}

/** The URL without a literal password; a password that is a single `${…}` stays. */
function withoutPassword(url: string, variable: string): { readonly written: string; readonly withVariable: string } {
  // `${…}` may contain `:`, `/` or `@`, so it is masked before the URL is split.
  const masked = url.replace(/\$\{[^{}]*\}/g, (text) => 'x'.repeat(text.length));
  const [, scheme = '', login] = /^([a-z]+:\/\/)([^/?#]*)@/i.exec(masked) ?? [];
  if (login === undefined) return { written: url, withVariable: url };
  const end = scheme.length + login.length;
  const colon = login.indexOf(':');
  const user = url.slice(scheme.length, colon === -1 ? end : scheme.length + colon).replaceAll('@', '%40');
  const password = colon === -1 ? '' : url.slice(scheme.length + colon + 1, end);
  const withVariable = `${scheme}${user}:\${${variable}}${url.slice(end)}`;
  const isKept = password === '' || /^\$\{[^{}]*\}$/.test(password);
  return { written: isKept ? url : withVariable, withVariable };
}

/** The name for a password variable, such as `ERP_PASSWORD` for the database `erp`. */
function variableOf(name: string): string {
  const upper = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  return `${upper === '' ? 'DB' : upper.replace(/^(?=\d)/, 'DB_')}_PASSWORD`;
}

const defaults = (client: ServerClient) => serverSettings(client).parse({ client, connection: '' });

const plain = (database: string): string =>
  database
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '') || 'database';

function unusedName(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let n = 2; taken.has(candidate); n++) candidate = `${name}_${n}`;
  return candidate;
}
