/** A database by its URL alone, with the default of every other setting. */
import { isDeepStrictEqual } from 'node:util';
import { type ServerClient, serverClients, serverEngine } from '../model/engines.ts';
import type { ServerDatabase } from './assemble.ts';
import { connectionFromUrl } from './connection.ts';
import { serverSettings } from './settings.ts';
import { type ExternalValues, substitute } from './substitute.ts';

export interface DatabaseOfUrl {
  readonly ok: true;
  readonly url: string;
  readonly database: ServerDatabase;
  /** The connection for a file: a password that stands in the URL is replaced by `variable`. */
  readonly written: string;
  /** The same, with `variable` where the URL has no password. */
  readonly writtenWithPassword: string;
  readonly variable: string;
}

/** `why`: a sentence without any part of the URL. */
export type NoDatabase = { readonly ok: false; readonly why: string };

/**
 * Reads a URL as a configuration would: `${NAME}` in it is filled in.
 * @param taken names of other databases, and of the variables of their passwords
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
  const name = free(plain(connection.database), taken);
  const variable = free(variableOf(name), taken);
  const { written, withVariable } = withoutPassword(url, variable);
  const database = { ...defaults(client), name, client, connection, feedConnection: null, replicas: [] };
  const found = { ok: true, url, database, written, writtenWithPassword: withVariable, variable } as const;
  return isSameConnection(found, outside)
    ? found
    : { ok: false, why: 'the URL must have its user and password percent-encoded' };
}

/** Whether what is written leads to the same connection: the file's reader is the judge, not our reading of the URL. */
function isSameConnection({ written, variable, database }: DatabaseOfUrl, outside: ExternalValues): boolean {
  const { connection, client } = database;
  const variables = (name: string) => (name === variable ? connection.password : outside.variable(name));
  const filled = substitute(written, true, { ...outside, variable: variables });
  const again = filled.ok ? connectionFromUrl(client, filled.text) : null;
  return again?.ok === true && isDeepStrictEqual(again.connection, connection);
}

/** A password stays in the text only where it is nothing but `${…}`. */
function withoutPassword(url: string, variable: string): { readonly written: string; readonly withVariable: string } {
  // A substituted value may hold any character.
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

/** `ERP_PASSWORD`. */
function variableOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  return `${plain === '' ? 'DB' : plain.replace(/^(?=\d)/, 'DB_')}_PASSWORD`;
}

const defaults = (client: ServerClient) => serverSettings(client).parse({ client, connection: '' });

const plain = (database: string): string =>
  database
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '') || 'database';

function free(name: string, taken: ReadonlySet<string>): string {
  let called = name;
  for (let n = 2; taken.has(called); n++) called = `${name}_${n}`;
  return called;
}
