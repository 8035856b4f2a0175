/** The vocabulary of calls: what comes from a client, and what goes back. Pure. */
import type { Rows } from './rows.ts';
import type { Table } from './table.ts';
import type { Json, JsonObject } from './value.ts';

/** Who calls. Anonymous has no name and no rights of his own. */
export interface Caller {
  readonly name: string;
  readonly read: Rights;
  readonly write: Rights;
}

/** Why a caller is anonymous. `callback`: a call that names one is, whatever its token, for any page can make it. */
export type Anonymous = 'no token' | 'unknown token' | 'callback';

/** `all` stands for `"*"`. */
export type Rights = 'all' | ReadonlySet<string>;

/** Who may read and write one resource. */
export interface Access {
  readonly read: 'public' | 'token';
  readonly write: 'token' | 'none';
  readonly deleteAll: boolean;
}

/** A configured resource with its table as the catalogue knows it. */
export interface Resource {
  readonly id: string;
  readonly access: Access;
  readonly table: Table;
}

/** One call of an action: what the edge has made of the bytes. */
export interface Call {
  readonly action: string;
  readonly params: JsonObject;
  readonly caller: Caller | null;
  /** The language segment of the path, echoed in `help`; null where there was none. */
  readonly language: string | null;
}

/** How records may be written in an answer: `records_format`. */
export const recordsFormats = ['objects', 'lists', 'csv', 'tsv'] as const;

export type RecordsFormat = (typeof recordsFormats)[number];

/** What a whole resource can be downloaded as. */
export const dumpFormats = ['csv', 'tsv', 'json', 'xml', 'jsonl'] as const;

export type DumpFormat = (typeof dumpFormats)[number];

/** A member of an answer; records are still rows, beside the format they are to be written in. */
export type Member =
  | readonly [name: string, value: Json]
  | readonly [name: string, records: Rows, format: RecordsFormat];

/** Keeps a text from those who carry it: they can neither read nor forge it. */
export interface Sealing {
  seal(text: string, purpose: string): string;
  /** Null for what was not sealed here, or for another purpose. */
  open(sealed: string, purpose: string): string | null;
}

/** What an action answers: the members of `result` in the order of the wire. */
export interface Result {
  readonly members: readonly Member[];
}

/** Who is at the other end, as it is told to the application behind, to the log, and to whatever counts calls by address. */
export interface Client {
  /** `''` when it has already left. */
  readonly address: string;
  readonly proto: 'http' | 'https';
  /** The host that the client asked, with its port where one was given. */
  readonly host: string;
  /** `X-Forwarded-For` for the application: the addresses on the way, the peer's last. */
  readonly chain: string;
  /** Whether the peer is a proxy of ours, whose word is taken. */
  readonly isTrusted: boolean;
}

/** Not ours: the application behind answers. */
export interface ForwardedRequest {
  readonly to: 'upstream';
  /** The body where it has been read to see whose call it is; else it is streamed. */
  readonly body: Uint8Array | null;
  /** The headers that carry a token of this gateway, which goes no further. */
  readonly tokens: readonly string[];
  readonly client: Client;
}

/** The body of an answer as it may be kept and sent again. */
export interface CachedBody {
  readonly body: Uint8Array;
  /** A strong validator: the hash of the bytes, so that it means the same after a restart. */
  readonly etag: string;
  /** When it was asked for, on the monotonic clock in milliseconds: it may be as old as that. */
  readonly at: number;
  /** Makes the gzip copy when it is first wanted, and keeps it. */
  gzip(): Promise<Uint8Array>;
  /** The copy, where it has been made. */
  readonly zipped: Uint8Array | null;
}

/**
 * How an answer was come by. `stale`: it is too old, and stands in for a database that fails. `bypass`: nobody looked for a kept
 * one.
 */
export interface Found {
  readonly kept: CachedBody;
  readonly by: 'hit' | 'miss' | 'stale' | 'bypass';
}

/** A whole answer, ready to be sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Stream;
}

/** An answer that was sent before. `head`: name, value, name, value …, the list that node:http takes as it is. */
export interface Ready {
  readonly status: number;
  readonly head: string[];
  readonly body: Uint8Array | null;
}

/** A body that is sent as it is made. */
export interface Stream {
  /** Throws where it breaks off. */
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Says that it breaks off, also while nobody asks for a piece: the client must not take it for whole. */
  readonly broken: AbortSignal;
}

export function isStream(body: Reply['body']): body is Stream {
  return typeof body === 'object' && 'pieces' in body;
}
