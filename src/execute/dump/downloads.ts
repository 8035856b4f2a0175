import { type Waiting, waitInQueue } from '../queue.ts';

/** A download's slot: it has a connection, or waits for one. */
export interface DownloadPlace {
  /** Call it when the connection is free again. Further calls do nothing. */
  leave(): void;
}

interface Held {
  readonly client: string;
}

/** The downloads from one database. A client gets at most half of the connections, so that it can't lock out all others. */
export class Downloads {
  readonly #max: number;
  readonly #waitTimeout: number;
  readonly #held = new Set<Held>();
  /** Downloads that wait until another download of the same client has ended. */
  readonly #waiting = new Set<Waiting<DownloadPlace>>();

  /**
   * @param max connections for downloads; the pool itself enforces the limit
   * @param waitTimeout milliseconds that a client over its share waits for one of its own downloads to end
   */
  constructor(max: number, waitTimeout: number) {
    this.#max = max;
    this.#waitTimeout = waitTimeout;
  }

  /**
   * Takes a slot for a download, which then waits for a connection. A client that already uses its share of slots waits here.
   * @param client identifies the client: all its downloads pass the same name
   * @param gone aborted when the client has left
   * @throws Refusal busy if none of the client's downloads ends in time; the reason of `gone`
   */
  enter(client: string, gone: AbortSignal): Promise<DownloadPlace> {
    const running = [...this.#held].filter((other) => other.client === client).length;
    const share = Math.ceil(this.#max / 2);
    if (running < share) return Promise.resolve(this.#hold(client));
    const message = `Service Unavailable: a client can have ${share} of this database's downloads at a time, try again later`;
    return waitInQueue(this.#waiting, client, { after: this.#waitTimeout, message }, gone);
  }

  #hold(client: string): DownloadPlace {
    const held: Held = { client };
    this.#held.add(held);
    return {
      leave: () => {
        if (!this.#held.delete(held)) return;
        for (const { client: other, begin } of this.#waiting) if (other === client) return begin(this.#hold(client));
      },
    };
  }
}
