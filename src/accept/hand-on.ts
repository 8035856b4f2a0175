import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ForwardedRequest } from '../model/http.ts';
import { linger } from './linger.ts';
import { nothing } from './quick.ts';

/**
 * Hands a request to the application behind.
 * @param done called once: with null when it has been answered or its client has left, else with why it has not been answered
 */
export type Pass = (
  req: IncomingMessage,
  res: ServerResponse,
  passed: ForwardedRequest,
  done: (error: unknown) => void,
) => void;

/** Hands on what is not ours, and knows on which connections a body comes in that is not for us. */
export class HandOn {
  readonly #pass: Pass;
  readonly #lingerMs: number;
  readonly #uploading = new Set<Duplex>();

  constructor(pass: Pass, lingerMs: number) {
    this.#pass = pass;
    this.#lingerMs = lingerMs;
  }

  /** Whether such a body may still be under way: it may take as long as bytes flow. */
  isUploading(socket: Duplex): boolean {
    return this.#uploading.has(socket);
  }

  /**
   * @param known the body where it has been read already, or cannot be there
   * @param failed told why the client has not been answered, if he has not
   */
  request(
    req: IncomingMessage,
    res: ServerResponse,
    passed: ForwardedRequest,
    known: Buffer | null,
    failed: (error: unknown) => void,
  ): void {
    // What has no body is passed on without one: a length of 0 is a body, too.
    const read = known === nothing ? null : known;
    const isStreamed = passed.body === null && read === null && known !== nothing;
    if (isStreamed) this.#uploading.add(req.socket);
    const done = (error: unknown) => {
      if (isStreamed) this.#uploading.delete(req.socket);
      if (error !== null) failed(error);
      // Answered before all of the body was there: its sender may not read before he has sent it.
      else if (isStreamed && !req.readableEnded)
        linger(req, this.#lingerMs).then(() => req.complete || req.socket.destroy());
    };
    try {
      this.#pass(req, res, read === null ? passed : { ...passed, body: passed.body ?? read }, done);
    } catch (error) {
      // A bug of ours, which would end the process here.
      done(error);
    }
  }
}
