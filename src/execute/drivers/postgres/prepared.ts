import { randomUUID } from 'node:crypto';
import type { Connection } from 'pg';
import { serialize } from 'pg-protocol';
import type { Statement } from '../../../model/rows.ts';

/** Limit of prepared statements per session: each takes some 30 kB of its memory, and clients can use any set of columns. */
const maxStatements = 20;

/** Whether the server does not know the prepared statement, because a pooler in transaction mode has switched to another session. */
export const isOfOtherSession = (error: unknown): boolean => Reflect.get(Object(error), 'code') === '26000';

/** Remembers which statements with a template the server has already parsed on each connection. */
export class PreparedStatements {
  /** Names are random: behind a pooler, several gateways may share a session, and must not use one name for two statements. */
  readonly #names = new WeakMap<object, string>();
  readonly #connections = new WeakMap<Connection, Parsed>();

  /** Returns the name of a statement, and the messages that make the server parse it under that name if it has not yet. */
  use(connection: Connection, { text, template }: Statement): { readonly name: string; readonly messages: Buffer[] } {
    const parsed = this.#connections.get(connection) ?? { texts: new Map(), areLost: false };
    this.#connections.set(connection, parsed);
    if (template === undefined || parsed.areLost) return { name: '', messages: [serialize.parse({ text })] };
    const name = this.#names.get(template) ?? randomUUID();
    this.#names.set(template, name);
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

  /** Call it when the server has refused a statement. The next use parses it again, because its table may have changed. */
  refused(connection: Connection, { template }: Statement, error: unknown): void {
    const name = template && this.#names.get(template);
    const parsed = this.#connections.get(connection);
    if (name === undefined || parsed === undefined) return;
    parsed.texts.delete(name);
    parsed.areLost ||= isOfOtherSession(error);
  }
}

interface Parsed {
  /** The statements' texts by name, least recently used first. */
  readonly texts: Map<string, string>;
  areLost: boolean;
}

const close = (name: string): Buffer => serialize.close({ type: 'S', name });
