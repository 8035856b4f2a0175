import type { Bounds } from '../actions/action.ts';
import type { Emit } from '../model/events.ts';
import type { Resolved, Served } from '../tables/served.ts';

/** The part of a gateway that change notices need. */
export interface NoticeGateway extends Served {
  readonly bounds: Pick<Bounds, 'sealing'>;
  /** The epoch of the generations when this gateway was made, and the time, by `performance.now()`. */
  readonly sinceEpoch: number;
  readonly madeAt: number;
  readonly emit: Emit;
  readonly random: () => number;
}

/** What a client may read. */
export interface Permitted {
  /** By the client's names for them. */
  readonly resources: ReadonlyMap<string, Resolved>;
  /** Until when its login, or what the upstream said of it, holds, by `performance.now()`; asked again, because it may end earlier. */
  until(): number;
}

/** The client of a stream of change notices. */
export interface Subscriber {
  /** The name of its token, or its address: the number of streams is limited for each. */
  readonly client: string;
  /**
   * The resources that it subscribes to; null if it may no longer read all of them. Called for each new configuration and catalogue, and
   * when the last answer no longer holds.
   * @throws Refusal unavailable (503) if nobody can say now
   */
  permitted(served: Served): Promise<Permitted | null>;
  readonly lastEventId: string | undefined;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
}
