/**
 * The request cache, the fast path. A request that matches an earlier one exactly is answered without parsing it again.
 * Permissions belong to the gateway that checked them. After a reload or a re-read catalogue there is a new gateway, and the
 * request takes the full path again.
 */

import type { RequestHead } from '../accept/fast-path.ts';
import { givenId } from '../accept/request-id.ts';
import type { Gateway } from '../app/gateway.ts';
import type { CacheHandle } from '../cache/handle.ts';
import { Evictable } from '../cache/store.ts';
import type { Event } from '../model/events.ts';
import type { ReadyReply } from '../model/http.ts';
import { acceptsGzip } from '../reply/compress.ts';
import { HeadTemplates } from '../reply/head-templates.ts';
import type { CallLog } from './call.ts';
import { addressOf, wantsOf } from './classify.ts';

/** Characters; larger requests are not cached. */
const largest = 16_000;

/** Bytes of a cached request, beside its text and that of its handle (measured on Node 20). */
const overhead = 250;
/** Limit of two sets: POST targets whose bodies are worth reading (the actions), and targets whose last request is kept. */
const mostTargets = 1000;
/** Characters of a request kept as a target's last one: these count in no budget. */
const short = 1000;

/** How a permitted request was answered from the cache. */
export interface CacheHint {
  readonly gateway: Gateway;
  readonly handle: CacheHandle;
  /** `Cache-Control` of its answers. */
  readonly control: string;
}

/** A permitted request. There may be a million, so properties that several share are in `RequestKind`. */
class CachedRequest extends Evictable {
  readonly kind: RequestKind;
  readonly handle: CacheHandle;
  readonly acceptsGzip: boolean;
  /** The second in which it last counted as used. */
  used = 0;

  constructor(kind: RequestKind, handle: CacheHandle, acceptsGzip: boolean) {
    super();
    this.kind = kind;
    this.handle = handle;
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
    this.heads = new HeadTemplates(control, gateway.settings.cors.origins);
    this.sent = { on: 'hit', action, resource, status: 200 };
    this.unchanged = { on: 'hit', action, resource, status: 304 };
  }
}

/** The last request to a target. */
interface LastRequest {
  readonly method: string;
  /** Only those in the key: others may be long. */
  readonly headers: RequestHead['headers'];
  readonly body: string;
  readonly key: string;
  readonly cached: CachedRequest;
}

export class RequestCache {
  readonly #current: () => Gateway;
  /** POST targets whose bodies are worth reading: an earlier body there was answered from the cache. */
  readonly #targets = new Set<string>();
  /** A target's request is mostly the same as the last one. Comparing with it takes half of a lookup by its whole text. */
  readonly #last = new Map<string, LastRequest>();
  /** The second in which `#last` was full and cleared. */
  #cleared = 0;
  readonly #kinds = new Map<string, RequestKind>();
  /** The gateway to which `#last` and `#kinds` belong. */
  #gateway: Gateway | null = null;

  constructor(current: () => Gateway) {
    this.#current = current;
  }

