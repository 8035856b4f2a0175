/** A database by its URL alone, with the default of every other setting. */
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
 * @param taken names of other databases
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
  const name = free(plain(read.connection.database), taken);
  const variable = `${name
    .normalize('NFKD')
    .replace(/\W+/g, '_')
    .toUpperCase()
    .replace(/^(?=\d|$)/, 'DB_')}_PASSWORD`;
  const [, login, password = '', behind] = /^([a-z]+:\/\/[^:@/?#]*)(?::([^@/?#]*))?(@.*)$/is.exec(url) ?? [];
  const withVariable = login === undefined ? url : `${login}:\${${variable}}${behind}`;
  return {
    ok: true,
    url,
    database: { ...defaults(client), name, client, connection: read.connection },
    written: password === '' || password.includes('${') ? url : withVariable,
    writtenWithPassword: withVariable,
    variable,
  };
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
