import type { ServerResponse } from 'node:http';

/**
 * The memory of answers that their clients have not read yet. Over the limit, the connections whose answers have waited longest
 * are destroyed: if new answers were refused, a few clients that do not read could block all others.
 */
export class Unsent {
  readonly #maxBytes: number;
  #bytes = 0;
  /** The responses that wait for each body, longest waiting first. A cached body counts once, however many wait for it. */
  readonly #waiting = new Map<object, { readonly bytes: number; readonly by: Set<ServerResponse> }>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts a body that is still in Node's buffer, until the operating system has accepted all of it. */
  add(res: ServerResponse, body: string | Uint8Array): void {
    if (res.destroyed) return;
    const key = typeof body === 'string' ? res : body;
    const held = this.#waiting.get(key) ?? { bytes: Math.max(body.length, res.writableLength), by: new Set() };
    if (held.by.size === 0) {
      this.#waiting.set(key, held);
      this.#bytes += held.bytes;
    }
    held.by.add(res);
    res.once('close', () => {
      held.by.delete(res);
      if (held.by.size === 0) this.#forget(key);
    });
    for (const [oldest, { by }] of this.#waiting) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#forget(oldest);
      for (const slow of by) slow.destroy();
    }
  }

  #forget(key: object): void {
    this.#bytes -= this.#waiting.get(key)?.bytes ?? 0;
    this.#waiting.delete(key);
  }
}
