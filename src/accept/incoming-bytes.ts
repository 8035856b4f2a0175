import type { ServerResponse } from 'node:http';
import { Refusal } from '../model/errors.ts';

/** One request body that is counted. */
export interface CountedBody {
  /** Counts bytes that have come in. @returns false where the body has been refused, now or before */
  add(bytes: number): boolean;
  /** Nothing more will come in: it cannot be refused any more, but counts until its call has been answered. */
  end(): void;
  /** It is no longer held. */
  forget(): void;
}

/** Begins to count a body of a call. `refuse` is called at most once; its reader lets go of what it has read. */
export type CountBody = (refuse: (why: Refusal) => void) => CountedBody;

interface Held {
  bytes: number;
  isHeld: boolean;
  readonly refuse: (why: Refusal) => void;
}

/**
 * The bytes of request bodies that the gateway holds, from the first one until the call has been answered. Over the bound the body is
 * refused that has stood still longest: to refuse new ones would let a few clients that send no further stop everybody.
 */
export class IncomingBytes {
  readonly #max: number;
  #bytes = 0;
  /** Bodies of which some bytes are here and more are to come, the one that has stood still longest first. */
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
