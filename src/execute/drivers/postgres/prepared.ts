import { randomUUID } from 'node:crypto';
import type { Connection } from 'pg';
import { serialize } from 'pg-protocol';
import type { Statement } from '../../../model/rows.ts';

/** A plan takes some 30 kB of its session, and a client may name any columns of a wide table. */
const most = 20;

/** The session has no statement of this name: a pooler in transaction mode has taken another session for it. */
export const isOfOtherSession = (error: unknown): boolean => Reflect.get(Object(error), 'code') === '26000';

/** The statements of templates that the server has parsed, for each connection. */
export class PreparedStatements {
  /** Random: behind a pooler, several gateways may use one session, and a name must never mean two statements. */
  readonly #names = new WeakMap<object, string>();
  readonly #connections = new WeakMap<Connection, Parsed>();

  /** The messages that have the server know the statement, and the name by which it does. */
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
    if (texts.size > most) texts.delete(oldest);
    // Closing an unknown name is no error. A refused statement may have been parsed all the same.
    const closed = texts.has(oldest) ? [name] : [name, oldest];
    return { name, messages: [...closed.map(close), serialize.parse({ text, name })] };
  }

  /** Its table may have changed, and the types of its values with it: it is parsed again before its next use. */
  refused(connection: Connection, { template }: Statement, error: unknown): void {
    const name = template && this.#names.get(template);
    const parsed = this.#connections.get(connection);
    if (name === undefined || parsed === undefined) return;
    parsed.texts.delete(name);
    parsed.areLost ||= isOfOtherSession(error);
  }
}

interface Parsed {
  /** By name, the one that was used longest ago first. */
  readonly texts: Map<string, string>;
  areLost: boolean;
}

const close = (name: string): Buffer => serialize.close({ type: 'S', name });
