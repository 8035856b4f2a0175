import type { ServerResponse } from 'node:http';
import { Refusal } from '../model/errors.ts';

/** One request body that is counted. */
export interface CountedBody {
  /** Counts received bytes. @returns false where the body has been refused, now or before */
  add(bytes: number): boolean;
  /** The body is complete: it cannot be refused any more, but counts until its call has been answered. */
  end(): void;
  /** Stops counting the body: its memory has been released. */
  forget(): void;
}

/** Starts counting a body. `refuse` is called at most once; the reader must then release the bytes read so far. */
export type CountBody = (refuse: (why: Refusal) => void) => CountedBody;

interface Held {
  bytes: number;
  isHeld: boolean;
  readonly refuse: (why: Refusal) => void;
}

/**
 * The bytes of request bodies in memory, from the first byte until the call has been answered. Over the limit, the body that
 * has been inactive longest is refused. Refusing new ones would let a few stalled clients block all others.
 */
export class IncomingBytes {
  readonly #max: number;
  #bytes = 0;
  /** Incomplete bodies, the one that has been inactive longest first. */
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
        // To the end of the order.
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
