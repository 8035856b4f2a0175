/**
 * The fast road: a request that came before to the letter is answered without reading it anew. Who may read what belongs to the
 * gateway that let it through; after a reload or a re-read catalogue there is another, and the request goes the whole way again.
 */
import type { RequestHead } from './accept/server.ts';
import { Shortcuts } from './cache/shortcuts.ts';
import type { Kept, Ready } from './call.ts';
import { type Again, wantsOf } from './pipeline.ts';
import { recall } from './remember.ts';
import { withCors } from './reply/cors.ts';
import { found, wantsZipped } from './reply/found.ts';
import { headOf } from './reply/send.ts';
import type { Gateway } from './setup/gateway.ts';
import type { Event } from './watch/events.ts';

/** Of the memory for answers, what is kept of requests at most. */
const share = 1 / 16;
/** Characters; what is larger is read anew. */
const largest = 16_000;

/** How a request was let through, and what it was answered last. */
interface Known {
  readonly again: Again;
  last: Last | null;
}
/** The head holds for a second: `Age` is in it. The body is not held: evicted answers would live on here, uncounted. */
interface Last {
  readonly etag: string;
  readonly second: number;
  readonly status: number;
  readonly head: string[];
  readonly shows: 'body' | 'zipped' | null;
  readonly event: Event;
}

export class Recall {
  readonly #current: () => Gateway;
  readonly #shortcuts: Shortcuts<Known>;

  constructor(current: () => Gateway, maxBytes: number) {
    this.#current = current;
    this.#shortcuts = new Shortcuts(Math.max(1, Math.floor(maxBytes * share)));
  }

  /** Remembers how a request was let through. */
  learn(request: RequestHead, body: string, again: Again): void {
    const asked = askedBy(request);
    if (asked !== null && asked.length + body.length <= largest)
      this.#shortcuts.learn(asked, body, { again, last: null });
  }

  /** @returns what answers a body after this head, or null when it must go the whole way; null where no such head came before */
  expects(request: RequestHead): ((body: string) => Ready | null) | null {
    const asked = askedBy(request);
    const bodies = asked === null ? undefined : this.#shortcuts.find(asked);
    if (bodies === undefined) return null;
    return (body) => {
      const known = bodies.get(body);
      return known === undefined ? null : this.#answer(request, known);
    };
  }

  #answer(request: RequestHead, known: Known): Ready | null {
    const { gateway, slot } = known.again;
    if (gateway !== this.#current()) return null;
    const now = performance.now();
    const kept = recall(gateway, slot, now);
    if (kept === undefined) return null;
    const second = Math.floor((now - kept.at) / 1000);
    let { last } = known;
    if (last === null || last.second !== second || last.etag !== kept.etag) {
      last = render(request, known.again, kept, now, second);
      known.last = last;
      if (last === null) return null;
    }
    gateway.emit(last.event);
    return { status: last.status, head: last.head, body: last.shows === null ? null : kept[last.shows] };
  }
}

/** @returns null where its gzip copy must be made first */
function render(request: RequestHead, again: Again, kept: Kept, now: number, second: number): Last | null {
  const { gateway, isPrivate, told } = again;
  const wants = wantsOf(request);
  if (wantsZipped(kept, wants) && kept.zipped === null) return null;
  const reply = found({ kept, by: 'hit' }, wants, isPrivate, now);
  const { status, body } = reply;
  const { origin } = request.headers;
  const from = typeof origin === 'string' ? origin : undefined;
  const headers = withCors(reply.headers, from, gateway.settings.cors.origins);
  return {
    etag: kept.etag,
    second,
    status,
    head: headOf({ ...reply, headers }),
    shows: body === kept.body ? 'body' : body === kept.zipped ? 'zipped' : null,
    event: { on: 'answered', ...told, cache: 'hit', status, milliseconds: 0, cause: undefined },
  };
}

/** All that decides the answer but for the body; null where the request asks for more than an answer. */
function askedBy({ method, target, headers }: RequestHead): string | null {
  const isPlain =
    (method === 'GET' || method === 'POST') &&
    headers['cache-control'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.host !== undefined;
  if (!isPlain) return null;
  return `${method} ${target}
${headers.authorization ?? ''}
${headers['x-ckan-api-key'] ?? ''}
${headers['content-type'] ?? ''}
${headers['accept-encoding'] ?? ''}
${headers['if-none-match'] ?? ''}
${headers.origin ?? ''}`;
}
