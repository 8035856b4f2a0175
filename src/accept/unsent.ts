import type { ServerResponse } from 'node:http';

/**
 * What answers take of memory because their clients do not read them. Over its bound those are cut off that have waited longest:
 * refusing others would let a few who do not read stop everybody.
 */
export class Unsent {
  readonly #most: number;
  #bytes = 0;
  /** By what is waited for, longest first. A kept answer is one, however many wait for it. */
  readonly #held = new Map<object, { readonly bytes: number; readonly by: Set<ServerResponse> }>();

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** Counts an answer that was given to be sent, for as long as the system has not taken all of it. */
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
