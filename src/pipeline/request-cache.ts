/**
 * The request cache: the fast path. A request that matches an earlier one byte for byte is answered without parsing it again.
 * A reload or a new catalogue creates a new `Gateway` object. Permissions were checked by the old one, so the request takes the
 * full path again.
 */

import { givenId, type RequestHead } from '../accept/request-head.ts';
import { loginCookies } from '../accept/verdicts/credential.ts';
import type { Gateway } from '../app/gateway.ts';
import type { CacheHandle } from '../cache/handle.ts';
import { Evictable } from '../cache/store.ts';
import type { Event } from '../model/events.ts';
import type { Caller, ReadyReply } from '../model/http.ts';
import { acceptsGzip } from '../reply/cached-reply.ts';
import { HeadTemplates } from '../reply/head-templates.ts';
import type { CallLog } from './call.ts';
import { addressOf, conditionalHeadersOf, tokenHeader } from './classify.ts';
import type { CacheHint } from './finish.ts';

/** Larger requests are not cached. */
const maxRequestLength = 16_000;

/** Bytes of a cached request in addition to its text and the key of its handle (measured on Node 20). */
const overhead = 250;
/** Limit of the entries in `#targets`, in `#last`, and in `#kinds`, which has some for each caller. */
const maxEntries = 1000;
/** Longer requests are not kept in `#last`, because its memory is not part of the cache's budget. */
const maxLastLength = 1000;

/** A cached request. There may be a million, so the properties that many of them share are in `RequestKind`. */
class CachedRequest extends Evictable {
  readonly kind: RequestKind;
  readonly handle: CacheHandle;
  /** Whose rights were checked; null for an anonymous caller. Not in the kind: a user's tokens share a name, but end one by one. */
  readonly caller: Caller | null;
  readonly acceptsGzip: boolean;
  /** The second in which the request last counted as used for the LRU. */
  used = 0;

  constructor(kind: RequestKind, { handle, caller }: CacheHint, acceptsGzip: boolean) {
    super();
    this.kind = kind;
    this.handle = handle;
    this.caller = caller;
    this.acceptsGzip = acceptsGzip;
  }
}

/** Properties shared by requests that differ only in their parameters. */
class RequestKind {
  readonly gateway: Gateway;
  readonly caller: string | null;
  readonly heads: HeadTemplates;
  readonly sent: Event;
  readonly unchanged: Event;

  constructor({ gateway, control }: CacheHint, { action, resource, caller }: CallLog) {
    this.gateway = gateway;
    this.caller = caller;
    this.heads = new HeadTemplates({ control, vary: gateway.vary }, gateway.settings.cors.origins);
    this.sent = { on: 'hit', action, resource, status: 200 };
    this.unchanged = { on: 'hit', action, resource, status: 304 };
  }
}

/** The last request to a target. */
interface LastRequest {
  readonly method: string;
  /** Only the headers that are part of the key: others may be long. */
  readonly headers: RequestHead['headers'];
  readonly login: string;
  readonly body: string;
  readonly key: string;
  readonly cached: CachedRequest;
}

export class RequestCache {
  readonly #current: () => Gateway;
  /** POST targets where the fast path reads the body: an earlier body was answered from the cache. */
  readonly #targets = new Set<string>();
  /** The last request of each target. The next one is usually equal, and comparing takes half as long as a lookup by the whole request. */
  readonly #last = new Map<string, LastRequest>();
  /** The second in which `#last` was last cleared because it was full. */
  #cleared = 0;
  readonly #kinds = new Map<string, RequestKind>();
  /** The gateway to which `#last` and `#kinds` belong. */
  #gateway: Gateway | null = null;

  constructor(current: () => Gateway) {
    this.#current = current;
  }

