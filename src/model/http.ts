/** The vocabulary of calls: requests of clients, and replies. Pure. */
import type { RowTemplate } from './claim.ts';
import type { Extremes } from './metadata.ts';
import type { Rows } from './rows.ts';
import type { Table } from './table.ts';
import type { Json, JsonObject } from './value.ts';

/** A caller with rights of its own, as opposed to an anonymous one. */
export interface Caller {
  /** Null if the upstream granted these rights without naming an account, as for an anonymous sender. */
  readonly name: string | null;
  readonly read: Rights;
  readonly write: Rights;
  /** Its row filters, by resource id. */
  readonly where: ReadonlyMap<string, RowTemplate>;
  /** The values for claims in filters. */
  readonly claims: JsonObject;
  /** When its login, or the upstream's verdict on it, expires, by `performance.now()`; infinite for a token of the configuration. */
  readonly until: number;
}

/** Why a caller is anonymous. `callback`: any web page can make a JSONP call with the user's token, so the token does not count. */
export type Anonymous = 'no token' | 'unknown token' | 'expired token' | 'callback';

/** What the holders of an issuer's JWTs may read and write. */
export interface Grant {
  /** For each claim, the text that it must equal or list. `a.b` is the member `b` of the claim `a`. */
  readonly when: ReadonlyMap<string, string>;
  readonly read: Rights;
  readonly write: Rights;
  /** Row filters, by resource id. */
  readonly where: ReadonlyMap<string, RowTemplate>;
}

/** The ids of resources; `all` stands for `"*"` in the configuration. */
export type Rights = 'all' | ReadonlySet<string>;

/** The access settings of one resource. */
export interface Access {
  readonly read: 'public' | 'token' | 'upstream';
  readonly write: 'token' | 'upstream' | 'none';
  readonly deleteAll: boolean;
  readonly aggregate: boolean;
  readonly sql: boolean;
}

/** What one caller may do with one resource: allowed by both the token and the resource's `Access`. */
export interface May {
  readonly read: boolean;
  /** Whether the caller may count records in groups. */
  readonly aggregate: boolean;
  readonly write: boolean;
  /** Whether the caller may delete without filters, or with filters that match everything. */
  readonly deleteAll: boolean;
}

/** Fields of one resource that refer to records of another. All fields are given by label. */
export interface Reference {
  /** The id of the other resource, whichever of the two refers. */
  readonly resource: string;
  /** The fields of the referring resource. */
  readonly fields: readonly string[];
  /** The fields of the resource that is referred to, in the same order. */
  readonly to: readonly string[];
}

/** The references from a resource to others, and from others to it. */
export interface References {
  readonly references: readonly Reference[];
  readonly referencedBy: readonly Reference[];
}

/** What an answer shows to its caller alone. It is part of the cache key, so only callers who see the same share an entry. */
export interface CallerView {
  readonly may: May;
  /** Who may write at all, regardless of this caller; and whether the resource shows all columns of its table. */
  readonly access: { readonly write: Access['write']; readonly columns: 'all' | 'some' };
  /** The references between resources that the caller may read, as answers show them. */
  readonly references: readonly JsonObject[];
  readonly referencedBy: readonly JsonObject[];
  /** The resource's extremes; null if it has none, or if this caller has a row filter. */
  readonly extremes: Extremes | null;
  /** Whether other callers may see other references: then each request has to take the full path, and no proxy may keep the answer. */
  readonly isPrivate: boolean;
}

/** A configured resource with its table from the catalogue. */
export interface Resource {
  readonly id: string;
  readonly access: Access;
  readonly table: Table;
}

/** The formats of records in an answer, chosen by `records_format`. */
export const recordsFormats = ['objects', 'lists', 'csv', 'tsv'] as const;

export type RecordsFormat = (typeof recordsFormats)[number];

/** The formats of a download, chosen by the `format` of its URL. */
export const dumpFormats = ['csv', 'tsv', 'json', 'xml', 'jsonl', 'geojson', 'xlsx', 'parquet'] as const;

export type DumpFormat = (typeof dumpFormats)[number];

/** A member of an answer. Records are not encoded yet: they are rows and an output format. */
export type Member =
  | readonly [name: string, value: Json]
  | readonly [name: string, records: Rows, format: RecordsFormat];

/** Encrypts and authenticates a text, so that clients can neither read nor forge it. */
export interface Sealing {
  seal(text: string, purpose: string): string;
  /** Null if the text was not sealed by this gateway, or was sealed for another purpose. */
  open(sealed: string, purpose: string): string | null;
}

/** The result of an action: the members of `result`, in order. */
export interface Result {
  readonly members: readonly Member[];
}

/** The client of a request, as it is forwarded to the upstream and logged; rate limits count by its address. */
export interface Client {
  /** The IP address; `''` if the client has already disconnected. */
  readonly address: string;
  readonly proto: 'http' | 'https';
  /** The requested host, with the port if there was one. */
  readonly host: string;
  /** `X-Forwarded-For` for the upstream: the addresses of the client and all proxies, the direct peer last. */
  readonly chain: string;
  /** Whether the direct peer is a trusted proxy. */
  readonly isTrusted: boolean;
}

/** A request for the upstream. */
export interface ForwardedRequest {
  readonly to: 'upstream';
  /** The body, if the gateway had to read it to classify the call; null if it is streamed. */
  readonly body: Uint8Array | null;
  /** The names of headers with a token of this gateway: they are not forwarded. */
  readonly tokens: readonly string[];
  readonly client: Client;
  /** How to answer in place of the upstream; null if the client gets the upstream's answer. */
  readonly instead: Instead | null;
}

/** An answer of the gateway that replaces the upstream's 404, or is made from its 200. */
export interface Instead {
  /** Path and query to GET from the upstream; the reply is made from its 200. Null: forward the request, and replace only a 404. */
  readonly target: string | null;
  /** The most bytes of a 200 that the gateway reads. */
  readonly mostBytes: number;
  /** @param answer the upstream's answer */
  reply(answer: UpstreamAnswer): Promise<Reply>;
}

/** An answer of the upstream that the gateway replaces. `body`: null for a 404. */
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
  /** When the query was sent, on the monotonic clock in milliseconds. The data's age counts from then. */
  readonly storedAt: number;
  /** Milliseconds after which the entry is stale at the latest, even if the ttl is longer. */
  readonly lifetimeMs: number;
  /** Returns the gzip copy, which it makes at the first call and keeps. */
  gzip(): Promise<Uint8Array>;
  /** The gzip copy, once it has been made. */
  readonly zipped: Uint8Array | null;
}

/**
 * A cache entry, and how it was found. `stale`: it is too old, but served because the database fails. `bypass`: the cache was not
 * used.
 */
export interface Lookup {
  readonly entry: CacheEntry;
  readonly source: 'hit' | 'miss' | 'stale' | 'bypass';
}

/** A complete answer, ready to be sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Stream;
}

/** A reply from the request cache. `head`: alternating names and values of headers, the list that node:http takes as it is. */
export interface ReadyReply {
  readonly status: number;
  readonly head: string[];
  readonly body: Uint8Array | null;
}

/** A body that is sent while it is being produced. */
export interface Stream {
  /** The body, piece by piece. Throws if the body is aborted. */
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** Aborted if the body fails, even while no piece is being read, so that the client never takes the body for complete. */
  readonly broken: AbortSignal;
  /** Whether the body lasts until the client disconnects. A pipelined request behind it would never be answered. */
  readonly isEndless?: boolean;
}

export function isStream(body: Reply['body']): body is Stream {
  return typeof body === 'object' && 'pieces' in body;
}
