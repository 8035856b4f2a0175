/**
 * The fast road: a request that came before to the letter is answered without reading it anew. Who may read what belongs to the
 * gateway that let it through; after a reload or a re-read catalogue there is another, and the request goes the whole way again.
 */
import type { RequestHead } from './accept/server.ts';
import { Shortcuts } from './cache/shortcuts.ts';
import { type Again, wantsOf } from './pipeline.ts';
import type { Reply } from './plan.ts';
import { recall } from './remember.ts';
import { withCors } from './reply/cors.ts';
import { found, wantsZipped } from './reply/found.ts';
import type { Gateway } from './setup/gateway.ts';

/** Of the memory for answers, what is kept of requests at most. */
const share = 1 / 16;
/** Characters; what is larger is read anew. */
const largest = 16_000;

export class Recall {
  readonly #current: () => Gateway;
  readonly #shortcuts: Shortcuts<Again>;

  constructor(current: () => Gateway, maxBytes: number) {
    this.#current = current;
    this.#shortcuts = new Shortcuts(Math.max(1, Math.floor(maxBytes * share)));
  }

  /** Remembers how a request was let through. */
  learn(request: RequestHead, body: string, again: Again): void {
    const head = headOf(request);
    if (head !== null && head.length + body.length <= largest) this.#shortcuts.learn(head, body, again);
  }

  /** @returns what answers a body after this head, or null when it must go the whole way; null where no such head came before */
  expects(request: RequestHead): ((body: string) => Reply | null) | null {
    const head = headOf(request);
    const bodies = head === null ? undefined : this.#shortcuts.find(head);
    if (bodies === undefined) return null;
    return (body) => {
      const again = bodies.get(body);
      return again === undefined ? null : this.#answer(request, again);
    };
  }

  #answer(request: RequestHead, { gateway, slot, isPrivate, told }: Again): Reply | null {
    if (gateway !== this.#current()) return null;
    const kept = recall(gateway, slot);
    const wants = wantsOf(request);
    if (kept === undefined || (wantsZipped(kept, wants) && kept.zipped === null)) return null;
    const reply = found({ kept, by: 'hit' }, wants, isPrivate, performance.now());
    gateway.emit({ on: 'answered', ...told, cache: 'hit', status: reply.status, milliseconds: 0, cause: undefined });
    const { origin } = request.headers;
    const from = typeof origin === 'string' ? origin : undefined;
    return { ...reply, headers: withCors(reply.headers, from, gateway.settings.cors.origins) };
  }
}

/** All that decides the answer but for the body; null where the request asks for more than an answer. */
function headOf({ method, target, headers }: RequestHead): string | null {
  const isPlain =
    (method === 'GET' || method === 'POST') &&
    headers['cache-control'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.host !== undefined;
  if (!isPlain) return null;
  const type = headers['content-type'] ?? '';
  return `${method} ${target}\n${headers.authorization ?? ''}\n${headers['x-ckan-api-key'] ?? ''}\n${type}`;
}
