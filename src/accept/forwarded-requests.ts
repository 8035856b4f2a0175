import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ForwardedRequest } from '../model/http.ts';
import { linger } from './linger.ts';
import { noBody } from './request-head.ts';

/**
 * Forwards a request to the upstream.
 * @param done called once: with null when the request has been answered or its client has disconnected; else with the error, or
 *   with the upstream's answer that the gateway is to replace
 */
export type Forward = (
  req: IncomingMessage,
  res: ServerResponse,
  passed: ForwardedRequest,
  done: (unsent: unknown) => void,
) => void;

/** Forwards requests, and tracks the connections whose request body is streamed upstream. */
export class ForwardedRequests {
  readonly #pass: Forward;
  readonly #lingerMs: number;
  readonly #uploading = new Set<Duplex>();

  constructor(pass: Forward, lingerMs: number) {
    this.#pass = pass;
    this.#lingerMs = lingerMs;
  }

  /** Whether a forwarded body is still arriving on this connection; the request timeout does not apply to it. */
  isUploading(socket: Duplex): boolean {
    return this.#uploading.has(socket);
  }

  /**
   * @param known the body if it has been read, or the empty body; null for a body that has not been read yet
   * @param failed called with the error, or the upstream's answer, if the client has not been answered
   */
  request(
    req: IncomingMessage,
    res: ServerResponse,
    passed: ForwardedRequest,
    known: Buffer | null,
    failed: (error: unknown) => void,
  ): void {
    // A request without a body is forwarded without one: an empty buffer would add `Content-Length: 0`.
    const read = known === noBody ? null : known;
    const isStreamed = passed.body === null && read === null && known !== noBody;
    if (isStreamed) this.#uploading.add(req.socket);
    const done = (error: unknown) => {
      if (isStreamed) this.#uploading.delete(req.socket);
      if (error !== null) failed(error);
      // The upstream answered before the whole body had arrived. Read on: a client may not read the answer before it has sent all.
      else if (isStreamed && !req.readableEnded)
        linger(req, this.#lingerMs).then(() => req.complete || req.socket.destroy());
    };
    try {
      this.#pass(req, res, read === null ? passed : { ...passed, body: passed.body ?? read }, done);
    } catch (error) {
      // Only a bug of ours throws here; uncaught, it would end the process.
      done(error);
    }
  }
}
