/** The current values of the gauges, which go up and down, unlike counters. */
export interface Levels {
  readonly cache: { readonly entries: number; readonly bytes: number; readonly maxBytes: number };
  readonly pools: readonly PoolLevel[];
  /** 1 for each process that serves, so the sum over all processes is the number of workers. */
  readonly workers: number;
  /** Open client connections. */
  readonly connections: number;
  /** Bytes of request bodies held in memory. */
  readonly incomingBytes: number;
  /** Clients subscribed to change notices. */
  readonly subscribers: number;
  /** Bytes of downloads on disk that the clients have not read yet. */
  readonly spoolBytes: number;
  /** Seconds since each JWT issuer's keys were fetched, by the issuer's name. */
  readonly keyAges: ReadonlyMap<string, number>;
}

/** Functions that return the values of the gauges, called at each scrape. */
export interface GaugeSources {
  levels(): Levels;
  /** Whether each database responds now. */
  states(): Promise<Readonly<Record<string, { readonly up: boolean }>>>;
}

/** A pool's connections. */
export interface PoolLevel {
  readonly database: string;
  /** The kind of pool: `calls` or `dumps`. */
  readonly pool: string;
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}