  /** Stores a request whose caller's rights were checked. Skips requests with `Cache-Control` or an encoded body. */
  store(request: RequestHead, body: string, hint: CacheHint, log: CallLog): void {
    // The gateway was replaced during the request: storing it would keep the old gateway in memory.
    if (hint.gateway !== this.#currentGateway()) return;
    const { method, headers } = request;
    const isPlain =
      (method === 'GET' || method === 'POST') &&
      headers['cache-control'] === undefined &&
      headers['content-encoding'] === undefined;
    const head = headOf(request, loginOf(hint.gateway, request));
    if (!isPlain || head.length + body.length > maxRequestLength) return;
    if (method === 'POST') {
      if (this.#targets.size >= maxEntries) this.#targets.clear();
      this.#targets.add(request.target);
    }
    const cached = new CachedRequest(
      this.#kindOf(hint, log),
      hint,
      acceptsGzip(conditionalHeadersOf(request).acceptEncoding),
    );
    hint.gateway.cache.store.set(head + body, cached, overhead + hint.handle.key().length);
  }

  /** Whether the fast path should read the body of this request. */
  expects({ method, target }: RequestHead): boolean {
    return method === 'POST' && this.#targets.has(target);
  }

  /** The current gateway. If it is a new one, clears what belongs to the old one. */
  #currentGateway(): Gateway {
    const gateway = this.#current();
    if (gateway !== this.#gateway) {
      this.#last.clear();
      this.#kinds.clear();
      this.#gateway = gateway;
    }
    return gateway;
  }

  #kindOf(hint: CacheHint, log: CallLog): RequestKind {
    const { action, resource, caller } = log;
    const name = JSON.stringify([action, resource, caller, hint.control]);
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    // Cached requests keep their own kinds.
    if (this.#kinds.size >= maxEntries) this.#kinds.clear();
    const kind = new RequestKind(hint, log);
    this.#kinds.set(name, kind);
    return kind;
  }

  /**
   * Answers a request from the cache, after asking the database for a proof of freshness if needed.
   * @returns null if the request must take the full path. If that turns out only after the proof, a number: when the request came
   */
  find(request: RequestHead, body: string): ReadyReply | Promise<ReadyReply | number> | null {
    const gateway = this.#currentGateway();
    const now = performance.now();
    const login = loginOf(gateway, request);
    const last = this.#last.get(request.target);
    if (last !== undefined && last.login === login && isSame(last, request, body))
      return this.#prove(request, last.key, last.cached, now);
    const key = headOf(request, login) + body;
    const cached = gateway.cache.store.peek(key, CachedRequest);
    if (cached === undefined || cached.kind.gateway !== gateway) return null;
    // Remember the request only if it was already used in this second: a rare request must not displace a frequent one.
    if (cached.used === secondOf(now)) this.#remember(request, { login, body, key, cached });
    return this.#prove(request, key, cached, now);
  }

  /** Answers after a proof of freshness, which asks the database if the last one has expired. Concurrent requests share one sample. */
  #prove(
    request: RequestHead,
    key: string,
    cached: CachedRequest,
    now: number,
  ): ReadyReply | Promise<ReadyReply | number> | null {
    const { freshness } = cached.handle;
    if (freshness === null || freshness.isFresh(now)) return this.#answer(request, key, cached, now);
    if (cached.handle.freshEntry(cached.kind.gateway.cache.results, now) === null) return null;
    // If the gateway was replaced while we waited, the caller's rights must be checked again: on the full path.
    const answered = (isProved: boolean): ReadyReply | number => {
      const isUsable = isProved && cached.kind.gateway === this.#currentGateway();
      return (isUsable ? this.#answer(request, key, cached, performance.now()) : null) ?? now;
    };
    return freshness.prove(now).then(answered);
  }

  /** Keeps the last request of a target. A full map is cleared at most once per second, so that other targets get a chance. */
  #remember({ method, target, headers }: RequestHead, last: Omit<LastRequest, 'method' | 'headers'>): void {
    const { key, cached } = last;
    if (key.length > maxLastLength) return;
    if (this.#last.size >= maxEntries && this.#cleared !== cached.used) {
      this.#cleared = cached.used;
      this.#last.clear();
    }
    if (this.#last.size >= maxEntries) return;
    this.#last.set(target, { ...last, method, headers: decidingOf(headers) });
  }

  #answer(request: RequestHead, key: string, cached: CachedRequest, now: number): ReadyReply | null {
    const { kind, handle, caller } = cached;
    const { gateway } = kind;
    if (caller !== null && now >= caller.until) {
      // The login has ended: its token is verified again, and the request is stored anew.
      if (this.#last.get(request.target)?.cached === cached) this.#last.delete(request.target);
      return null;
    }
    const entry = handle.freshEntry(gateway.cache.results, now);
    if (entry === null) return null;
    const { origin } = request.headers;
    const from = typeof origin === 'string' ? origin : undefined;
    const ready = kind.heads.ready(entry, conditionalHeadersOf(request), cached.acceptsGzip, from, now);
    if (ready === null) return null;
    const second = secondOf(now);
    if (cached.used !== second) {
      cached.used = second;
      // Once per second is enough to keep both from eviction.
      gateway.cache.store.use(key);
      gateway.cache.store.use(handle.key());
    }
    // If the client is over its rate limit, the full path makes the refusal.
    const { rates } = gateway;
    if (rates !== null && !rates.takeNow({ caller: kind.caller, address: addressOf(gateway, request) })) return null;
    gateway.emit(ready.status === 304 ? kind.unchanged : kind.sent);
    // A hit has no line in the log, so an id of our own would be useless: return only one that the client has sent.
    const id = givenId(request.headers['x-request-id']);
    if (id !== null) ready.head.push('X-Request-Id', id);
    return ready;
  }
}

/** The second in which a time in milliseconds falls. */
const secondOf = (now: number): number => Math.floor(now / 1000);

/** Whether method, body and the headers of the key equal those of the last request to the target. */
function isSame(last: LastRequest, { method, headers }: RequestHead, body: string): boolean {
  if (method !== last.method || body !== last.body) return false;
  const same = last.headers;
  // Don't write a loop here: V8 caches property access only for constant names.
  return (
    headers.authorization === same.authorization &&
    headers['x-ckan-api-key'] === same['x-ckan-api-key'] &&
    headers['content-type'] === same['content-type'] &&
    headers['accept-encoding'] === same['accept-encoding'] &&
    headers['cache-control'] === same['cache-control'] &&
    headers['content-encoding'] === same['content-encoding']
  );
}

/** What shows the upstream who sends a request, besides the usual headers; `''` unless `upstream.access` names any. */
function loginOf({ verdicts, settings }: Gateway, { method, headers }: RequestHead): string {
  if (verdicts === null || settings.upstream === null) return '';
  const { cookies } = settings.upstream.access;
  const header = tokenHeader(settings);
  const other = header === null ? '' : `\n${header} ${headers[header] ?? ''}`;
  return `${other}\ncookie ${loginCookies(method, headers, cookies)}`;
}

/** The part of the key before the body: method, target, and each header that was sent and that answers depend on. */
function headOf({ method, target, headers }: RequestHead, login: string): string {
  let head = method === 'GET' ? target : `${method} ${target}`;
  for (const name of deciding) {
    const value = headers[name];
    if (value !== undefined) head += `\n${name} ${value}`;
  }
  // An empty line, as in HTTP. Without it, a body that begins like a header would have the key of a request with that header.
  return `${head}${login}\n\n`;
}

/** The headers that an answer depends on. */
const deciding = [
  ...['authorization', 'x-ckan-api-key', 'content-type', 'accept-encoding', 'cache-control', 'content-encoding'],
];

const decidingOf = (headers: RequestHead['headers']): RequestHead['headers'] =>
  Object.fromEntries(deciding.map((name) => [name, headers[name]]));