  /** Stores a permitted request. A request with `Cache-Control` or an encoded body is not stored. */
  store(request: RequestHead, body: string, hint: CacheHint, log: CallLog): void {
    // The request began before the gateway was replaced; its entry would keep the old gateway alive.
    if (hint.gateway !== this.#now()) return;
    const { method, headers } = request;
    const isPlain =
      (method === 'GET' || method === 'POST') &&
      headers['cache-control'] === undefined &&
      headers['content-encoding'] === undefined;
    const head = headOf(request);
    if (!isPlain || head.length + body.length > largest) return;
    if (method === 'POST') {
      if (this.#targets.size >= mostTargets) this.#targets.clear();
      this.#targets.add(request.target);
    }
    const cached = new CachedRequest(
      this.#kindOf(hint, log),
      hint.handle,
      acceptsGzip(wantsOf(request).acceptEncoding),
    );
    hint.gateway.cache.store.set(head + body, cached, overhead + hint.handle.key().length);
  }

  expects({ method, target }: RequestHead): boolean {
    return method === 'POST' && this.#targets.has(target);
  }

  /** The current gateway. Clears entries of an earlier one. */
  #now(): Gateway {
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
    const kind = this.#kinds.get(name) ?? new RequestKind(hint, log);
    this.#kinds.set(name, kind);
    return kind;
  }

  /** @returns the reply, after a proof where that is needed; null where the request must take the full path */
  find(request: RequestHead, body: string): ReadyReply | Promise<ReadyReply | number> | null {
    const gateway = this.#now();
    const now = performance.now();
    const last = this.#last.get(request.target);
    if (last !== undefined && isSame(last, request, body)) return this.#prove(request, last.key, last.cached, now);
    const key = headOf(request) + body;
    const cached = gateway.cache.store.peek(key, CachedRequest);
    if (cached === undefined || cached.kind.gateway !== gateway) return null;
    // A rare request must not displace a frequent one.
    if (cached.used === secondOf(now)) this.#remember(request, body, key, cached);
    return this.#prove(request, key, cached, now);
  }

  /** Asks the database first where that is needed: requests that wait for it share one question. */
  #prove(
    request: RequestHead,
    key: string,
    cached: CachedRequest,
    now: number,
  ): ReadyReply | Promise<ReadyReply | number> | null {
    const { freshness } = cached.handle;
    if (freshness === null || freshness.isProved(now)) return this.#answer(request, key, cached, now);
    if (cached.handle.stored(cached.kind.gateway.cache.results, now) === null) return null;
    // The gateway may be replaced meanwhile, with the permissions of the request.
    const answered = (isProved: boolean): ReadyReply | number => {
      const isKnown = isProved && cached.kind.gateway === this.#now();
      return (isKnown ? this.#answer(request, key, cached, performance.now()) : null) ?? now;
    };
    return freshness.prove(now).then(answered);
  }

  /** Keeps the last request of a target. When full, all are cleared, at most once a second, so that targets take turns. */
  #remember(request: RequestHead, body: string, key: string, cached: CachedRequest): void {
    if (key.length > short) return;
    if (this.#last.size >= mostTargets && this.#cleared !== cached.used) {
      this.#cleared = cached.used;
      this.#last.clear();
    }
    if (this.#last.size >= mostTargets) return;
    const { method, target, headers } = request;
    this.#last.set(target, { method, headers: decidingOf(headers), body, key, cached });
  }

  #answer(request: RequestHead, key: string, cached: CachedRequest, now: number): ReadyReply | null {
    const { kind, handle } = cached;
    const { gateway } = kind;
    const entry = handle.stored(gateway.cache.results, now);
    if (entry === null) return null;
    const { origin } = request.headers;
    const from = typeof origin === 'string' ? origin : undefined;
    const ready = kind.heads.ready(entry, wantsOf(request), cached.acceptsGzip, from, now);
    if (ready === null) return null;
    const second = secondOf(now);
    if (cached.used !== second) {
      cached.used = second;
      // Once a second suffices to keep both from eviction.
      gateway.cache.store.use(key);
      gateway.cache.store.use(handle.key());
    }
    // A caller over its rate limit gets the refusal on the full path.
    const { rates } = gateway;
    if (rates !== null && !rates.takeNow({ caller: kind.caller, address: addressOf(gateway, request) })) return null;
    gateway.emit(ready.status === 304 ? kind.unchanged : kind.sent);
    // The log has no line for a hit, so only an id sent by the client is returned.
    const id = givenId(request.headers['x-request-id']);
    if (id !== null) ready.head.push('X-Request-Id', id);
    return ready;
  }
}

/** The second of a time in milliseconds. */
const secondOf = (now: number): number => Math.floor(now / 1000);

/** Whether method, deciding headers and body equal those of the last request to the target. */
function isSame(last: LastRequest, { method, headers }: RequestHead, body: string): boolean {
  if (method !== last.method || body !== last.body) return false;
  const same = last.headers;
  // Each by its name: V8 cannot cache the access of a name in a variable.
  return (
    headers.authorization === same.authorization &&
    headers['x-ckan-api-key'] === same['x-ckan-api-key'] &&
    headers['content-type'] === same['content-type'] &&
    headers['accept-encoding'] === same['accept-encoding'] &&
    headers['cache-control'] === same['cache-control'] &&
    headers['content-encoding'] === same['content-encoding']
  );
}

/** The part of the key before the body. Absent headers add nothing to it: most are absent. */
function headOf({ method, target, headers }: RequestHead): string {
  let head = method === 'GET' ? target : `${method} ${target}`;
  for (const name of deciding) {
    const value = headers[name];
    if (value !== undefined) head += `\n${name} ${value}`;
  }
  // An empty line, as in HTTP. Otherwise a body that begins like a header would equal a request with that header.
  return `${head}\n\n`;
}

const deciding = [
  ...['authorization', 'x-ckan-api-key', 'content-type', 'accept-encoding', 'cache-control', 'content-encoding'],
];

const decidingOf = (headers: RequestHead['headers']): RequestHead['headers'] =>
  Object.fromEntries(deciding.map((name) => [name, headers[name]]));
