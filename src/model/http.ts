/** The vocabulary of calls: requests of clients, and replies. Pure. */
import type { Rows } from './rows.ts';
import type { Table } from './table.ts';
import type { Json } from './value.ts';

/** A caller with a token. Anonymous has no name and no rights of its own. */
export interface Caller {
  readonly name: string;
  readonly read: Rights;
  readonly write: Rights;
}

/** Why a caller is anonymous. `callback`: a call with one is anonymous, whatever its token, because any page can make it. */
export type Anonymous = 'no token' | 'unknown token' | 'callback';

/** `all` stands for `"*"`. */
export type Rights = 'all' | ReadonlySet<string>;

/** The access settings of one resource. */
export interface Access {
  readonly read: 'public' | 'token';
  readonly write: 'token' | 'none';
  readonly deleteAll: boolean;
  readonly aggregate: boolean;
}

/** The permissions of one caller on one resource, in which a token and `Access` agree. */
export interface May {
  readonly read: boolean;
  /** Counts of records in groups. */
  readonly aggregate: boolean;
  readonly write: boolean;
  /** A delete whose filters match everything. */
  readonly deleteAll: boolean;
}

/** A configured resource with its table from the catalogue. */
export interface Resource {
  readonly id: string;
  readonly access: Access;
  readonly table: Table;
}

/** The formats of records in an answer: `records_format`. */
export const recordsFormats = ['objects', 'lists', 'csv', 'tsv'] as const;

export type RecordsFormat = (typeof recordsFormats)[number];

/** The formats of downloads. */
export const dumpFormats = ['csv', 'tsv', 'json', 'xml', 'jsonl'] as const;

export type DumpFormat = (typeof dumpFormats)[number];

/** A member of an answer; records are still rows, with their output format. */
export type Member =
  | readonly [name: string, value: Json]
  | readonly [name: string, records: Rows, format: RecordsFormat];

/** Encrypts and authenticates a text, so that clients can neither read nor forge it. */
export interface Sealing {
  seal(text: string, purpose: string): string;
  /** Null for a text that was not sealed here, or for another purpose. */
  open(sealed: string, purpose: string): string | null;
}

/** The result of an action: the members of `result` in the order of the wire. */
export interface Result {
  readonly members: readonly Member[];
}

/** The client, as forwarded upstream, logged, and counted by address. */
export interface Client {
  /** `''` when it has already left. */
  readonly address: string;
  readonly proto: 'http' | 'https';
  /** The requested host, with its port where one was given. */
  readonly host: string;
  /** `X-Forwarded-For` for the upstream: the addresses of the path, the peer's last. */
  readonly chain: string;
  /** Whether the peer is a trusted proxy. */
  readonly isTrusted: boolean;
}

/** A request for the upstream. */
export interface ForwardedRequest {
  readonly to: 'upstream';
  /** The body if the gateway has read it to classify the call; else it is streamed. */
  readonly body: Uint8Array | null;
  /** The headers with a token of this gateway, which are not forwarded. */
  readonly tokens: readonly string[];
  readonly client: Client;
  /** Null: the client gets the upstream's answer. */
  readonly instead: Instead | null;
}

/** An answer of the gateway in place of the upstream's 404, or made of its 200. */
export interface Instead {
  /** Path and query of a GET, for which the upstream's 200 is read. Null: it gets the client's request, and only a 404 is replaced. */
  readonly target: string | null;
  /** The most bytes of a 200 that are read. */
  readonly mostBytes: number;
  /** @param answer the upstream's */
  reply(answer: UpstreamAnswer): Promise<Reply>;
}

/** An answer of the upstream that the client does not get. `body`: null for a 404. */
export class UpstreamAnswer {
  readonly status: number;
  readonly body: Buffer | null;
  constructor(status: number, body: Buffer | null) {
    this.status = status;
    this.body = body;
  }
}

/** The body of an answer that may be cached and sent again. */
export interface CacheEntry {
  readonly body: Uint8Array;
  /** A strong validator: the hash of the bytes, so that it stays valid after a restart. */
  readonly etag: string;
  /** When the query was sent, on the monotonic clock in milliseconds: the age of the data counts from there. */
  readonly at: number;
  /** Milliseconds for which it is fresh at most, whatever the ttl. */
  readonly lasts: number;
  /** Makes the gzip copy at the first call, and keeps it. */
  gzip(): Promise<Uint8Array>;
  /** The gzip copy, once it has been made. */
  readonly zipped: Uint8Array | null;
}

/**
 * A body and its source. `stale`: it is too old, and replaces the answer of a failing database. `bypass`: the cache was not
 * consulted.
 */
export interface Lookup {
  readonly entry: CacheEntry;
  readonly source: 'hit' | 'miss' | 'stale' | 'bypass';
}

/** A whole answer, ready to be sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Stream;
}

/** A reply from the request cache. `head`: name, value, name, value …, a list that node:http takes unchanged. */
export interface ReadyReply {
  readonly status: number;
  readonly head: string[];
  readonly body: Uint8Array | null;
}

/** A body that is sent while it is made. */
export interface Stream {
  /** Throws if the body is aborted. */
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Aborted with the body, also while no piece is requested: the client must not take it for complete. */
  readonly broken: AbortSignal;
  /** It lasts until the client leaves: a request behind it on its connection would never be answered. */
  readonly isEndless?: boolean;
}

export function isStream(body: Reply['body']): body is Stream {
  return typeof body === 'object' && 'pieces' in body;
}
