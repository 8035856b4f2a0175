import { randomUUID } from 'node:crypto';
import type { Connection } from 'pg';
import { serialize } from 'pg-protocol';
import type { Statement } from '../../../model/rows.ts';

/** Limit of prepared statements per session: each takes some 30 kB there, and clients can ask for any set of columns. */
const maxStatements = 20;

/** Whether the server does not know the prepared statement: a pooler in transaction mode has switched to another session. */
export const isOfOtherSession = (error: unknown): boolean => Reflect.get(Object(error), 'code') === '26000';

/** The name of each template. Names are random: behind a pooler, gateways may share a session, and must not use one name for two statements. */
const names = new WeakMap<object, string>();
/** What the server has parsed on each connection. */
const parsedOn = new WeakMap<Connection, Parsed>();

/** Returns the name of a statement, and the messages that make the server parse it under that name if it has not yet. */
export function prepare(
  connection: Connection,
  { text, template }: Statement,
): { readonly name: string; readonly messages: Buffer[] } {
  const parsed = parsedOn.get(connection) ?? { texts: new Map(), areLost: false };
  parsedOn.set(connection, parsed);
  if (template === undefined || parsed.areLost) return { name: '', messages: [serialize.parse({ text })] };
  const name = names.get(template) ?? randomUUID();
  names.set(template, name);
  const { texts } = parsed;
  const isKnown = texts.get(name) === text;
  texts.delete(name);
  texts.set(name, text);
  if (isKnown) return { name, messages: [] };
  const [oldest = name] = texts.keys();
  if (texts.size > maxStatements) texts.delete(oldest);
  // Also close this statement's own name: the server may have parsed it before refusing it. Closing an unknown name is no error.
  const closed = texts.has(oldest) ? [name] : [name, oldest];
  return { name, messages: [...closed.map(close), serialize.parse({ text, name })] };
}

/** Call it when the server has refused a statement. It is parsed again before its next use, because its table may have changed. */
export function forget(connection: Connection, { template }: Statement, error: unknown): void {
  const name = template && names.get(template);
  const parsed = parsedOn.get(connection);
  if (name === undefined || parsed === undefined) return;
  parsed.texts.delete(name);
  parsed.areLost ||= isOfOtherSession(error);
}

interface Parsed {
  /** The texts by name, least recently used first. */
  readonly texts: Map<string, string>;
  areLost: boolean;
}

const close = (name: string): Buffer => serialize.close({ type: 'S', name });
