import type { Bounds } from '../actions/action.ts';
import type { Emit } from '../model/events.ts';
import type { Resolved, Served } from '../tables/served.ts';

/** The properties of a gateway that change notices use. */
export interface NoticeGateway extends Served {
  readonly bounds: Pick<Bounds, 'sealing'>;
  /** The generations' epoch when this gateway was made, and the time, by `performance.now()`. */
  readonly sinceEpoch: number;
  readonly madeAt: number;
  readonly emit: Emit;
  readonly random: () => number;
}

/** What a client may read. */
export interface Permitted {
  /** The resources, by the client's names for them. */
  readonly resources: ReadonlyMap<string, Resolved>;
  /** When the client's login, or the upstream's decision, expires, by `performance.now()`. Ask each time, because it may expire earlier. */
  until(): number;
}

/** The client of a change notice stream. */
export interface Subscriber {
  /** The name of the client's token, or its address: each may have a limited number of streams. */
  readonly client: string;
  /**
   * The resources that the client subscribes to; null if it may no longer read all of them. Called for each new configuration and catalogue,
   * and when the last decision has expired.
   * @throws Refusal unavailable (503) if nobody can decide at the moment
   */
  permitted(served: Served): Promise<Permitted | null>;
  readonly lastEventId: string | undefined;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
}
