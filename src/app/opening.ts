import type { Join } from '../cache/buses/bus.ts';
import type { Names } from '../changes/log/names.ts';
import type { Settings } from '../config/assemble.ts';
import type { Positions } from '../config/complaints.ts';
import type { Spool } from '../execute/dump/spool.ts';
import type { Emit } from '../model/events.ts';
import type { Pools } from '../servers/pools.ts';

/** Loaded settings and the source position of each. */
export interface Configuration {
  readonly settings: Settings;
  readonly positions: Positions;
}

export interface Opening {
  /** Runs on the pools before any catalogue is read. */
  prepare(pools: Pools): Promise<void>;
  /** Null where this is the only process of the gateway. */
  readonly bus: Join | null;
  readonly emit: Emit;
  readonly names: Names;
  readonly spool: Spool;
  /**
   * Replaces an absent `server.secret`. One for all processes, and the same after a reload, so that no client's paging breaks.
   */
  readonly secret: string | Uint8Array;
  /** Whether to serve the remaining resources where the database disagrees, as after a table has changed. */
  readonly lenient: boolean;
  /** Whether its sessions can change nothing, not even by a view that calls a function. A reload would end that. */
  readonly readOnly: boolean;
}

/** A configuration that was checked against its databases: to be adopted or dropped. */
export interface Prepared {
  /** `idle` resolves when the calls that run now have ended: dropped pools are closed then. */
  adopt(idle: Promise<unknown>): void;
  drop(): Promise<void>;
}
