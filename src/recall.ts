/**
 * The fast road: a request that came before to the letter is answered without reading it anew. Who may read what belongs to the
 * gateway that let it through; after a reload or a re-read catalogue there is another, and the request goes the whole way again.
 */

import type { RequestHead } from './accept/quick.ts';
import { givenId } from './accept/request-id.ts';
import type { Kept, Ready } from './call.ts';
import { addressOf } from './passing.ts';
import { type Again, wantsOf } from './pipeline.ts';
import { recall } from './remember.ts';
import { withCors } from './reply/cors.ts';
import { found, wantsZipped } from './reply/found.ts';
import { listed } from './reply/send.ts';
import type { Gateway } from './setup/gateway.ts';
import type { Event } from './watch/events.ts';

/** Characters; what is larger is read anew. */
const largest = 16_000;

/** Bytes that a known request takes, beside its text and its body (measured on Node 20). */
const overhead = 1400;
/** Targets of POST requests whose bodies are worth reading, the actions; and targets of which the last request is remembered. */
const mostTargets = 1000;
/** Characters of a request that is remembered as the last one: these are in no budget. */
const short = 1000;

/** How a request was let through, and what it was answered last. */
class Known {
  /** All that decides the answer: under this it is kept. */
  readonly asked: string;
  readonly again: Again;
  last: Last | null = null;
  readonly #method: string;
  readonly #headers: readonly unknown[];
  readonly #body: string;

  constructor({ method, headers }: RequestHead, body: string, asked: string, again: Again) {
    this.asked = asked;
    this.again = again;
    this.#method = method;
    this.#headers = deciding.map((name) => headers[name]);
    this.#body = body;
  }

  /** Whether the same is asked, of the same target. */
  is({ method, headers }: RequestHead, body: string): boolean {
    if (method !== this.#method || body !== this.#body) return false;
    for (let nth = 0; nth < deciding.length; nth++)
      if (headers[deciding[nth] ?? ''] !== this.#headers[nth]) return false;
    return true;
  }
}

/** The head holds but for `Age`, which is another each second. The body is not held: evicted answers would live on here, uncounted. */
interface Last {
  readonly etag: string;
  readonly status: number;
  readonly head: string[];
  /** Where in the head `Age` has its value, and of which second that is. */
  readonly age: number;
  second: number;
  readonly shows: 'body' | 'zipped' | null;
  readonly event: Event;
}

export class Recall {
  readonly #current: () => Gateway;
  /** Where a body is worth reading: what came there before was answered from the cache. */
  readonly #targets = new Set<string>();
  /** What was asked last of each target: mostly it is asked again, and to see that takes half of looking it up by all of its text. */
  readonly #latest = new Map<string, Known>();
  /** To which they belong. */
  #gateway: Gateway | null = null;

  constructor(current: () => Gateway) {
    this.#current = current;
  }

  /** Remembers how a request was let through; one that asks for more than an answer is read anew each time. */
  learn(request: RequestHead, body: string, again: Again): void {
    // It began before the gateway was replaced, and would keep the old one alive.
    if (again.gateway !== this.#current()) return;
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
    const asked = head + body;
    again.gateway.cache.memory.keep(asked, new Known(request, body, asked, again), overhead);
  }

  /** @returns the answer to a request without a body; null where it must go the whole way */
  find(request: RequestHead): Ready | null {
    return this.#find(request, '');
  }

  /** @returns what answers a body after this head, or gives null where it must go the whole way; null where none is worth reading */
  expects(request: RequestHead): ((body: string) => Ready | null) | null {
    if (request.method !== 'POST' || !this.#targets.has(request.target)) return null;
    return (body) => this.#find(request, body);
  }

  #find(request: RequestHead, body: string): Ready | null {
    const gateway = this.#current();
    if (gateway !== this.#gateway || this.#latest.size > mostTargets) this.#latest.clear();
    this.#gateway = gateway;
    const latest = this.#latest.get(request.target);
    if (latest?.is(request, body)) return this.#answer(request, latest);
    const known = gateway.cache.memory.peek(headOf(request) + body, Known);
    if (known === undefined || known.again.gateway !== gateway) return null;
    if (known.asked.length <= short) this.#latest.set(request.target, known);
    return this.#answer(request, known);
  }

  #answer(request: RequestHead, known: Known): Ready | null {
    const { gateway, slot } = known.again;
    const now = performance.now();
    const kept = recall(gateway, slot, now);
    if (kept === undefined) return null;
    const second = Math.floor((now - kept.at) / 1000);
    let { last } = known;
    if (last === null || last.etag !== kept.etag) {
      last = render(request, known.again, kept, now);
      known.last = last;
    }
    // The same answer may have come anew, without its gzip copy.
    if (last === null || (last.shows === 'zipped' && kept.zipped === null)) return null;
    if (last.second !== second) {
      last.second = second;
      last.head[last.age] = String(second);
      // Once a second is often enough for both not to be taken for the least used.
      gateway.cache.memory.use(known.asked);
      gateway.cache.memory.use(slot.key());
    }
    // Who has nothing left is told so on the whole way.
    const { rates } = gateway;
    if (rates !== null && !rates.takeNow({ caller: known.again.told.caller, address: addressOf(gateway, request) }))
      return null;
    gateway.emit(last.event);
    // Nobody needs to find a hit again who has not named it.
    const id = givenId(request.headers['x-request-id']);
    const head = id === null ? last.head : [...last.head, 'X-Request-Id', id];
    return { status: last.status, head, body: last.shows === null ? null : kept[last.shows] };
  }
}

/** @returns null where its gzip copy must be made first */
function render(request: RequestHead, again: Again, kept: Kept, now: number): Last | null {
  const { gateway, control } = again;
  const { action, resource } = again.told;
  const wants = wantsOf(request);
  if (wantsZipped(kept, wants) && kept.zipped === null) return null;
  const reply = found({ kept, by: 'hit' }, wants, control, now);
  const { status, body } = reply;
  const { origin } = request.headers;
  const from = typeof origin === 'string' ? origin : undefined;
  const headers = withCors(reply.headers, from, gateway.settings.cors.origins);
  const head = listed({ ...reply, headers });
  return {
    etag: kept.etag,
    status,
    head,
    age: head.indexOf('Age') + 1,
    second: Number.NaN,
    shows: body === kept.body ? 'body' : body === kept.zipped ? 'zipped' : null,
    event: { on: 'hit', action, resource, status },
  };
}

/** All that decides the answer but for the body. Headers that are not there cost nothing: most are not. */
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
  ...['authorization', 'x-ckan-api-key', 'content-type', 'accept-encoding', 'if-none-match', 'origin'],
  ...['cache-control', 'content-encoding'],
];
