import type { Bounds } from '../actions/action.ts';
import type { Emit } from '../model/events.ts';
import type { Resolved, Served } from '../tables/served.ts';

/** The part of a gateway that change notices need. */
export interface NoticeGateway extends Served {
  readonly bounds: Pick<Bounds, 'sealing'>;
  /** The epoch of the generations in which it was made, and when, by `performance.now()`. */
  readonly since: number;
  readonly madeAt: number;
  readonly emit: Emit;
  readonly random: () => number;
}

/** The client of a stream of change notices. */
export interface Subscriber {
  /** Its name or address, for the limit of streams. */
  readonly client: string;
  /**
   * The resources that it asked for and may read, by its names; null: it may no longer read all of them. Called with each new
   * configuration and catalogue.
   */
  readable(served: Served): ReadonlyMap<string, Resolved> | null;
  readonly lastEventId: string | undefined;
  /** Aborted when the client has left. */
  readonly gone: AbortSignal;
}
