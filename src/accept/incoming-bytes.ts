import type { ServerResponse } from 'node:http';
import { Refusal } from '../model/errors.ts';

/** The count of one request body. */
export interface CountedBody {
  /** Counts received bytes. @returns false if the body has been refused, now or earlier */
  add(bytes: number): boolean;
  /** Call it when the body is complete: it can no longer be refused, but counts until its call has been answered. */
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
 * The bytes of request bodies in memory, from the first byte until the call has been answered. Over the limit, the body that
 * has been inactive longest is refused: if new bodies were refused, a few stalled clients could block all others.
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
