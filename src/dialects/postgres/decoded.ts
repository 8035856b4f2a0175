import type { Relation } from '../../model/catalog.ts';

/** A committed transaction. `xid` is the lower half of its id. */
export interface Decoded {
  readonly xid: number;
  /** Null if it may have changed any table. */
  readonly tables: readonly Relation[] | null;
}

/** A transaction that changes more tables than this counts as a change of all tables. */
const maxTables = 1000;
/** The names in a message are surely within this many bytes; a row has at most two names of 63 characters. */
export const namesWithin = 8192;
const bytesOf = (text: string): readonly number[] => [...text].map((letter) => letter.charCodeAt(0));
const [tableLine, beginLine, commitLine] = [bytesOf('table '), bytesOf('BEGIN '), bytesOf('COMMIT ')];
const [quote, colon] = ['"'.charCodeAt(0), ':'.charCodeAt(0)];

/**
 * Reads table names, but no values, from messages of the plugin `test_decoding`: a line for BEGIN, one for each changed row, one for
 * COMMIT. A transaction without rows has changed definitions, or a materialized view.
 */
export class DecodedNames {
  readonly #database: string;
  readonly #isUtf8: boolean;
  #tables = new Map<string, Relation>();
  #isEmpty = true;
  #isAnything = false;
  /** The last row's message up to the end of its names. The next row is usually from the same table, and then we need not parse the names. */
  #last = new Uint8Array();

  /** @param isUtf8 whether the messages are in UTF-8: they have the database's encoding */
  constructor(database: string, isUtf8: boolean) {
    this.#database = database;
    this.#isUtf8 = isUtf8;
  }

  /**
   * @param message at least its first `namesWithin` bytes
   * @returns the transaction that this message commits; null for any other message
   */
  read(message: Uint8Array): Decoded | null {
    if (begins(message, tableLine)) {
      this.#isEmpty = false;
      if (!this.#isLast(message)) this.#names(message);
      return null;
    }
    const committed = numberAfter(commitLine, message);
    if (committed !== null) {
      const isAnything = this.#isAnything || this.#isEmpty;
      return { xid: committed, tables: isAnything ? null : [...this.#tables.values()] };
    }
    if (numberAfter(beginLine, message) !== null) this.#begin();
    // A message that an application has sent by `pg_logical_emit_message`; it changes nothing.
    else this.#isEmpty = false;
    return null;
  }

  #begin(): void {
    this.#tables = new Map();
    this.#last = new Uint8Array();
    this.#isEmpty = true;
    this.#isAnything = false;
  }

  #isLast(message: Uint8Array): boolean {
    const last = this.#last;
    if (last.length === 0) return false;
    for (let at = tableLine.length; at < last.length; at++) if (message[at] !== last[at]) return false;
    return true;
  }

  /** A TRUNCATE may name several tables, separated by commas. */
  #names(message: Uint8Array): void {
    const end = endOfNames(message);
    const bytes = message.subarray(tableLine.length, end ?? 0);
    if (end === null || (!this.#isUtf8 && bytes.some((byte) => byte > 127))) {
      this.#isAnything = true;
      return;
    }
    for (const [name, schema = '', table = ''] of textOf(bytes).matchAll(qualified))
      this.#tables.set(name, { database: this.#database, schema: unquoted(schema), name: unquoted(table) });
    if (this.#tables.size > maxTables) this.#isAnything = true;
    this.#last = message.slice(0, end + 1);
  }
}

const name = '("(?:[^"]|"")*"|[^".,\\s]+)';
const qualified = new RegExp(`${name}\\.${name}`, 'g');
const unquoted = (name: string): string => (name.startsWith('"') ? name.slice(1, -1).replace(/""/g, '"') : name);

/** The index of the first colon outside of quotation marks: there the table names end. */
function endOfNames(message: Uint8Array): number | null {
  let isQuoted = false;
  for (let at = tableLine.length; at < message.length; at++) {
    if (message[at] === quote) isQuoted = !isQuoted;
    else if (message[at] === colon && !isQuoted) return at;
  }
  return null;
}

function begins(message: Uint8Array, line: readonly number[]): boolean {
  for (let at = 0; at < line.length; at++) if (message[at] !== line[at]) return false;
  return true;
}

/** The number after this beginning of a line; null if it begins otherwise. Allocates no string: every transaction has two such lines. */
function numberAfter(line: readonly number[], message: Uint8Array): number | null {
  if (!begins(message, line)) return null;
  let number = 0;
  let at = line.length;
  for (let digit = message[at] ?? 0; digit >= zero && digit < zero + 10; digit = message[++at] ?? 0)
    number = number * 10 + digit - zero;
  return at === line.length ? null : number;
}
const zero = '0'.charCodeAt(0);

const decoder = new TextDecoder();
const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);
