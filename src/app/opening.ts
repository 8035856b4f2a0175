import type { Join } from '../cache/buses/bus.ts';
import type { ChangeFeed } from '../changes/log/names.ts';
import type { Settings } from '../config/assemble.ts';
import type { Positions } from '../config/complaints.ts';
import type { Spool } from '../execute/dump/spool.ts';
import type { Emit } from '../model/events.ts';
import type { SelectParser } from '../parse/select-parser.ts';
import type { Pools } from '../servers/pools.ts';

/** Loaded settings, each one's source position, and when their file was last changed. */
export interface Configuration {
  readonly settings: Settings;
  readonly positions: Positions;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
}

export interface Opening {
  /** Runs on the pools before any catalogue is read. */
  prepare(pools: Pools): Promise<void>;
  /** Connects the gateway's processes; null if this is the only one. */
  readonly bus: Join | null;
  readonly emit: Emit;
  readonly names: ChangeFeed;
  readonly spool: Spool;
  readonly selects: SelectParser;
  /** Used if `server.secret` is not set. All processes share it, and reloads keep it, so that page cursors stay valid. */
  readonly secret: string | Uint8Array;
  /** Whether to serve the remaining resources if a database does not match the configuration, for example after a table has changed. */
  readonly isLenient: boolean;
  /** Whether sessions are read-only, so that not even a view that calls a function can write. The pools of a reload are never read-only. */
  readonly readOnly: boolean;
}

/** A configuration that was checked against its databases. Either adopt or drop it. */
export interface Prepared {
  /** @param idle resolves when the calls that are running now have ended: pools that are no longer needed are then closed */
  adopt(idle: Promise<unknown>): void;
  /** Closes the pools that were opened for this configuration. */
  drop(): Promise<void>;
}
