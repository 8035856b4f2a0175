/**
 * The request cache, the fast path. A request that matches an earlier one exactly is answered without parsing it again.
 * Permissions belong to the gateway that checked them. After a reload or a re-read catalogue there is a new gateway, and the
 * request takes the full path again.
 */

import type { RequestHead } from '../accept/quick.ts';
import { givenId } from '../accept/request-id.ts';
import { Evictable } from '../cache/store.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Event } from '../model/events.ts';
import type { Ready } from '../model/http.ts';
import { acceptsGzip } from '../reply/compress.ts';
import { Heads } from '../reply/heads.ts';
import { type CacheHandle, type CacheHint, getFresh } from './cached.ts';
import { addressOf } from './classify.ts';
import { wantsOf } from './pages.ts';
import type { CallLog } from './report.ts';

/** Characters; larger requests are not cached. */
const largest = 16_000;

/** Bytes of a cached request, beside its text and that of its handle (measured on Node 20). */
const overhead = 250;
/** Limit of two sets: POST targets whose bodies are worth reading (the actions), and targets whose last request is kept. */
const mostTargets = 1000;
/** Characters of a request kept as a target's last one: these count in no budget. */
const short = 1000;

/** A permitted request. There may be a million, so properties that several share are in `Way`. */
class Known extends Evictable {
  readonly way: Way;
  readonly handle: CacheHandle;
  readonly acceptsGzip: boolean;
  /** The second in which it last counted as used. */
  used = 0;

  constructor(way: Way, handle: CacheHandle, acceptsGzip: boolean) {
    super();
    this.way = way;
    this.handle = handle;
    this.acceptsGzip = acceptsGzip;
  }
}

/** Properties shared by requests that differ only in their parameters. */
class Way {
  readonly gateway: Gateway;
  readonly caller: string | null;
  readonly heads: Heads;
  readonly whole: Event;
  readonly unchanged: Event;

  constructor({ gateway, control }: CacheHint, { action, resource, caller }: CallLog) {
    this.gateway = gateway;
    this.caller = caller;
    this.heads = new Heads(control, gateway.settings.cors.origins);
    this.whole = { on: 'hit', action, resource, status: 200 };
    this.unchanged = { on: 'hit', action, resource, status: 304 };
  }
}

/** The last request to a target. */
interface Latest {
  readonly method: string;
  /** Only those in the key: others may be long. */
  readonly headers: RequestHead['headers'];
  readonly body: string;
  readonly asked: string;
  readonly known: Known;
}

export class Recall {
  readonly #current: () => Gateway;
  /** POST targets whose bodies are worth reading: an earlier body there was answered from the cache. */
  readonly #targets = new Set<string>();
  /** A target's request is mostly the same as the last one. Comparing with it takes half of a lookup by its whole text. */
  readonly #latest = new Map<string, Latest>();
  /** The second in which `#latest` was last full and cleared. */
  #cleared = 0;
  readonly #ways = new Map<string, Way>();
  /** The gateway to which `#latest` and `#ways` belong. */
  #gateway: Gateway | null = null;

  constructor(current: () => Gateway) {
    this.#current = current;
  }

  /** Stores a permitted request. A request with `Cache-Control` or an encoded body is not stored. */
  learn(request: RequestHead, body: string, hint: CacheHint, log: CallLog): void {
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
    const known = new Known(this.#way(hint, log), hint.handle, acceptsGzip(wantsOf(request).acceptEncoding));
    hint.gateway.cache.memory.keep(head + body, known, overhead + hint.handle.key().length);
  }

  expects({ method, target }: RequestHead): boolean {
    return method === 'POST' && this.#targets.has(target);
  }

  /** The current gateway. Clears entries of an earlier one. */
  #now(): Gateway {
    const gateway = this.#current();
    if (gateway !== this.#gateway) {
      this.#latest.clear();
      this.#ways.clear();
      this.#gateway = gateway;
    }
    return gateway;
  }

  #way(hint: CacheHint, log: CallLog): Way {
    const { action, resource, caller } = log;
    const name = JSON.stringify([action, resource, caller, hint.control]);
    const way = this.#ways.get(name) ?? new Way(hint, log);
    this.#ways.set(name, way);
    return way;
  }

  /** @returns the reply; null where the request must take the full path */
  find(request: RequestHead, body: string): Ready | null {
    const gateway = this.#now();
    const now = performance.now();
    const latest = this.#latest.get(request.target);
    if (latest !== undefined && isSame(latest, request, body))
      return this.#answer(request, latest.asked, latest.known, now);
    const asked = headOf(request) + body;
    const known = gateway.cache.memory.peek(asked, Known);
    if (known === undefined || known.way.gateway !== gateway) return null;
    // A rare request must not displace a frequent one.
    if (known.used === secondOf(now)) this.#remember(request, body, asked, known);
    return this.#answer(request, asked, known, now);
  }

  /** Keeps the last request of a target. When full, all are cleared, at most once a second, so that targets take turns. */
  #remember(request: RequestHead, body: string, asked: string, known: Known): void {
    if (asked.length > short) return;
    if (this.#latest.size >= mostTargets && this.#cleared !== known.used) {
      this.#cleared = known.used;
      this.#latest.clear();
    }
    if (this.#latest.size >= mostTargets) return;
    const { method, target, headers } = request;
    this.#latest.set(target, { method, headers: decidingOf(headers), body, asked, known });
  }

  #answer(request: RequestHead, asked: string, known: Known, now: number): Ready | null {
    const { way, handle } = known;
    const { gateway } = way;
    const kept = getFresh(gateway, handle, now);
    if (kept === null) return null;
    const { origin } = request.headers;
    const from = typeof origin === 'string' ? origin : undefined;
    const ready = way.heads.ready(kept, wantsOf(request), known.acceptsGzip, from, now);
    if (ready === null) return null;
    const second = secondOf(now);
    if (known.used !== second) {
      known.used = second;
      // Once a second suffices to keep both from eviction.
      gateway.cache.memory.use(asked);
      gateway.cache.memory.use(handle.key());
    }
    // A caller over its rate limit gets the refusal on the full path.
    const { rates } = gateway;
    if (rates !== null && !rates.takeNow({ caller: way.caller, address: addressOf(gateway, request) })) return null;
    gateway.emit(ready.status === 304 ? way.unchanged : way.whole);
    // The log has no line for a hit, so only an id sent by the client is returned.
    const id = givenId(request.headers['x-request-id']);
    if (id !== null) ready.head.push('X-Request-Id', id);
    return ready;
  }
}

/** The second of a time in milliseconds. */
const secondOf = (now: number): number => Math.floor(now / 1000);

/** Whether method, deciding headers and body equal those of the last request to the target. */
function isSame(latest: Latest, { method, headers }: RequestHead, body: string): boolean {
  if (method !== latest.method || body !== latest.body) return false;
  const same = latest.headers;
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
