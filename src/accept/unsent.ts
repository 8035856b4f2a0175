import type { ServerResponse } from 'node:http';

/**
 * Memory of answers that their clients have not read yet. Over the limit, the connections that have waited longest are
 * destroyed. Refusing others would let a few clients that do not read block all others.
 */
export class Unsent {
  readonly #most: number;
  #bytes = 0;
  /** By body, longest waiting first. A cached body counts once, however many responses wait for it. */
  readonly #held = new Map<object, { readonly bytes: number; readonly by: Set<ServerResponse> }>();

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** Counts a body until the system has accepted all of it. */
  add(res: ServerResponse, body: string | Uint8Array): void {
    if (res.writableLength === 0 || res.destroyed) return;
    const what = typeof body === 'string' ? res : body;
    const held = this.#held.get(what) ?? { bytes: Math.max(body.length, res.writableLength), by: new Set() };
    if (held.by.size === 0) {
      this.#held.set(what, held);
      this.#bytes += held.bytes;
    }
    held.by.add(res);
    res.once('close', () => {
      held.by.delete(res);
      if (held.by.size === 0) this.#forget(what);
    });
    for (const [oldest, { by }] of this.#held) {
      if (this.#bytes <= this.#most) return;
      this.#forget(oldest);
      for (const slow of by) slow.destroy();
    }
  }

  #forget(what: object): void {
    this.#bytes -= this.#held.get(what)?.bytes ?? 0;
    this.#held.delete(what);
  }
}
