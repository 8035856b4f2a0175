import type { ServerResponse } from 'node:http';
import { Refusal } from '../model/errors.ts';

/** Counts the bytes of one request body in memory. */
export interface CountedBody {
  /** Counts received bytes. @returns false if the body has been refused, now or earlier */
  add(bytes: number): boolean;
  /** Call when the body is complete: it can no longer be refused, but its bytes count until the request has been answered. */
  end(): void;
  /** Stops counting the body, because its memory has been released. */
  forget(): void;
}

/** Starts counting a body. `refuse` is called at most once; the reader must then release the bytes that it has read. */
export type CountBody = (refuse: (why: Refusal) => void) => CountedBody;

interface Held {
  bytes: number;
  isHeld: boolean;
  readonly refuse: (why: Refusal) => void;
}

/**
 * Limits the bytes of request bodies in memory; a body counts until its request has been answered. Over the limit, we refuse the
 * body that has been inactive longest: if we refused new bodies, a few stalled clients could block all others.
 */
export class IncomingBytes {
  readonly #max: number;
  #bytes = 0;
  /** Incomplete bodies, longest inactive first. */
  readonly #growing = new Set<Held>();

  constructor(maxBytes: number) {
    this.#max = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a body until `res` closes. */
  open(res: ServerResponse, refuse: (why: Refusal) => void): CountedBody {
    const body: Held = { bytes: 0, isHeld: true, refuse };
    const forget = () => this.#forget(body);
    res.once('close', forget);
    return {
      add: (bytes) => {
        if (!body.isHeld) return false;
        body.bytes += bytes;
        this.#bytes += bytes;
        // Moves the body to the end of the set, which is in the order of the last activity.
        this.#growing.delete(body);
        this.#growing.add(body);
        this.#refuseStalled();
        return body.isHeld;
      },
      end: () => void this.#growing.delete(body),
      forget,
    };
  }

  #refuseStalled(): void {
    for (const stalled of this.#growing) {
      if (this.#bytes <= this.#max) return;
      this.#forget(stalled);
      stalled.refuse(
        new Refusal('busy', {
          message: `Service Unavailable: more than ${this.#max} bytes of request bodies are held (limits.incomingBytes)`,
        }),
      );
    }
  }

  #forget(body: Held): void {
    body.isHeld = false;
    this.#growing.delete(body);
    this.#bytes -= body.bytes;
    body.bytes = 0;
  }
}
