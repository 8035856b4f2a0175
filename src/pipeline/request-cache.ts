/**
 * The fast road: a request that came before to the letter is answered without reading it anew. Who may read what belongs to the
 * gateway that let it through; after a reload or a re-read catalogue there is another, and the request goes the whole way again.
 */

import type { RequestHead } from '../accept/quick.ts';
import { givenId } from '../accept/request-id.ts';
import { Evictable } from '../cache/store.ts';
import type { Gateway } from '../gateway/build.ts';
import type { Event } from '../model/events.ts';
import type { Ready } from '../model/http.ts';
import { acceptsGzip } from '../reply/compress.ts';
import { Heads } from '../reply/heads.ts';
import { type CacheHandle, getFresh } from './cached.ts';
import { type CacheHint, wantsOf } from './call.ts';
import { addressOf } from './classify.ts';

/** Characters; what is larger is read anew. */
const largest = 16_000;

/** Bytes that a known request takes, beside its text and that of its slot (measured on Node 20). */
const overhead = 250;
/** Targets of POST requests whose bodies are worth reading, the actions; and targets of which the last request is remembered. */
const mostTargets = 1000;
/** Characters of a request that is remembered as the last one: these are in no budget. */
const short = 1000;

/** A request that was let through. There may be a million, so that what several have in common is not in here. */
class Known extends Evictable {
  readonly way: Way;
  readonly slot: CacheHandle;
  readonly acceptsGzip: boolean;
  /** The second in which it was last said to be in use. */
  used = 0;

  constructor(way: Way, slot: CacheHandle, acceptsGzip: boolean) {
    super();
    this.way = way;
    this.slot = slot;
    this.acceptsGzip = acceptsGzip;
  }
}

/** How requests are answered that differ in nothing but what they ask. */
class Way {
  readonly gateway: Gateway;
  readonly caller: string | null;
  readonly heads: Heads;
  readonly whole: Event;
  readonly unchanged: Event;

  constructor({ gateway, control, told: { action, resource, caller } }: CacheHint) {
    this.gateway = gateway;
    this.caller = caller;
    this.heads = new Heads(control, gateway.settings.cors.origins);
    this.whole = { on: 'hit', action, resource, status: 200 };
    this.unchanged = { on: 'hit', action, resource, status: 304 };
  }
}

/** What was asked last of a target. */
interface Latest {
  readonly method: string;
  /** Those that decide: others may be long. */
  readonly headers: RequestHead['headers'];
  readonly body: string;
  readonly asked: string;
  readonly known: Known;
}

export class Recall {
  readonly #current: () => Gateway;
  /** Where a body is worth reading: what came there before was answered from the cache. */
  readonly #targets = new Set<string>();
  /** Mostly the same is asked of a target again, and to see that takes half of looking it up by all of its text. */
  readonly #latest = new Map<string, Latest>();
  /** The second in which there were too many of them last. */
  #cleared = 0;
  readonly #ways = new Map<string, Way>();
  /** To which the latest and the ways belong. */
  #gateway: Gateway | null = null;

  constructor(current: () => Gateway) {
    this.#current = current;
  }

  /** Remembers how a request was let through; one that asks for more than an answer is read anew each time. */
  learn(request: RequestHead, body: string, again: CacheHint): void {
    // It began before the gateway was replaced, and would keep the old one alive.
    if (again.gateway !== this.#now()) return;
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
    const known = new Known(this.#way(again), again.slot, acceptsGzip(wantsOf(request).acceptEncoding));
    again.gateway.cache.memory.keep(head + body, known, overhead + again.slot.key().length);
  }

  expects({ method, target }: RequestHead): boolean {
    return method === 'POST' && this.#targets.has(target);
  }

  /** The gateway of now; what belongs to another is forgotten. */
  #now(): Gateway {
    const gateway = this.#current();
    if (gateway !== this.#gateway) {
      this.#latest.clear();
      this.#ways.clear();
      this.#gateway = gateway;
    }
    return gateway;
  }

  #way(again: CacheHint): Way {
    const { action, resource, caller } = again.told;
    const name = JSON.stringify([action, resource, caller, again.control]);
    const way = this.#ways.get(name) ?? new Way(again);
    this.#ways.set(name, way);
    return way;
  }

  /** @returns the answer; null where the request must go the whole way */
  find(request: RequestHead, body: string): Ready | null {
    const gateway = this.#now();
    const now = performance.now();
    const latest = this.#latest.get(request.target);
    if (latest !== undefined && isSame(latest, request, body))
      return this.#answer(request, latest.asked, latest.known, now);
    const asked = headOf(request) + body;
    const known = gateway.cache.memory.peek(asked, Known);
    if (known === undefined || known.way.gateway !== gateway) return null;
    // What is asked seldom would only push out what is asked often.
    if (known.used === secondOf(now)) this.#remember(request, body, asked, known);
    return this.#answer(request, asked, known, now);
  }

  /** Remembers what was asked last of a target; of more targets than there may be, now these and now those. */
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
    const { way, slot } = known;
    const { gateway } = way;
    const kept = getFresh(gateway, slot, now);
    if (kept === null) return null;
    const { origin } = request.headers;
    const from = typeof origin === 'string' ? origin : undefined;
    const ready = way.heads.ready(kept, wantsOf(request), known.acceptsGzip, from, now);
    if (ready === null) return null;
    const second = secondOf(now);
    if (known.used !== second) {
      known.used = second;
      // Once a second is often enough for both not to be taken for the least used.
      gateway.cache.memory.use(asked);
      gateway.cache.memory.use(slot.key());
    }
    // Who has nothing left is told so on the whole way.
    const { rates } = gateway;
    if (rates !== null && !rates.takeNow({ caller: way.caller, address: addressOf(gateway, request) })) return null;
    gateway.emit(ready.status === 304 ? way.unchanged : way.whole);
    // Nobody needs to find a hit again who has not named it.
    const id = givenId(request.headers['x-request-id']);
    if (id !== null) ready.head.push('X-Request-Id', id);
    return ready;
  }
}

/** In which second a moment is. */
const secondOf = (now: number): number => Math.floor(now / 1000);

/** Whether the same is asked, of the same target. */
function isSame(latest: Latest, { method, headers }: RequestHead, body: string): boolean {
  if (method !== latest.method || body !== latest.body) return false;
  const same = latest.headers;
  // Each by its name: to V8 a name in a variable is another one each time.
  return (
    headers.authorization === same.authorization &&
    headers['x-ckan-api-key'] === same['x-ckan-api-key'] &&
    headers['content-type'] === same['content-type'] &&
    headers['accept-encoding'] === same['accept-encoding'] &&
    headers['cache-control'] === same['cache-control'] &&
    headers['content-encoding'] === same['content-encoding']
  );
}

/** All that decides which answer it is, but for the body. Headers that are not there cost nothing: most are not. */
function headOf({ method, target, headers }: RequestHead): string {
  let head = method === 'GET' ? target : `${method} ${target}`;
  for (const name of deciding) {
    const value = headers[name];
    if (value !== undefined) head += `\n${name} ${value}`;
  }
  // An empty line, as in HTTP: else a body that begins like a header could be taken for a request that has it.
  return `${head}\n\n`;
}

const deciding = [
  ...['authorization', 'x-ckan-api-key', 'content-type', 'accept-encoding', 'cache-control', 'content-encoding'],
];

const decidingOf = (headers: RequestHead['headers']): RequestHead['headers'] =>
  Object.fromEntries(deciding.map((name) => [name, headers[name]]));
